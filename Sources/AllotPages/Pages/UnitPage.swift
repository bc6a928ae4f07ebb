import AllotAnalysis
import AllotConfiguration
import AllotCore
package import AllotExposures
import AllotReports

/// `/units/{id}`: everything that one unit gets at an instant, and why, next to the variants that it met.
///
/// A decision that rests on attributes that were not given is never stated as a fact.
package enum UnitPage {
    /// The unit's exposures, as far as they are known.
    package enum Exposures: Sendable {
        /// No exposures are read.
        case noStore
        /// The store cannot be read now.
        case unreadable
        /// The exposures of the units that the answer is about, of each unit the last first.
        case read([Exposure])
    }

    package struct Form: Sendable {
        /// The unit ID; empty if none was given.
        package var id = ""
        /// The values of other attributes that hold unit IDs, by their names.
        package var otherUnits: [(name: String, value: String)] = []
        /// The attributes, `name=value` on each line.
        package var attributes = ""
        /// The instant as it was written; empty for now.
        package var instant = ""
        /// The key of the only experiment to explain; empty for all.
        package var experiment = ""
        /// The names of the attributes that experiments read.
        package var names: [String] = []
        package var problem: String?

        package init() {}
    }

    /// The configuration of a unit, and why.
    package struct Answer: Sendable {
        let explanation: Explanation
        let configuration: JSONValue
        let plan: Plan
        /// Whether only some experiments are explained, and the configuration is not shown.
        let isSelection: Bool

        /// Evaluates for a subject.
        ///
        /// - Parameters:
        ///   - experiments: the experiments that are explained; `nil` for all, with the configuration.
        ///   - sent: the subject without what an application adds, of which nothing is noted; `nil` if it adds nothing.
        package init(
            _ subject: Subject, in plan: Plan, at instant: Instant, experiments: [String]? = nil,
            sent: Subject? = nil
        ) {
            explanation = plan.explanation(for: subject, at: instant, experiments: experiments)
                .forClient(sending: sent ?? subject)
            let bytes = plan.configurationBytes(for: subject, at: instant)
            configuration = (try? JSONValue(parsing: bytes)) ?? .null
            self.plan = plan
            isSelection = experiments != nil
        }

        /// The unit IDs that decisions are about, and an ID, each once: exposures are stored by them.
        package func units(_ id: String) -> [String] {
            Set(([id] + explanation.experiments.compactMap(\.unitID)).map(UTF8Key.init)).sorted().map(\.text)
        }
    }

    package enum Field {
        package static let id = "id"
        package static let attributes = "attributes"
        package static let instant = "at"
        package static let experiment = "experiment"
        package static let all = [id, attributes, instant, experiment]
    }

    /// The attributes that hold unit IDs of experiments, layers and holdouts, other than the ID in the path. One with
    /// the name of a field is given among the attributes.
    package static func otherUnits(of plan: Plan) -> [String] {
        plan.units().subtracting(Field.all + [Subject.defaultUnit]).sorted()
    }

    /// The attributes in the item of that name, `name=value` each: the lines of a form. Other characters that separate
    /// lines belong to the values.
    package static func lines(of attributes: String) -> [String] {
        attributes.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(String.init)
    }

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - answer: `nil` if there is only the form.
    ///   - exposures: those that a store has of the unit.
    ///   - override: HTML with which the unit's device can be given other values; `nil` if it cannot.
    package static func make(
        _ form: Form, _ answer: Answer?, exposures: Exposures = .noStore, override: String? = nil,
        in frame: PageFrame
    ) -> Page {
        let id = PrintableText(line: form.id)
        let title = answer == nil ? "What does a unit get?" : "Why \(id) gets what it gets"  // english: allow
        let names = form.names
        let given =
            form.otherUnits.filter { !$0.value.isEmpty }.map { "\($0.name)=\($0.value)" }
            + lines(of: form.attributes)
        return Page(
            title, part: .units, template,
            [
                "form": [
                    "action": frame.links.to(.units), "id": form.id, "attributes": form.attributes,
                    "at": form.instant, "experiment": form.experiment, "isOpen": answer == nil,
                    "units": form.otherUnits.enumerated().map { index, unit in
                        ["number": index, "name": unit.name, "value": unit.value] as PageValues
                    },
                    "names": names.isEmpty ? nil : names.listed(atMost: 24),
                ] as PageValues,
                "problem": form.problem,
                "given": given.isEmpty ? "no attributes" : PageText.short(given.joined(separator: ", "), atMost: 300),
                "answer": answer.map { values($0, UnitExposures(exposures, $0, id: form.id), override, frame) },
            ])
    }

    /// The most experiments that are shown with all steps, and then in a line each.
    private static let (mostPanels, mostRows) = (25, 200)

    /// The experiments that have no panel; `nil` if there are none.
    private static func rest(_ experiments: [Explanation.Experiment], _ frame: PageFrame) -> PageValues? {
        guard experiments.count > mostPanels else { return nil }
        return [
            "rows": experiments.dropFirst(mostPanels).prefix(mostRows).map { experiment in
                [
                    "key": experiment.assignment.experiment, "sentence": experiment.sentence,
                    "link": frame.links.to(.experiment(experiment.assignment.experiment)),
                ] as PageValues
            },
            "unlisted": experiments.count > mostPanels + mostRows
                ? NumberFormat.grouped(experiments.count - mostPanels - mostRows) : nil,
        ]
    }

    private static func values(
        _ answer: Answer, _ exposures: UnitExposures, _ override: String?, _ frame: PageFrame
    ) -> PageValues {
        let explained = answer.explanation.experiments
        let open = explained.filter { !$0.dependsOn.isEmpty }
        let settled = explained.filter(\.dependsOn.isEmpty)
        let (assigned, others) = (
            settled.filter { $0.assignment.variant != nil }, settled.filter { $0.assignment.variant == nil }
        )
        let settings =
            answer.isSelection ? [] : UnitSettings(answer.configuration, answer.plan, open: open).settings
        let (changed, same) = (settings.filter(\.isChanged), settings.filter { !$0.isChanged })
        let missing = Set(open.flatMap(\.dependsOn).map(UTF8Key.init)).sorted()
            .map { PrintableText($0.text).description }
        let panels = [assigned, open, others].map { $0.prefix(mostPanels) }
        return [
            "assigned": panels[0].map { panel($0, exposures, frame) }, "assignedRest": rest(assigned, frame),
            "open": panels[1].map { panel($0, exposures, frame) }, "openRest": rest(open, frame),
            "others": panels[2].map { panel($0, exposures, frame) }, "rest": rest(others, frame),
            "hasOthers": !others.isEmpty, "hasOpen": !open.isEmpty,
            "openWords": open.isEmpty ? nil : "\(open.count) more depend\(open.count == 1 ? "s" : "")",
            "missing": missing.isEmpty ? nil : missing.listed(atMost: 8),
            "assignedCount": assigned.count, "count": explained.count, "hasAssigned": !assigned.isEmpty,
            "exposureNote": exposures.note,
            "otherExposures": exposures.others(besides: panels.joined().map(\.assignment.experiment)),
            "instant": Instant(seconds: answer.explanation.instant.seconds).description,
            "revision": answer.explanation.revision,
            "notes": answer.explanation.unread.notes,
            "holdouts": answer.holdouts.map { name in
                ["name": name, "link": frame.links.to(.holdout(name))] as PageValues
            },
            "hasHoldouts": !answer.holdouts.isEmpty,
            "hasSettings": !settings.isEmpty,
            "changed": changed.map { $0.values(frame) }, "hasChanged": !changed.isEmpty,
            "same": same.map { $0.values(frame) }, "hasSame": !same.isEmpty, "sameCount": same.count,
            "json": answer.isSelection ? nil : answer.configuration.prettyText, "override": override,
        ]
    }

    private static func panel(
        _ experiment: Explanation.Experiment, _ exposures: UnitExposures, _ frame: PageFrame
    ) -> PageValues {
        let assignment = experiment.assignment
        // The text begins with the sentence, which is shown above it.
        let details = experiment.text.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }
        return [
            "key": assignment.experiment,
            "link": frame.links.to(.experiment(assignment.experiment)),
            "outcome": assignment.variant == nil && experiment.dependsOn.isEmpty ? nil : experiment.outcome,
            "reason": assignment.reason.text, "sentence": experiment.sentence,
            "dependencies": experiment.dependencies, "met": exposures.of(experiment),
            "details": details.joined(separator: "\n"),
            "class": experiment.dependsOn.isEmpty ? assignment.variant == nil ? "none" : "assigned" : "open",
        ]
    }

    private static let rows = """
        <table class="list cards"><caption>More experiments; name one in the form for all steps</caption>
        <thead><tr><th scope="col">Experiment</th><th scope="col">Why</th></tr></thead>
        <tbody>{{#rows}}<tr><th scope="row"><a href="{{link}}">{{key}}</a></th>\
        <td class="first">{{sentence}}</td></tr>
        {{/rows}}</tbody></table>
        {{#unlisted}}<p>And {{unlisted}} more.</p>{{/unlisted}}
        """

    private static let panelTemplate = """
        <section class="panel {{class}}">
        <h3><a href="{{link}}">{{key}}</a>{{#outcome}}: {{outcome}}{{/outcome}}</h3>
        <p>{{sentence}}</p>
        {{#dependencies}}<p>Depends on <code>{{dependencies}}</code>, not given.</p>{{/dependencies}}
        {{#met}}<p{{#differs}} class="notice"{{/differs}}>In the store: it met {{text}}.</p>
        {{/met}}
        <details><summary>Every step and number of {{key}}</summary><pre tabindex="0">{{details}}</pre></details>
        <p class="faint">Reason: {{reason}}</p>
        </section>
        """

    private static let row = """
        <tr{{#isChanged}} class="changed"{{/isChanged}}><th scope="row"><code>{{name}}</code></th>\
        <td data-label="Value">{{#value}}\(ShownValue.template){{/value}}</td>\
        <td data-label="Base">{{#base}}\(ShownValue.template){{/base}}</td>\
        <td data-label="Set by">{{#sources}}<a href="{{link}}">{{key}}</a>: {{outcome}}<br>\
        {{/sources}}</td></tr>
        """

    private static let template = PageTemplate(
        """
        {{#problem}}<p class="notice bad" role="alert">{{problem}}</p>{{/problem}}
        {{#form}}
        <details{{#isOpen}} open{{/isOpen}}><summary>\
        {{^isOpen}}Another unit, other attributes, another instant{{/isOpen}}\
        {{#isOpen}}Which unit, with which attributes, when{{/isOpen}}</summary>
        <form class="unit-form" action="{{action}}" method="get">
        <div><label for="unit-id">Unit ID (<code>user_id</code>)</label>
        <input id="unit-id" name="id" value="{{{data(id)}}}" required autocomplete="off" \
        spellcheck="false" dir="auto"></div>
        {{#units}}<div><label for="unit-{{number}}">Other unit ID (<code>{{name}}</code>)</label>
        <input id="unit-{{number}}" name="{{{data(name)}}}" value="{{{data(value)}}}" autocomplete="off" \
        spellcheck="false" dir="auto"></div>
        {{/units}}
        <div><label for="unit-attributes">Attributes, <code>name=value</code> on each line; <code>name=</code> if \
        the unit does not have it</label>
        <textarea id="unit-attributes" name="attributes" rows="4" spellcheck="false" dir="auto"\
        {{#names}} aria-describedby="unit-names"{{/names}}>
        {{{data(attributes)}}}</textarea>
        {{#names}}<span class="faint" id="unit-names">Experiments look at {{names}}.</span>{{/names}}</div>
        <div><label for="unit-at">Instant, such as <code>2026-12-01T09:00:00Z</code>; empty for now</label>
        <input id="unit-at" name="at" value="{{{data(at)}}}" autocomplete="off" spellcheck="false"></div>
        <div><label for="unit-experiment">Only this experiment; empty for all</label>
        <input id="unit-experiment" name="experiment" value="{{{data(experiment)}}}" autocomplete="off" \
        spellcheck="false"></div>
        <div><button>Show what it gets</button></div>
        </form>
        </details>
        {{/form}}
        {{#answer}}
        <p class="lead">{{assignedCount}} of {{count}} experiments assign this unit a variant\
        {{#openWords}}; {{openWords}} on {{missing}} (not given){{/openWords}}\
        {{#hasHoldouts}}; it is held out by {{#holdouts}}<a href="{{link}}">{{name}}</a> \
        {{/holdouts}}{{/hasHoldouts}}.</p>
        <p class="faint">With <bdi>{{given}}</bdi>. As of {{instant}}, by the present definitions, \
        revision <code>{{revision}}</code>.</p>
        {{#notes}}<p class="notice">Note: {{.}}</p>
        {{/notes}}
        {{#exposureNote}}<p class="faint">{{exposureNote}}</p>{{/exposureNote}}
        {{#hasAssigned}}<h2 id="assigned">Variants</h2>
        {{#assigned}}\(panelTemplate){{/assigned}}
        {{#assignedRest}}\(rows){{/assignedRest}}{{/hasAssigned}}
        {{#hasOpen}}<h2 id="open">Depends on attributes that are not given</h2>
        {{#open}}\(panelTemplate){{/open}}
        {{#openRest}}\(rows){{/openRest}}{{/hasOpen}}
        {{#hasSettings}}
        <h2 id="configuration">Configuration</h2>
        {{#hasChanged}}
        <table class="list cards">
        <caption>Settings that experiments set{{#missing}}, or may set; values are those of a unit \
        without {{missing}}{{/missing}}</caption>
        <thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">Base</th>\
        <th scope="col">Set by</th></tr></thead>
        <tbody>{{#changed}}\(row){{/changed}}</tbody></table>
        {{/hasChanged}}
        {{^hasChanged}}<p>No experiment sets a value: this unit gets the base.</p>{{/hasChanged}}
        {{#hasSame}}<details><summary>The other {{sameCount}} settings, as the base has them</summary>
        <table class="list cards"><caption>Settings as the base has them</caption>
        <thead><tr><th scope="col">Setting</th><th scope="col">Value</th></tr></thead>
        <tbody>{{#same}}<tr><th scope="row"><code>{{name}}</code></th>\
        <td>{{#value}}\(ShownValue.template){{/value}}</td></tr>
        {{/same}}</tbody></table></details>{{/hasSame}}
        <details><summary>The configuration as it is served\
        {{#missing}} to a unit without {{missing}}{{/missing}} (JSON)</summary>\
        <pre tabindex="0">{{json}}</pre></details>
        {{/hasSettings}}
        {{{override}}}
        {{#hasOthers}}<h2 id="not-assigned">No variant</h2>
        {{#others}}\(panelTemplate){{/others}}
        {{#rest}}\(rows){{/rest}}{{/hasOthers}}
        {{#otherExposures}}
        <h2 id="exposures">Other exposures in the store</h2>
        <ul>{{#items}}<li>{{key}}: {{text}}</li>
        {{/items}}</ul>
        {{/otherExposures}}
        {{/answer}}
        """)
}
