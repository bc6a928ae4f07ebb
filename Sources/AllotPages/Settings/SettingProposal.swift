import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
internal import AllotGit
import AllotProofs

/// A change of a setting of the base, before anybody commits it: the lines that would change in its file, and what
/// `allot check`, `allot test` and `allot diff` say to them.
package struct SettingProposal: Sendable {
    /// The verdict of one command.
    package struct Finding: Sendable {
        /// The command, such as `allot check`.
        package let command: String
        /// Whether it has nothing against the change.
        package let isGood: Bool
        package let lines: [String]
    }

    let form: SettingForm
    /// The reason why nothing can be proposed; `nil` if something can.
    package let problem: String?
    package let edit: SettingEdit?
    /// Whether the setting has this value already, perhaps written in another way.
    package let isUnchanged: Bool
    /// The verdicts of the commands, in the order in which they are best run.
    package let findings: [Finding]
    /// Whether there is a change, without errors and failing tests.
    package let mayBeWritten: Bool

    /// Tries a change out.
    ///
    /// - Parameters:
    ///   - form: the change, with the value as it was typed.
    ///   - definitions: the folder, loaded just now.
    ///   - instant: the instant of evaluation.
    ///   - forWriting: Whether the change may be written, so that the folder's repository has to be ready for it.
    package init(
        _ form: SettingForm, in definitions: EditableDefinitions, at instant: Instant, forWriting: Bool = false
    ) {
        self.form = form
        do {
            let (edit, isUnchanged) = try form.edit(in: definitions)
            (self.edit, self.isUnchanged, problem) = (edit, isUnchanged, nil)
            var findings = [Self.check(edit)]
            if let loaded = edit.loaded { findings.append(Self.test(loaded, definitions)) }
            if forWriting, let refusal = edit.edit.refusal {
                findings.append(Finding(command: "git commit", isGood: false, lines: [refusal.description]))
            }
            mayBeWritten = !isUnchanged && edit.loaded != nil && findings.allSatisfy(\.isGood)
            if let loaded = edit.loaded {
                findings.append(Self.diff(from: definitions.loaded.plan, to: loaded.plan, at: instant))
            }
            self.findings = findings
        } catch {
            (edit, problem, isUnchanged, findings, mayBeWritten) = (nil, "\(error)", false, [], false)
        }
    }

    /// Writes the change, and commits it if the folder is in a Git repository.
    ///
    /// - Returns: The commit; `nil` outside a repository.
    /// - Throws: `DefinitionsEdit.Failure`, after which the folder is as it was.
    package func write(by author: String) throws(DefinitionsEdit.Failure) -> String? {
        try edit?.edit.commit(by: author)
    }

    private static func check(_ edit: SettingEdit) -> Finding {
        Finding(
            command: "allot check", isGood: edit.loaded != nil,
            lines: edit.problems.isEmpty ? ["no new problem"] : edit.problems.map(\.description))
    }

    private static func test(_ loaded: LoadedDefinitions, _ definitions: EditableDefinitions) -> Finding {
        do {
            let sources = try definitions.testSources()
            if sources.isEmpty {
                return Finding(command: "allot test", isGood: true, lines: ["there are no tests"])
            }
            let report = try DefinitionTests(loaded, sources: sources).run()
            return Finding(command: "allot test", isGood: report.isPassed, lines: report.lines)
        } catch {
            return Finding(command: "allot test", isGood: false, lines: ["\(error)"])
        }
    }

    private static func diff(from old: Plan, to new: Plan, at instant: Instant) -> Finding {
        let report = ReassignmentReport(from: old, to: new, at: instant)
        return Finding(command: "allot diff", isGood: !report.reassignsEnrolledUnits, lines: report.lines)
    }
}
