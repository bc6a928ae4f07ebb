import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
internal import AllotGit
import AllotProofs
import AllotReports

/// A form that asks for a change of a definitions file.
package protocol ChangeForm: Sendable {
    /// The text that confirms what a proposal showed; empty if there was none.
    var confirmation: String { get }
    /// The change in some definitions, and whether they say the same already. Throws if the file cannot be edited.
    func edit(in definitions: EditableDefinitions) throws -> (edit: ExaminedEdit, isUnchanged: Bool)
    /// Further verdicts on the changed definitions.
    func findings(in plan: Plan, at instant: Instant) -> [ChangeFinding]
}

extension ChangeForm { package func findings(in plan: Plan, at instant: Instant) -> [ChangeFinding] { [] } }

/// The verdict of one command on a change.
package struct ChangeFinding: Sendable {
    package let command: String
    /// Whether it has nothing against the change.
    package let isGood: Bool
    /// The warnings that the change makes new.
    package var warningCount = 0
    package var lines: [String]

    var verdict: String {
        !isGood ? "not yet" : warningCount > 0 ? counted(warningCount, "new warning") : "nothing against it"
    }
}

/// The faults of a form by the names of its items.
package struct FormFaults: Error, CustomStringConvertible {
    private(set) var byItem: [(item: String, text: String)] = []
    mutating func add(_ item: String, _ text: String) { byItem.append((item, text)) }
    package var description: String { byItem.map(\.text).joined(separator: "; ") }
}

package typealias SettingProposal = ChangeProposal<SettingForm>

/// A change of a definitions file, before anybody commits it: the lines that would change, and what `allot check`,
/// `allot test` and `allot diff` say to them. No text in it shows the path of the folder.
package struct ChangeProposal<Form: ChangeForm>: Sendable {
    package let form: Form
    /// The reason why nothing can be proposed; `nil` if something can.
    package let problem: String?
    /// The faults of the form's items, if the reason lies in them.
    let faults: FormFaults?
    package let edit: ExaminedEdit?
    /// Whether the definitions say this already, perhaps in another way.
    package let isUnchanged: Bool
    /// The verdicts of the commands, in the order in which they are best run.
    package let findings: [ChangeFinding]
    /// Whether there is a change, without errors and failing tests.
    package let mayBeWritten: Bool

    /// Tries a change out in a folder that was loaded just now, whose repository has to be ready for one for writing.
    package init(_ form: Form, in definitions: EditableDefinitions, at instant: Instant, forWriting: Bool = false) {
        self.form = form
        let paths = FolderPaths(definitions.folder)
        do {
            let (edit, isUnchanged) = try form.edit(in: definitions)
            (self.edit, self.isUnchanged, problem, faults) = (edit, isUnchanged, nil, nil)
            var findings = [Self.check(edit)]
            if let loaded = edit.loaded { findings.append(Self.test(loaded, definitions)) }
            if forWriting, let refusal = edit.edit.refusal {
                findings.append(ChangeFinding(command: "git commit", isGood: false, lines: [refusal.description]))
            }
            mayBeWritten = !isUnchanged && edit.loaded != nil && findings.allSatisfy(\.isGood)
            if let loaded = edit.loaded {
                findings.append(Self.diff(from: definitions.loaded.plan, to: loaded.plan, at: instant))
                findings += form.findings(in: loaded.plan, at: instant)
            }
            for index in findings.indices { findings[index].lines = findings[index].lines.map { paths.cut(from: $0) } }
            self.findings = findings
        } catch {
            (edit, isUnchanged, findings, mayBeWritten) = (nil, false, [], false)
            (problem, faults) = (paths.cut(from: "\(error)"), error as? FormFaults)
        }
    }

    /// A change that cannot be tried, because the files have errors.
    package init(_ form: Form, problem: String) {
        self.form = form
        (self.problem, faults) = (problem, nil)
        (edit, isUnchanged, findings, mayBeWritten) = (nil, false, [], false)
    }

    /// Writes the change, and commits it. Returns the commit; `nil` outside a repository. An error changes nothing.
    package func write(by author: String) throws(DefinitionsEdit.Failure) -> String? {
        try edit?.edit.commit(by: author)
    }

    /// The change as a patch for `git apply`, with the paths that the files have in the folder's repository, or else
    /// below the folder's name. Returns `nil` if nothing changes, or the definitions would have errors.
    package var patch: [UInt8]? {
        guard let edit, edit.loaded != nil, !isUnchanged else { return nil }
        let folder = edit.edit.folder
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        let path = (try? DefinitionsPlace.folder(folder).pathInRepository()) ?? (name == "." ? "" : name)
        return edit.edit.files.flatMap { file, old, new in
            UnifiedDifference(old, new).patch(of: path.isEmpty ? file : "\(path)/\(file)")
        }
    }

    private static func check(_ edit: ExaminedEdit) -> ChangeFinding {
        ChangeFinding(
            command: "allot check", isGood: edit.loaded != nil, warningCount: edit.problems.count,
            lines: edit.problems.isEmpty ? ["no new problem"] : edit.problems.map(\.description))
    }

    private static func test(_ loaded: LoadedDefinitions, _ definitions: EditableDefinitions) -> ChangeFinding {
        do {
            let sources = try definitions.testSources()
            if sources.isEmpty {
                return ChangeFinding(command: "allot test", isGood: true, lines: ["there are no tests"])
            }
            let report = try DefinitionTests(loaded, sources: sources).run()
            return ChangeFinding(command: "allot test", isGood: report.isPassed, lines: report.lines)
        } catch { return ChangeFinding(command: "allot test", isGood: false, lines: ["\(error)"]) }
    }

    private static func diff(from old: Plan, to new: Plan, at instant: Instant) -> ChangeFinding {
        let report = ReassignmentReport(from: old, to: new, at: instant)
        return ChangeFinding(command: "allot diff", isGood: !report.reassignsEnrolledUnits, lines: report.lines)
    }
}

/// The answer to a form that asks for a change.
package enum ChangeOutcome<Form: ChangeForm>: Sendable {
    /// The change as it would be, and the text that confirms it; `nil` if it may not be written.
    case proposal(ChangeProposal<Form>, confirmation: String?)
    /// The change that is in its file, and its commit; `nil` if the folder is not in a Git repository.
    case written(DefinitionsEdit, commit: String?)
}
