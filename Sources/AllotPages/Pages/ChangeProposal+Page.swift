import AllotCore
import AllotDefinitions
import AllotReports

extension ChangeProposal {
    func write(in page: inout Markup) {
        // Faults of items are next to their fields.
        if faults == nil { page.problem(problem) }
        guard let edit = edit?.edit else { return }
        if isUnchanged {
            page.p("Nothing would change: \(code: edit.name) says this already.", class: "notice")  // english: allow
        } else {
            let isReady = findings.allSatisfy(\.isGood)
            page.h3("\(isReady ? "Commit this in" : "The change in") \(code: edit.name)")
            page.element("pre", ["tabindex": "0"]) { lines in
                for line in UnifiedDifference(edit.oldBytes, edit.newBytes).changes {
                    let isOld = line.kind == .removed
                    lines.inline(isOld ? "del" : "ins", "\(isOld ? "−" : "+") \(line.number): \(line.text)")
                }
            }
        }
        for finding in findings {
            page.element("h3") { heading in
                heading.append("\(code: finding.command): ")
                heading.element(
                    "span", ["class": finding.isGood && finding.warningCount == 0 ? "good" : "bad"], finding.verdict)
            }
            page.pre(finding.lines.joined(separator: "\n"))
        }
    }
}

extension ChangeOutcome {
    var proposal: ChangeProposal<Form>? { if case .proposal(let proposal, _) = self { proposal } else { nil } }
    var isWritten: Bool { proposal == nil }

    /// Writes that a change is in its file; nothing before it is.
    func writeNotice(in page: inout Markup) {
        guard case .written(let edit, let commit) = self else { return }
        page.element("div", ["class": "notice good", "role": "status"]) { notice in
            let words: Markup? = commit.map { ", as commit \(code: $0)" }
            notice.p("Written to \(code: edit.name): \(edit.message)\(words).")
        }
    }

    /// Writes the form that writes a change, if the reader may: the items of its proposal, with the confirmation.
    func writeConfirmation(_ items: [(name: String, value: String)], action: String, in page: inout Markup) {
        guard case .proposal(_, let confirmation?) = self else { return }
        page.form("Write the change", action: action, method: "post", class: nil) { form in
            for item in items { form.hidden(item.name, item.value) }
            form.hidden("confirmation", confirmation)
            form.element("p") { line in
                line.inline("button", "Write it")
                line.append("\(faint: "In a Git repository this is a commit in your name.")")
            }
        }
    }
}

extension DeclaredSetting {
    /// The most bytes of a value that a link has room for, percent-encoded.
    private static let mostLinkedBytes = 1000

    /// Writes the form for another value, as it was typed if a proposal has one; to a link, unless it is too long.
    func writeForm(_ proposal: SettingProposal?, action: String, isLink: Bool, in page: inout Markup) {
        let typed = proposal.flatMap { $0.form.operation == .value ? $0.form.text(of: self) : nil }
        let text = typed ?? self.text(of: value)
        let method = isLink && text.utf8.count <= Self.mostLinkedBytes ? "get" : "post"
        page.form("New value", action: action, method: method) { form in
            if !isLink { form.hidden(SettingForm.Item.operation, SettingForm.Operation.value.rawValue) }
            form.hidden(SettingForm.Item.setting, path)
            form.field("New value of \(path)", id: "value") { field in
                field.element("span") { writeControl(text, name: SettingForm.Item.value, id: "value", in: &$0) }
            }
            form.submit("Try it")
        }
    }
}
