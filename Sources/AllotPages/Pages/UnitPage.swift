import AllotAnalysis
import AllotConfiguration
import AllotCore
package import AllotExposures
import AllotReports

/// `/units/{id}`: everything that one unit gets at an instant, and why, next to the variants that it met. A decision
/// that rests on attributes that were not given is never stated as a fact.
package enum UnitPage {
    /// The unit's exposures, as far as they are known.
    package enum Exposures: Sendable {
        case noStore
        case unreadable
        /// The exposures of the units that the answer is about, of each unit the last first.
        case read([Exposure])
    }

    package struct Form: Sendable {
        package var id = ""
        /// The values of other attributes that hold unit IDs, by their names.
        package var otherUnits: [(name: String, value: String)] = []
        /// The attributes, `name=value` on each line.
        package var attributes = ""
        /// The instant as it was written; empty for now.
        package var instant = ""
        /// The key of the only experiment to explain; empty for all.
        package var experiment = ""
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

        /// Evaluates for a subject: some experiments, or all with the configuration. `sent` is the subject without what
        /// an application adds.
        package init(
            _ subject: Subject, in plan: Plan, at instant: Instant, experiments: [String]? = nil, sent: Subject? = nil
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

    /// The attributes other than the ID in the path that hold unit IDs, and do not have the name of a field.
    package static func otherUnits(of plan: Plan) -> [String] {
        plan.units().subtracting(Field.all + [Subject.defaultUnit]).sorted()
    }

    /// The attributes in the item of that name, `name=value` each: only line breaks of forms separate them.
    package static func lines(of attributes: String) -> [String] {
        attributes.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(String.init)
    }

    /// Makes the page; without an answer that of the form alone.
    package static func make(
        _ form: Form, _ answer: Answer?, exposures: Exposures = .noStore, canOverride: Bool = false, in frame: PageFrame
    ) -> Page {
        let id = PrintableText(line: form.id)
        let title = answer == nil ? "What does a unit get?" : "Why \(id) gets what it gets"  // english: allow
        return Page(title, part: .units) { page in
            page.problem(form.problem)
            write(form, isOpen: answer == nil, frame.links, in: &page)
            guard let answer else { return }
            let view = UnitView(answer, UnitExposures(exposures, answer, id: form.id), frame.links)
            view.writeSummary(form, in: &page)
            view.writeAssigned(in: &page)
            if !answer.isSelection { view.writeConfiguration(in: &page) }
            if canOverride { OverridePage.writeSection(for: form.id, frame.links, in: &page) }
            view.writeOthers(in: &page)
        }
    }

    private static func write(_ form: Form, isOpen: Bool, _ links: PageLinks, in page: inout Markup) {
        let plain: Markup.Attributes = ["autocomplete": "off", "spellcheck": "false"]
        let names: Markup? = form.names.isEmpty ? nil : "Experiments look at \(form.names.listed(atMost: 24))."
        page.details(
            isOpen ? "Which unit, with which attributes, when" : "Another unit, other attributes, another instant",
            isOpen: isOpen
        ) { details in
            details.form(nil, action: links.to(.units), class: "unit-form") { fields in
                fields.field(
                    "Unit ID (\(code: "user_id"))", id: "unit-id", name: Field.id, value: form.id, isRequired: true,
                    plain + ["dir": "auto"])
                for (index, unit) in form.otherUnits.enumerated() {
                    fields.field(
                        "Other unit ID (\(code: unit.name))", id: "unit-\(index)", name: unit.name, value: unit.value,
                        plain + ["dir": "auto"])
                }
                fields.area(
                    """
                    Attributes, \(code: "name=value") on each line; \(code: "name=") if the unit does not have it
                    """, id: "unit-attributes", name: Field.attributes, value: form.attributes,
                    note: names.map { ("unit-names", $0) })
                fields.field(
                    "Instant, such as \(code: "2026-12-01T09:00:00Z"); empty for now", id: "unit-at",
                    name: Field.instant, value: form.instant, plain)
                fields.field(
                    "Only this experiment; empty for all", id: "unit-experiment", name: Field.experiment,
                    value: form.experiment, plain)
                fields.submit("Show what it gets")
            }
        }
    }
}

private struct UnitView {
    private let answer: UnitPage.Answer
    private let exposures: UnitExposures
    private let links: PageLinks
    private let assigned: [Explanation.Experiment]
    /// The experiments whose decisions rest on attributes that were not given.
    private let open: [Explanation.Experiment]
    private let others: [Explanation.Experiment]
    /// The attributes that decisions rest on and that were not given, in words; `nil` if there are none.
    private let missing: String?
    /// The most experiments that are shown with all steps, and then in a line each.
    private static let (mostPanels, mostRows) = (25, 200)

    init(_ answer: UnitPage.Answer, _ exposures: UnitExposures, _ links: PageLinks) {
        (self.answer, self.exposures, self.links) = (answer, exposures, links)
        let settled = answer.explanation.experiments.filter(\.dependsOn.isEmpty)
        assigned = settled.filter { $0.assignment.variant != nil }
        open = answer.explanation.experiments.filter { !$0.dependsOn.isEmpty }
        others = settled.filter { $0.assignment.variant == nil }
        let names = Set(open.flatMap(\.dependsOn).map(UTF8Key.init)).sorted().map { PrintableText($0.text).description }
        missing = names.isEmpty ? nil : names.listed(atMost: 8)
    }

    func writeSummary(_ form: UnitPage.Form, in page: inout Markup) {
        let explanation = answer.explanation
        page.element("p", ["class": "lead"]) { lead in
            lead.write("\(assigned.count) of \(explanation.experiments.count) experiments assign this unit a variant")
            if let missing {
                lead.write("; \(open.count) more depend\(open.count == 1 ? "s" : "") on \(missing) (not given)")
            }
            if !answer.holdouts.isEmpty {
                lead.write("; it is held out by ")
                for name in answer.holdouts { lead.append("\(link: name, to: links.to(.holdout(name))) ") }
            }
            lead.write(".")
        }
        let units = form.otherUnits.filter { !$0.value.isEmpty }.map { "\($0.name)=\($0.value)" }
        let given = units + UnitPage.lines(of: form.attributes)
        let words = given.isEmpty ? "no attributes" : PageText.short(given.joined(separator: ", "), atMost: 300)
        page.p(
            """
            With \(name: words). As of \(PageText.seconds(explanation.instant)), by the present definitions, revision \
            \(code: explanation.revision).
            """, class: "faint")
        for note in explanation.unread.notes { page.p("Note: \(note)", class: "notice") }
        if let note = exposures.note { page.p("\(note)", class: "faint") }
    }

    func writeAssigned(in page: inout Markup) {
        write(assigned, "Variants", id: "assigned", in: &page)
        write(open, "Depends on attributes that are not given", id: "open", in: &page)
    }

    func writeOthers(in page: inout Markup) {
        write(others, "No variant", id: "not-assigned", in: &page)
        let panels = [assigned, open, others].flatMap { $0.prefix(Self.mostPanels) }
        let rest = exposures.others(besides: panels.map(\.assignment.experiment))
        guard !rest.isEmpty else { return }
        page.h2("Other exposures in the store", id: "exposures")
        page.list(rest.map { "\($0.experiment): \($0.text)" })
    }

    private func write(_ experiments: [Explanation.Experiment], _ title: Markup, id: String, in page: inout Markup) {
        guard !experiments.isEmpty else { return }
        page.h2(title, id: id)
        for experiment in experiments.prefix(Self.mostPanels) { writePanel(experiment, in: &page) }
        let rest = experiments.dropFirst(Self.mostPanels)
        guard !rest.isEmpty else { return }
        page.cards(
            "More experiments; name one in the form for all steps", heads: ["Experiment", "Why"],
            of: rest.prefix(Self.mostRows)
        ) { experiment, row in
            row.rowHead(link(to: experiment))
            row.cell("\(experiment.sentence)", class: "first")
        }
        if rest.count > Self.mostRows { page.p("And \(NumberFormat.grouped(rest.count - Self.mostRows)) more.") }
    }

    private func link(to experiment: Explanation.Experiment) -> Markup {
        let key = experiment.assignment.experiment
        return "\(link: key, to: links.to(.experiment(key)))"
    }

    private func writePanel(_ experiment: Explanation.Experiment, in page: inout Markup) {
        let assignment = experiment.assignment
        let isOpen = !experiment.dependsOn.isEmpty
        let hasOutcome = assignment.variant != nil || isOpen
        let style = isOpen ? "open" : assignment.variant == nil ? "none" : "assigned"
        page.element("section", ["class": "panel \(style)"]) { panel in
            panel.h3("\(link(to: experiment))\(hasOutcome ? ": \(experiment.outcome)" : "")")
            panel.p("\(experiment.sentence)")
            if let dependencies = experiment.dependencies { panel.p("Depends on \(code: dependencies), not given.") }
            for met in exposures.of(experiment) {
                panel.p("In the store: it met \(met.text).", class: met.isDifferent ? "notice" : nil)
            }
            panel.details("Every step and number of \(assignment.experiment)") { details in
                // The text begins with the sentence, which is shown above it.
                let steps = experiment.text.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }
                details.pre(steps.joined(separator: "\n"))
            }
            panel.p("Reason: \(assignment.reason.text)", class: "faint")
        }
    }

    func writeConfiguration(in page: inout Markup) {
        let settings = UnitSettings(answer.configuration, answer.plan, open: open).settings
        guard !settings.isEmpty else { return }
        page.h2("Configuration", id: "configuration")
        let (changed, same) = (settings.filter(\.isChanged), settings.filter { !$0.isChanged })
        if changed.isEmpty {
            page.p("No experiment sets a value: this unit gets the base.")
        } else {
            let doubt = missing.map { ", or may set; values are those of a unit without \($0)" } ?? ""
            page.cards(
                "Settings that experiments set\(doubt)", heads: ["Setting", "Value", "Base", "Set by"], of: changed,
                isChanged: \.isChanged
            ) { setting, row in
                row.rowHead("\(code: setting.name)")
                row.value(setting.value, "Value")
                row.value(setting.base, "Base")
                row.sources(setting.sources, links)
            }
        }
        if !same.isEmpty {
            page.details("The other \(same.count) settings, as the base has them") { details in
                details.cards("Settings as the base has them", heads: ["Setting", "Value"], of: same) { setting, row in
                    row.rowHead("\(code: setting.name)")
                    row.value(setting.value)
                }
            }
        }
        let unit = missing.map { " to a unit without \($0)" } ?? ""
        page.details("The configuration as it is served\(unit) (JSON)") { $0.pre(answer.configuration.prettyText) }
    }
}
