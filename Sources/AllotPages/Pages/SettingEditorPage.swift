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
    ///   - form: the content of the form so far.
    ///   - outcome: the answer to the form; `nil` before it is sent.
    package static func make(
        _ setting: DeclaredSetting?, _ form: SettingForm, _ links: PageLinks, outcome: Outcome? = nil
    ) -> Page {
        var values: PageValues = [:]
        switch outcome {
        case .proposal(let proposal, confirmation: let confirmation)?:
            values = [
                "proposal": SettingProposalView.values(proposal), "confirmation": confirmation,
                "items": form.confirmed.map { ["name": $0.name, "value": $0.value] as PageValues },
            ]
        case .written(let written)?:
            values = [
                "written": ["file": written.path, "message": written.message, "commit": written.commit] as PageValues
            ]
        case nil: break
        }
        var isWritten = false
        if case .written? = outcome { isWritten = true }
        return Page(
            setting.map { "Change \($0.path)" } ?? "Add a setting", below: [Page.Breadcrumb("Settings", .settings)],
            part: .settings, template,
            [
                "action": links.to(.settingEditor), "settings": links.to(.settings), "outcome": values,
                "change": isWritten ? nil : setting.map { change($0, form) },
                "addition": isWritten || setting != nil ? nil : addition(form),
            ])
    }

    private static func change(_ setting: DeclaredSetting, _ form: SettingForm) -> PageValues {
        let text = form.operation == .value ? form.text(of: setting) : setting.text(of: setting.value)
        return [
            "path": setting.path,
            "control": SettingControlView.values(setting, .edited(text), name: SettingForm.Item.value, id: "value"),
        ]
    }

    private static func addition(_ form: SettingForm) -> PageValues {
        typealias Item = SettingForm.Item
        func options(_ names: [String], _ item: String) -> [PageValues] {
            ([""] + names).map { ["name": $0, "label": $0.isEmpty ? "any" : $0, "selected": $0 == form[item]] }
        }
        return [
            "section": form[Item.section], "name": form[Item.name], "value": form[Item.value],
            "minimum": form[Item.minimum], "maximum": form[Item.maximum], "pattern": form[Item.pattern],
            "allowed": form[Item.allowed], "description": form[Item.description],
            "types": options(DeclaredSetting.types, Item.type),
            "formats": options(SettingFormat.allCases.map(\.rawValue), Item.format),
        ]
    }

    private static let template = PageTemplate(
        """
        {{#outcome}}
        {{#written}}
        <div class="notice good" role="status"><p>Written to <code>{{file}}</code>: {{message}}\
        {{#commit}}, as commit <code>{{commit}}</code>{{/commit}}.</p></div>
        {{/written}}
        {{/outcome}}
        {{#change}}
        <section>
        <h2>Another base value</h2>
        <form class="filters" action="{{action}}" method="post" aria-label="New value">
        <input type="hidden" name="operation" value="value">
        <input type="hidden" name="setting" value="{{{data(path)}}}">
        <div><label for="value">New value of {{path}}</label>
        {{#control}}<span>\(SettingControlView.template)</span>{{/control}}</div>
        <div><button>Try it</button></div>
        </form>
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
        {{#outcome}}
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
        {{/outcome}}
        <p><a href="{{settings}}">All settings</a></p>
        """)
}
