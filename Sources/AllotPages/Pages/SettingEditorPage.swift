import AllotConfiguration
import AllotCore
import AllotDefinitions

/// `/settings/edit`: forms that change, add and remove settings of the base.
package enum SettingEditorPage {
    /// Makes the page.
    ///
    /// - Parameters:
    ///   - setting: the setting to change or remove; `nil` to add one.
    ///   - outcome: the answer to a form; `nil` before one is sent.
    package static func make(
        _ setting: DeclaredSetting?, _ links: PageLinks, outcome: ChangeOutcome<SettingForm>? = nil
    ) -> Page {
        var (written, proposal, confirmation): (PageValues?, SettingProposal?, String?) = (nil, nil, nil)
        switch outcome {
        case .proposal(let made, confirmation: let text)?: (proposal, confirmation) = (made, text)
        case .written(let edit, commit: let commit)?:
            written = ChangeProposalView.written(edit, commit: commit)
        case nil: break
        }
        let isAddition = setting == nil && written == nil
        let items = (proposal?.form.confirmed ?? []).map { ["name": $0.name, "value": $0.value] as PageValues }
        return Page(
            setting.map { "Change \($0.path)" } ?? "Add a setting", below: [Page.Breadcrumb("Settings", .settings)],
            part: .settings, template,
            [
                "action": links.to(.settingEditor), "settings": links.to(.settings), "written": written,
                "change": setting.map {
                    ChangeProposalView.form($0, proposal, action: links.to(.settingEditor), isLink: false)
                },
                "addition": isAddition, "fields": addition(proposal?.form),
                "proposal": proposal.map { ChangeProposalView.values($0) }, "confirmation": confirmation,
                "items": items,
            ])
    }

    private typealias Item = SettingForm.Item

    /// The items of the form for a new setting: one of some names, a text of several lines, or a text of one.
    private static let fields: [(item: String, label: String, names: [String], isLong: Bool)] = [
        (Item.section, "Section", [], false), (Item.name, "Name", [], false),
        (Item.type, "Type", DeclaredSetting.types, false),
        (Item.format, "Format", SettingFormat.allCases.map(\.rawValue), false), (Item.value, "Base value", [], true),
        (Item.minimum, "Minimum", [], false), (Item.maximum, "Maximum", [], false),
        (Item.pattern, "Pattern of texts", [], false), (Item.allowed, "Allowed values, one on each line", [], true),
        (Item.description, "Description", [], true),
    ]

    private static func addition(_ form: SettingForm?) -> [PageValues] {
        fields.map { item, label, names, isLong -> PageValues in
            let text = form?[item] ?? ""
            let choices = ([""] + names).map { name -> PageValues in
                ["value": name, "label": name.isEmpty ? "any" : name, "selected": name == text]
            }
            let control: PageValues = [
                "id": item, "name": item, "value": text, "type": "text", "isLong": isLong,
                "isSelect": !names.isEmpty, "isInput": names.isEmpty && !isLong, "choices": choices,
            ]
            return ["item": item, "title": label, "control": control]
        }
    }

    private static let template = PageTemplate(
        """
        \(ChangeProposalView.writtenTemplate)
        {{#change}}
        <section>
        <h2>Another base value</h2>
        \(ChangeProposalView.formTemplate)
        </section>
        <section>
        <h2>Remove the setting</h2>
        <form action="{{action}}" method="post" aria-label="Removal">
        <input type="hidden" name="operation" value="remove">
        <input type="hidden" name="setting" value="{{{data(path)}}}">
        <p><button>Try to remove {{path}}</button></p>
        </form>
        </section>
        {{/change}}
        {{#addition}}
        <form action="{{action}}" method="post" aria-label="New setting">
        <input type="hidden" name="operation" value="add">
        <div class="filters">
        {{#fields}}<div><label for="{{item}}">{{title}}</label>
        {{#control}}<span>\(SettingControlView.template)</span>{{/control}}</div>
        {{/fields}}
        </div>
        <p><button>Try it</button></p>
        </form>
        {{/addition}}
        {{#proposal}}
        <section>
        <h2>The change</h2>
        \(ChangeProposalView.template)
        </section>
        {{/proposal}}
        \(ChangeProposalView.writingTemplate)
        <p><a href="{{settings}}">All settings</a></p>
        """)
}
