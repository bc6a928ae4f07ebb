import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports

/// A change of an experiment that is tried out: the form for it, and what the commands say to it.
enum ChangeSection {
    private typealias Item = ExperimentForm.Item

    /// A field of the form.
    private struct Field {
        let item: String
        let id: String
        let label: String
        let now: String
        var example = ""
        /// The texts to choose from; empty for any.
        var choices: [String] = []
    }

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
                a text changes nothing; \(code: "never") removes a start or an end.
                """)
            writeForm(entry, outcome?.proposal, action: links.to(.experiment(entry.key)), in: &section)
            guard let outcome, let proposal = outcome.proposal else { return }
            write(proposal, of: entry, links, in: &section)
            outcome.writeConfirmation(
                proposal.form.sorted.map { ($0.name, $0.value) }, action: links.to(.experiment(entry.key)),
                in: &section)
        }
        page.endLine()
    }

    /// Writes a proposal with a link to it.
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
            page.endLine()
        }
        page.element(
            "form", ["class": "filters", "action": "\(action)#change", "method": "get", "aria-label": "Change"]
        ) { form in
            for field in fields {
                let fault = faults.first { $0.item == field.item }?.text
                write(field, proposal?.form[field.item] ?? "", fault, in: &form)
            }
            form.submit("Try it")
        }
        page.endLine()
    }

    private static func write(_ field: Field, _ text: String, _ fault: String?, in form: inout Markup) {
        let faultID = fault.map { _ in "\(field.id)-fault" }
        let faulty: Markup.Attributes = ["aria-invalid": faultID.map { _ in "true" }, "aria-describedby": faultID]
        form.field("\(field.label) \(faint: "(now \(field.now))")", id: field.id) { control in
            if field.choices.isEmpty {
                control.input(
                    ["id": field.id, "name": field.item, "value": text, "placeholder": field.example],
                    faulty + ["autocomplete": "off", "dir": "auto"])
            } else {
                control.element("select", ["id": field.id, "name": field.item] + faulty) { select in
                    select.option("", "as it is")
                    let isKnown = text.isEmpty || field.choices.contains(text)
                    for choice in field.choices + (isKnown ? [] : [text]) {
                        select.option(choice, choice, isSelected: choice == text)
                    }
                }
            }
            if let fault { control.element("span", ["class": "bad", "id": faultID], fault) }
        }
    }

    private static func fields(_ entry: CatalogEntry) -> [Field] {
        let experiment = entry.experiment
        var fields = [
            Field(
                item: Item.status, id: "change-status", label: "Status", now: experiment.status.rawValue,
                choices: ExperimentStatus.allCases.map(\.rawValue))
        ]
        if experiment.drawsTraffic {
            fields.append(
                Field(
                    item: Item.traffic, id: "change-traffic", label: "Traffic",
                    now: experiment.traffic.text(at: entry.instant), example: "50%"))
        }
        if experiment.draw != nil {
            for (index, variant) in entry.variants.enumerated() {
                fields.append(
                    Field(
                        item: Item.share + variant.key, id: "change-share-\(index)", label: "Share of \(variant.key)",
                        now: variant.share ?? "none", example: "30%"))
            }
        }
        for (item, label, limit) in [(Item.starts, "Starts", experiment.starts), (Item.ends, "Ends", experiment.ends)] {
            fields.append(
                Field(
                    item: item, id: "change-\(item)", label: label, now: limit?.writtenText ?? Item.never,
                    example: "2027-01-31T09:00:00Z"))
        }
        return fields
    }
}
