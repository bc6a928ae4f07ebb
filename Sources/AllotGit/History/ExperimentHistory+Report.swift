import AllotConfiguration
import AllotDefinitions
import AllotReports

extension ExperimentHistory {
    package var lines: [String] { TextRenderer().lines(report) }

    /// The report for people: a section for each commit that changed the experiment.
    package var report: Report {
        let commits = counted(commitCount, "commit")
        let changed = changes.count { if case .changed = $0.outcome { true } else { false } }
        var report = Report(
            "\(experiment) in \(PrintableText(name)): \(counted(changed, "change")) in \(commits) that touched the "
                + "folder",
            changes.map { .section(Report.Section(Report.Cell($0.commit.text), blocks(of: $0))) })
        report.add(note.map(Report.Block.text))
        return report
    }

    private func blocks(of change: Change) -> [Report.Block] {
        let subject = change.commit.subject
        var lines = subject.isEmpty ? [] : ["\(PrintableText(subject))"]
        switch change.outcome {
        case .broken(let problems, let last, let count, let repair):
            let errors = counted(problems.count { $0.severity == .error }, "error")
            lines.append(
                count == 1
                    ? "the definitions do not load: \(errors)"
                    : "the definitions do not load from here to \(last.shortID) of \(last.committed), "
                        + "\(count) commits: \(errors) in the last one")
            lines += problems.filter { $0.severity == .error }.prefix(Self.problemsShown).map(\.description)
            lines += repair.map { ["they load again from \($0.shortID) of \($0.committed)"] } ?? []
            return [.list(lines)]
        case .changed(let difference):
            lines.append("revision \(difference.before ?? "none") → \(difference.after ?? "none")")
            return [.list(lines)] + difference.blocks(of: experiment)
        }
    }

    private static let problemsShown = 3

    /// The report for programs. `reassignment` is as `allot diff --json` has it for one experiment.
    package var json: JSONValue {
        [
            "experiment": .string(experiment), "definitions": .string(name), "commits": .int(commitCount),
            "note": .text(note),
            "changes": .array(
                changes.map { change in
                    var object = change.commit.json
                    object["folder"] = .string(change.folder)
                    switch change.outcome {
                    case .broken(let problems, let last, let count, let repair):
                        object["problems"] = .array(problems.map(\.json))
                        object["last_commit"] = .string(last.id)
                        object["commits"] = .int(count)
                        object["loads_again"] = .text(repair?.id)
                    case .changed(let difference):
                        object["revision_before"] = .text(difference.before)
                        object["revision"] = .text(difference.after)
                        object["reassignment"] = difference.report.json(of: experiment) ?? .null
                        if let pooling = difference.pooling {
                            object["can_be_pooled"] = .boolean(pooling.isPossible)
                            object["pooling"] = .strings(pooling.reasons)
                        }
                    }
                    return .object(object)
                }),
        ]
    }
}

extension Commit {
    fileprivate var json: JSONObject {
        [
            "commit": .string(id), "committed": .string(committed.description),
            "authored": .string(authored.description), "author": .string(author), "address": .string(address),
            "subject": .string(subject),
        ]
    }
}
