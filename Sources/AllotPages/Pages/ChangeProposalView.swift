import AllotCore
import AllotDefinitions
import AllotReports

/// A change that was tried out: the lines of its file, and the verdicts of the commands.
enum ChangeProposalView {
    /// The most bytes of a value that a link has room for, percent-encoded.
    private static let mostLinkedBytes = 1000

    /// The values of ``formTemplate``: another value of a setting, as it was typed if a proposal has one.
    ///
    /// - Parameter isLink: Whether the form leads to a link, unless the value is too long for one.
    static func form(
        _ setting: DeclaredSetting, _ proposal: SettingProposal?, action: String, isLink: Bool
    ) -> PageValues {
        let typed = proposal.flatMap { $0.form.operation == .value ? $0.form.text(of: setting) : nil }
        let text = typed ?? setting.text(of: setting.value)
        return [
            "path": setting.path, "action": action, "proposal": proposal.map { values($0) },
            "method": isLink && text.utf8.count <= mostLinkedBytes ? "get" : "post", "hasOperation": !isLink,
            "control": SettingControlView.values(
                setting, text, name: SettingForm.Item.value, id: "value"),
        ]
    }

    static let formTemplate = """
        <form class="filters" action="{{action}}" method="{{method}}" aria-label="New value">
        {{#hasOperation}}<input type="hidden" name="operation" value="value">
        {{/hasOperation}}
        <input type="hidden" name="setting" value="{{{data(path)}}}">
        <div><label for="value">New value of {{path}}</label>
        {{#control}}<span>\(SettingControlView.template)</span>{{/control}}</div>
        <div><button>Try it</button></div>
        </form>
        """

    /// The values of ``template``.
    static func values<Form: ChangeForm>(_ proposal: ChangeProposal<Form>) -> PageValues {
        let edit = proposal.edit?.edit
        let changes = edit.map { UnifiedDifference($0.oldBytes, $0.newBytes).changes } ?? []
        return [
            // Faults of items are next to their fields.
            "problem": proposal.faults == nil ? proposal.problem : nil, "file": edit?.name,
            "isUnchanged": proposal.isUnchanged, "isReady": proposal.findings.allSatisfy(\.isGood),
            "changes": changes.map { line -> PageValues in
                ["isOld": line.kind == .removed, "number": line.number, "text": line.text]
            },
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
        {{#isUnchanged}}<p class="notice">Nothing would change: <code>{{file}}</code> says this already.</p>\
        {{/isUnchanged}}
        {{^isUnchanged}}
        <h3>{{#isReady}}Commit this in{{/isReady}}{{^isReady}}The change in{{/isReady}} <code>{{file}}</code></h3>
        <pre tabindex="0">{{#changes}}{{#isOld}}<del>− {{number}}: {{text}}</del>{{/isOld}}\
        {{^isOld}}<ins>+ {{number}}: {{text}}</ins>{{/isOld}}
        {{/changes}}</pre>
        {{/isUnchanged}}
        {{#findings}}
        <h3><code>{{command}}</code>: <span class="{{class}}">{{verdict}}</span></h3>
        <pre tabindex="0">{{lines}}</pre>
        {{/findings}}
        {{/file}}
        """

    /// The form that writes a change: the items of its proposal, with the confirmation.
    static let writingTemplate = """
        {{#confirmation}}
        <form action="{{action}}" method="post" aria-label="Write the change">
        {{#items}}<input type="hidden" name="{{{data(name)}}}" value="{{{data(value)}}}">
        {{/items}}
        <input type="hidden" name="confirmation" value="{{confirmation}}">
        <p><button>Write it</button> <span class="faint">In a Git repository this is a commit in your name.</span></p>
        </form>
        {{/confirmation}}
        """

    /// The words on a change that is in its file.
    static let writtenTemplate = """
        {{#written}}
        <div class="notice good" role="status"><p>Written to <code>{{file}}</code>: {{message}}\
        {{#commit}}, as commit <code>{{commit}}</code>{{/commit}}.</p></div>
        {{/written}}
        """

    /// The values of the names of ``writtenTemplate``.
    static func written(_ edit: DefinitionsEdit, commit: String?) -> PageValues {
        ["file": edit.name, "message": edit.message, "commit": commit]
    }
}
