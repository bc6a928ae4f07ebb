import AllotConfiguration
import AllotCore
import AllotDefinitions

/// A change of an experiment that is tried out: the form for it, and what the commands say to it.
enum ChangeSection {
    private typealias Item = ExperimentForm.Item

    static func html(_ entry: CatalogEntry, _ outcome: ChangeOutcome<ExperimentForm>?, _ links: PageLinks) -> String {
        var (proposal, confirmation, written): (ExperimentProposal?, String?, PageValues?) = (nil, nil, nil)
        switch outcome {
        case .proposal(let made, confirmation: let text)?: (proposal, confirmation) = (made, text)
        case .written(let edit, commit: let commit)?: written = ChangeProposalView.written(edit, commit: commit)
        case nil: break
        }
        let form = proposal?.form
        let faults = proposal?.faults?.byItem ?? []
        let fields = fields(entry, form, faults)
        let names = fields.map(\.item)
        let (page, query) = (links.to(.experiment(entry.key)), form?.query ?? "")
        let hasPatch = proposal.map { $0.edit?.loaded != nil && !$0.isUnchanged } ?? false
        return template.html([
            "action": page, "written": written, "fields": fields.map(\.values),
            "hasFaults": !faults.isEmpty,
            "faults": faults.filter { !names.contains($0.item) }.map(\.text),
            "proposal": proposal.map { ChangeProposalView.values($0) },
            "link": form.map { _ in "\(page)?\(query)#change" },
            "patch": hasPatch ? "\(links.to(.patch(entry.key)))?\(query)" : nil,
            "confirmation": confirmation,
            "items": (form?.sorted ?? []).map { ["name": $0.name, "value": $0.value] as PageValues },
        ])
    }

    /// The fields with the names of their items.
    private static func fields(
        _ entry: CatalogEntry, _ form: ExperimentForm?, _ faults: [(item: String, text: String)]
    ) -> [(item: String, values: PageValues)] {
        let experiment = entry.experiment
        func field(
            _ item: String, _ id: String, _ label: String, now: String, example: String, choices: [String] = []
        ) -> (item: String, values: PageValues) {
            let text = form?[item] ?? ""
            let known = choices.contains(text) || text.isEmpty || choices.isEmpty ? choices : choices + [text]
            return (
                item,
                [
                    "id": "change-\(id)", "name": item, "label": label, "now": now, "example": example, "value": text,
                    "isSelect": !choices.isEmpty,
                    "choices": known.map { ["value": $0, "isSelected": $0 == text] as PageValues },
                    "fault": faults.first { $0.item == item }?.text,
                ]
            )
        }
        var fields = [
            field(
                Item.status, Item.status, "Status", now: experiment.status.rawValue, example: "",
                choices: ExperimentStatus.allCases.map(\.rawValue))
        ]
        if experiment.drawsTraffic {
            fields.append(
                field(
                    Item.traffic, Item.traffic, "Traffic", now: experiment.traffic.text(at: entry.instant),
                    example: "50%"))
        }
        if experiment.draw != nil {
            for (index, variant) in entry.variants.enumerated() {
                fields.append(
                    field(
                        Item.share + variant.key, "share-\(index)", "Share of \(variant.key)",
                        now: variant.share ?? "none", example: "30%"))
            }
        }
        for (item, label, limit) in [(Item.starts, "Starts", experiment.starts), (Item.ends, "Ends", experiment.ends)] {
            fields.append(
                field(item, item, label, now: limit?.writtenText ?? Item.never, example: "2027-01-31T09:00:00Z"))
        }
        return fields
    }

    private static let template = PageTemplate(
        """
        <section id="change">
        <h2>Try a change</h2>
        \(ChangeProposalView.writtenTemplate)
        <p>Nothing is written: the page shows the lines to commit, and what <code>allot check</code>, \
        <code>allot test</code>, <code>allot diff</code> and <code>allot slots</code> say to them. A field without a \
        text changes nothing; <code>never</code> removes a start or an end.</p>
        {{#hasFaults}}
        <div class="notice bad" role="alert"><p>The change cannot be tried: correct it in the fields below.</p>
        {{#faults}}<p>{{.}}</p>
        {{/faults}}</div>
        {{/hasFaults}}
        <form class="filters" action="{{action}}#change" method="get" aria-label="Change">
        {{#fields}}
        <div><label for="{{id}}">{{label}} <span class="faint">(now {{now}})</span></label>
        {{#isSelect}}<select id="{{id}}" name="{{{data(name)}}}"\
        {{#fault}} aria-invalid="true" aria-describedby="{{id}}-fault"{{/fault}}><option value="">as it is</option>\
        {{#choices}}<option value="{{{data(value)}}}"{{#isSelected}} selected{{/isSelected}}>{{value}}</option>\
        {{/choices}}</select>{{/isSelect}}\
        {{^isSelect}}<input id="{{id}}" name="{{{data(name)}}}" value="{{{data(value)}}}" placeholder="{{example}}"\
        {{#fault}} aria-invalid="true" aria-describedby="{{id}}-fault"{{/fault}} autocomplete="off" dir="auto">\
        {{/isSelect}}
        {{#fault}}<span class="bad" id="{{id}}-fault">{{fault}}</span>{{/fault}}</div>
        {{/fields}}
        <div><button>Try it</button></div>
        </form>
        {{#proposal}}
        <h3>The change</h3>
        <p>{{#link}}<a href="{{link}}">Link to this change</a>{{/link}}\
        {{#patch}} · <a href="{{patch}}">Download the patch</a>{{/patch}}</p>
        \(ChangeProposalView.template)
        {{/proposal}}
        \(ChangeProposalView.writingTemplate)
        </section>
        """)
}
