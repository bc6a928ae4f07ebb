import AllotCore
import AllotDefinitions
import AllotReports

/// A change of an experiment that is tried out: the form for it, and what the commands say to it.
enum ChangeSection {
    private typealias Item = ExperimentForm.Item
    /// A field of the form with the value that the definition has, and its choices; none for any text.
    private typealias Field = (item: String, id: String, label: String, now: String, example: String, choices: [String])

    static func write(
        _ entry: CatalogEntry, _ outcome: ChangeOutcome<ExperimentForm>?, _ links: PageLinks, in page: inout Markup
    ) {
        page.element("section", ["id": "change"]) { section in
            section.h2("Try a change")
            outcome?.writeNotice(in: &section)
            section.p(
                """
                Nothing is written: the page shows the lines to commit, and what \(code: "allot check"), \
                \(code: "allot test"), \(code: "allot diff") and \(code: "allot slots") say to them. A field without \
                a text changes nothing; \(code: "never") removes a start or an end. Without a winner, a conclusion \
                takes the variants from all units.
                """)
            writeForm(entry, outcome?.proposal, action: links.to(.experiment(entry.key)), in: &section)
            guard let outcome, let proposal = outcome.proposal else { return }
            write(proposal, of: entry, links, in: &section)
            outcome.writeConfirmation(
                proposal.form.sorted.map { ($0.name, $0.value) }, action: links.to(.experiment(entry.key)),
                in: &section)
        }
    }

    private static func write(
        _ proposal: ChangeProposal<ExperimentForm>, of entry: CatalogEntry, _ links: PageLinks, in page: inout Markup
    ) {
        let query = proposal.form.query
        let link = "\(links.to(.experiment(entry.key)))?\(query)#change"
        let hasPatch = proposal.edit?.loaded != nil && !proposal.isUnchanged
        let patch = "\(links.to(.patch(entry.key)))?\(query)"
        let download: Markup? = hasPatch ? " · \(link: "Download the patch", to: patch)" : nil
        page.h3("The change")
        page.p("\(link: "Link to this change", to: link)\(download)")
        proposal.write(in: &page)
    }

    private static func writeForm(
        _ entry: CatalogEntry, _ proposal: ChangeProposal<ExperimentForm>?, action: String, in page: inout Markup
    ) {
        let faults = proposal?.faults?.byItem ?? []
        let fields = fields(entry)
        if !faults.isEmpty {
            page.element("div", ["class": "notice bad", "role": "alert"]) { notice in
                notice.p("The change cannot be tried: correct it in the fields below.")
                for fault in faults where !fields.contains(where: { $0.item == fault.item }) {
                    notice.p("\(fault.text)")
                }
            }
        }
        page.form("Change", action: "\(action)#change") { form in
            for field in fields {
                let fault = faults.first { $0.item == field.item }?.text
                write(field, proposal?.form[field.item] ?? "", fault, in: &form)
            }
            form.submit("Try it")
        }
    }

    private static func write(_ field: Field, _ text: String, _ fault: String?, in form: inout Markup) {
        let id = "change-\(field.id)"
        let faultID = fault.map { _ in "\(id)-fault" }
        let faulty: Markup.Attributes = ["aria-invalid": faultID.map { _ in "true" }, "aria-describedby": faultID]
        form.field("\(field.label) \(faint: "(now: \(field.now))")", id: id) { control in
            if field.choices.isEmpty {
                control.input(
                    ["id": id, "name": field.item, "value": text, "placeholder": field.example],
                    faulty + ["autocomplete": "off", "dir": "auto"])
            } else {
                let isKnown = text.isEmpty || field.choices.contains(text)
                control.select(
                    id: id, name: field.item,
                    [Markup.Option("", "as it is")]
                        + (field.choices + (isKnown ? [] : [text])).map { Markup.Option($0, isSelected: $0 == text) },
                    faulty)
            }
            if let fault { control.element("span", ["class": "bad", "id": faultID], fault) }
        }
    }

    private static let notSet = "not set"

    private static func fields(_ entry: CatalogEntry) -> [Field] {
        let experiment = entry.experiment
        let statuses = ExperimentStatus.allCases.map(\.rawValue)
        var fields: [Field] = [(Item.status, "status", "Status", experiment.status.rawValue, "", statuses)]
        if !experiment.variants.isEmpty {
            let keys = entry.variants.map(\.key)
            fields.append((Item.winner, "winner", "Winner", experiment.winner ?? notSet, "", keys))
        }
        if experiment.drawsTraffic {
            fields.append((Item.traffic, "traffic", "Traffic", experiment.traffic.text(at: entry.instant), "50%", []))
        }
        for (index, variant) in entry.variants.enumerated() where experiment.draw != nil {
            let item = Item.share + variant.key
            let share = variant.share ?? "none"
            fields.append((item, "share-\(index)", "Share of \(variant.key)", share, "30%", []))
        }
        for (item, label, limit) in [(Item.starts, "Starts", experiment.starts), (Item.ends, "Ends", experiment.ends)] {
            fields.append((item, item, label, limit?.writtenText ?? notSet, "2027-01-31T09:00:00Z", []))
        }
        return fields
    }
}
