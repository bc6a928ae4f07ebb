import AllotCore
import AllotDefinitions

/// A change of a setting that was tried out: the lines of its file, and the verdicts of the commands.
enum SettingProposalView {
    /// The values of ``formTemplate``: another value of a setting, as it was typed if a proposal has one.
    static func form(_ setting: DeclaredSetting, _ proposal: SettingProposal?, action: String) -> PageValues {
        let typed = proposal.flatMap { $0.form.operation == .value ? $0.form.text(of: setting) : nil }
        return [
            "path": setting.path, "action": action, "proposal": proposal.map(values),
            "control": SettingControlView.values(
                setting, typed ?? setting.text(of: setting.value), name: SettingForm.Item.value, id: "value"),
        ]
    }

    static let formTemplate = """
        <form class="filters" action="{{action}}" method="post" aria-label="New value">
        <input type="hidden" name="operation" value="value">
        <input type="hidden" name="setting" value="{{{data(path)}}}">
        <div><label for="value">New value of {{path}}</label>
        {{#control}}<span>\(SettingControlView.template)</span>{{/control}}</div>
        <div><button>Try it</button></div>
        </form>
        """

    /// The values of ``template``.
    static func values(_ proposal: SettingProposal) -> PageValues {
        let lines = proposal.edit?.changedLines
        return [
            "problem": proposal.problem, "file": proposal.edit?.edit.path, "isUnchanged": proposal.isUnchanged,
            "isReady": proposal.findings.allSatisfy(\.isGood),
            "old": (lines?.old ?? []).map { ["number": $0.number, "text": $0.text] as PageValues },
            "new": (lines?.new ?? []).map { ["number": $0.number, "text": $0.text] as PageValues },
            "findings": proposal.findings.map { finding -> PageValues in
                [
                    "command": finding.command, "class": finding.isGood ? "good" : "bad",
                    "verdict": finding.isGood ? "nothing against it" : "not yet",
                    "lines": finding.lines.joined(separator: "\n"),
                ]
            },
        ]
    }

    static let template = """
        {{#problem}}<p class="notice bad" role="alert">{{problem}}</p>{{/problem}}
        {{#file}}
        {{#isUnchanged}}<p class="notice">This is the value already.</p>{{/isUnchanged}}
        {{^isUnchanged}}
        <h3>{{#isReady}}Commit this in{{/isReady}}{{^isReady}}The change in{{/isReady}} <code>{{file}}</code></h3>
        <pre tabindex="0">{{#old}}<del>− {{number}}: {{text}}</del>
        {{/old}}{{#new}}<ins>+ {{number}}: {{text}}</ins>
        {{/new}}</pre>
        {{/isUnchanged}}
        {{#findings}}
        <h3><code>{{command}}</code>: <span class="{{class}}">{{verdict}}</span></h3>
        <pre tabindex="0">{{lines}}</pre>
        {{/findings}}
        {{/file}}
        """
}
