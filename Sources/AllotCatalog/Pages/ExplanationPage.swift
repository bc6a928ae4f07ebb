import Allot

/// An explanation as a page: each experiment in a sentence, with every step and number below it.
package enum ExplanationPage {
    /// Makes the page.
    ///
    /// - Parameter id: the unit's ID, as it was asked for.
    package static func make(_ explanation: Explanation, id: String, in frame: PageFrame) -> Page {
        let experiments = explanation.experiments.map { experiment -> PageValues in
            let assignment = experiment.assignment
            return [
                "key": assignment.experiment,
                "link": frame.hasSite ? frame.links.to(.experiment(assignment.experiment)) : nil,
                "variant": assignment.variant ?? "–", "reason": assignment.reason.text,
                "sentence": experiment.sentence, "details": experiment.text, "revision": assignment.revision,
                "class": assignment.variant == nil ? "none" : "assigned",
            ]
        }
        let assigned = explanation.experiments.count { $0.assignment.variant != nil }
        return Page(
            "Why \(PageText.oneLine(id)) gets what it gets", part: .units, template,
            [
                "experiments": experiments, "count": experiments.count, "assigned": assigned,
                "instant": explanation.instant.description, "revision": explanation.revision,
            ])
    }

    private static let template = PageTemplate(
        """
        <p class="faint">{{assigned}} of {{count}} experiments assign this unit a variant · {{instant}} · \
        revision {{revision}}</p>
        {{#experiments}}
        <section class="panel {{class}}">
        <span class="variant">{{variant}}</span>
        <h2>{{#link}}<a href="{{link}}">{{/link}}{{key}}{{#link}}</a>{{/link}}</h2>
        <p>{{sentence}}</p>
        <details><summary>Every step and number</summary><pre tabindex="0">{{details}}</pre></details>
        <p class="faint">{{reason}} · revision {{revision}}</p>
        </section>
        {{/experiments}}
        """)
}
