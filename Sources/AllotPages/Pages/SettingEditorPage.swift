import AllotConfiguration
import AllotCore
import AllotDefinitions

/// `/settings/edit`: forms that change, add and remove settings of the base.
package enum SettingEditorPage {
    /// The answer to a form.
    package enum Outcome: Sendable {
        /// The change as it would be, and the text that confirms it; `nil` if it may not be written.
        case proposal(SettingProposal, confirmation: String?)
        case written(WrittenSetting)
    }

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - setting: the setting to change or remove; `nil` to add one.
    ///   - outcome: the answer to a form; `nil` before one is sent.
    package static func make(_ setting: DeclaredSetting?, _ links: PageLinks, outcome: Outcome? = nil) -> Page {
        var (written, proposal, confirmation): (WrittenSetting?, SettingProposal?, String?) = (nil, nil, nil)
        switch outcome {
        case .proposal(let made, confirmation: let text)?: (proposal, confirmation) = (made, text)
        case .written(let made)?: written = made
        case nil: break
        }
        return Page(
            setting.map { "Change \($0.path)" } ?? "Add a setting", below: [Page.Breadcrumb("Settings", .settings)],
            part: .settings, template,
            [
                "action": links.to(.settingEditor), "settings": links.to(.settings),
                "written": written.map {
                    ["file": $0.edit.path, "message": $0.edit.message, "commit": $0.commit] as PageValues
                },
                "change": setting.map { SettingProposalView.form($0, proposal, action: links.to(.settingEditor)) },
                "addition": setting == nil && written == nil ? addition(proposal?.form) : nil,
                "proposal": proposal.map(SettingProposalView.values), "confirmation": confirmation,
                "items": (proposal?.form.confirmed ?? []).map { ["name": $0.name, "value": $0.value] as PageValues },
            ])
    }

    private static func addition(_ form: SettingForm?) -> PageValues {
        typealias Item = SettingForm.Item
        func text(_ item: String) -> String { form?[item] ?? "" }
        func options(_ names: [String], _ item: String) -> [PageValues] {
            ([""] + names).map { ["name": $0, "label": $0.isEmpty ? "any" : $0, "selected": $0 == text(item)] }
        }
        return [
            "types": options(DeclaredSetting.types, Item.type),
            "formats": options(SettingFormat.allCases.map(\.rawValue), Item.format),
            "section": text(Item.section), "name": text(Item.name), "value": text(Item.value),
            "minimum": text(Item.minimum), "maximum": text(Item.maximum), "pattern": text(Item.pattern),
            "allowed": text(Item.allowed), "description": text(Item.description),
        ]
    }

    private static let template = PageTemplate(
        """
        {{#written}}
        <div class="notice good" role="status"><p>Written to <code>{{file}}</code>: {{message}}\
        {{#commit}}, as commit <code>{{commit}}</code>{{/commit}}.</p></div>
        {{/written}}
        {{#change}}
        <section>
        <h2>Another base value</h2>
        \(SettingProposalView.formTemplate)
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
        <div><label for="section">Section</label>
        <input id="section" name="section" value="{{{data(section)}}}" required autocomplete="off" dir="auto"></div>
        <div><label for="name">Name</label>
        <input id="name" name="name" value="{{{data(name)}}}" required autocomplete="off" dir="auto"></div>
        <div><label for="type">Type</label>
        <select id="type" name="type">{{#types}}
        <option value="{{name}}"{{#selected}} selected{{/selected}}>{{label}}</option>
        {{/types}}</select></div>
        <div><label for="format">Format</label>
        <select id="format" name="format">{{#formats}}
        <option value="{{name}}"{{#selected}} selected{{/selected}}>{{label}}</option>
        {{/formats}}</select></div>
        <div><label for="value">Base value</label>
        <textarea id="value" name="value" rows="3" cols="40" dir="auto">
        {{{data(value)}}}</textarea></div>
        <div><label for="minimum">Minimum</label>
        <input id="minimum" name="minimum" value="{{{data(minimum)}}}" inputmode="decimal" autocomplete="off"></div>
        <div><label for="maximum">Maximum</label>
        <input id="maximum" name="maximum" value="{{{data(maximum)}}}" inputmode="decimal" autocomplete="off"></div>
        <div><label for="pattern">Pattern of texts</label>
        <input id="pattern" name="pattern" value="{{{data(pattern)}}}" autocomplete="off" dir="auto"></div>
        <div><label for="enum">Allowed values, one on each line</label>
        <textarea id="enum" name="enum" rows="3" cols="40" dir="auto">
        {{{data(allowed)}}}</textarea></div>
        <div><label for="description">Description</label>
        <textarea id="description" name="description" rows="3" cols="40" dir="auto">
        {{{data(description)}}}</textarea></div>
        </div>
        <p><button>Try it</button></p>
        </form>
        {{/addition}}
        {{#proposal}}
        <section>
        <h2>The change</h2>
        \(SettingProposalView.template)
        </section>
        {{/proposal}}
        {{#confirmation}}
        <form action="{{action}}" method="post" aria-label="Write the change">
        {{#items}}<input type="hidden" name="{{{data(name)}}}" value="{{{data(value)}}}">
        {{/items}}
        <input type="hidden" name="confirmation" value="{{confirmation}}">
        <p><button>Write it</button> <span class="faint">In a Git repository this is a commit in your name.</span></p>
        </form>
        {{/confirmation}}
        <p><a href="{{settings}}">All settings</a></p>
        """)
}
