import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotProofs

/// Another value for a setting of the base, before anybody commits it: the lines that would change in its file, and
/// what `allot check`, `allot test` and `allot diff` say to them. Nothing is written.
package struct SettingProposal: Sendable {
    /// The verdict of one command.
    package struct Finding: Sendable {
        /// The command, such as `allot check`.
        package let command: String
        /// Whether it has nothing against the change.
        package let isGood: Bool
        package let lines: [String]
    }

    package let text: String
    /// The reason why nothing can be proposed; `nil` if something can.
    package let problem: String?
    package let edit: SettingEdit?
    /// Whether the setting has this value already, perhaps written in another way.
    package let isUnchanged: Bool
    /// The verdicts of the commands, in the order in which they are best run.
    package let findings: [Finding]

    /// Tries a value out.
    ///
    /// - Parameters:
    ///   - text: the value as it was typed.
    ///   - setting: the setting.
    ///   - definitions: the folder, loaded just now.
    ///   - instant: the instant of evaluation.
    package init(_ text: String, for setting: DeclaredSetting, in definitions: EditableDefinitions, at instant: Instant)
    {
        self.text = text
        do {
            let value = try setting.value(ofText: text)
            let edit = try definitions.editing(setting.section, setting.name, to: value)
            (self.edit, problem) = (edit, nil)
            isUnchanged = value.isEquivalent(to: setting.value)
            var findings = [Self.check(edit)]
            if let loaded = edit.loaded {
                findings.append(Self.test(loaded, definitions))
                findings.append(Self.diff(from: definitions.loaded.plan, to: loaded.plan, at: instant))
            }
            self.findings = findings
        } catch {
            (edit, problem, isUnchanged, findings) = (nil, "\(error)", false, [])
        }
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
