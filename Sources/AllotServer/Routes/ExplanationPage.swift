import Allot
import AllotConfiguration
import Mustache

/// An explanation as a page. Mustache escapes every text that is inserted, and characters that nobody could see, or
/// that turn the direction of writing, are shown as `PrintableText` writes them.
enum ExplanationPage {
    static func html(_ explanation: Explanation, id: String) throws -> String {
        let experiments = explanation.experiments.map { experiment -> [String: Any] in
            let assignment = experiment.assignment
            return [
                "key": assignment.experiment, "variant": assignment.variant ?? "–", "reason": assignment.reason.text,
                "sentence": lines(experiment.sentence), "details": lines(experiment.text),
                "revision": assignment.revision,
                "class": assignment.variant == nil ? "none" : "assigned",
            ]
        }
        let assigned = explanation.experiments.count { $0.assignment.variant != nil }
        return try template.get().render([
            "id": PrintableText(id).description, "instant": explanation.instant.description,
            "revision": explanation.revision,
            "experiments": experiments, "count": experiments.count, "assigned": assigned,
        ])
    }

    /// A text of several lines.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { PrintableText(String($0)).description }.joined(separator: "\n")
    }

    private static let template = Result { try MustacheTemplate(string: source) }

    private static let source = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Why {{id}} gets what it gets</title>
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
        body { color: #1b1f24; }
        h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
        p { margin: .3rem 0; }
        .facts { color: #57606a; }
        section { border: 1px solid #d0d7de; border-left-width: 6px; border-radius: 6px; }
        section { padding: .8rem 1rem; margin: 1rem 0; }
        section.assigned { border-left-color: #1a7f37; }
        section.none { border-left-color: #8c959f; }
        .variant { float: right; font-weight: 600; }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f8fa; padding: .6rem; }
        pre { border-radius: 6px; font-size: .85rem; }
        summary { cursor: pointer; color: #0550ae; }
        </style>
        </head>
        <body>
        <h1>Why {{id}} gets what it gets</h1>
        <p class="facts">{{assigned}} of {{count}} experiments assign this unit a variant · {{instant}} · \
        revision {{revision}}</p>
        {{#experiments}}
        <section class="{{class}}">
        <span class="variant">{{variant}}</span>
        <h2>{{key}}</h2>
        <p>{{sentence}}</p>
        <details><summary>Every step and number</summary><pre>{{details}}</pre></details>
        <p class="facts">{{reason}} · revision {{revision}}</p>
        </section>
        {{/experiments}}
        </body>
        </html>
        """
}
