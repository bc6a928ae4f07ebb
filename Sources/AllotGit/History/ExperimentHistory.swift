import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports

/// The report of `allot history`: each commit of a branch that changed what an experiment does.
package struct ExperimentHistory: Sendable {
    /// A commit that changed the experiment's revision, or whose definitions cannot be loaded.
    struct Change: Sendable {
        let commit: Commit
        let folder: String
        let outcome: Outcome
    }

    enum Outcome: Sendable {
        /// The definitions have errors; the earlier state stays current. Commits that follow each other are one change.
        /// `repair` is the commit with which they load again; `nil` if none does.
        case broken([DefinitionProblem], last: Commit, count: Int, repair: Commit?)
        /// The experiment is another one, compared with the last definitions that could be loaded.
        case changed(ExperimentDifference)
    }

    let experiment: String
    let name: String
    let commitCount: Int
    /// The reason why older commits are missing, if they are.
    let note: String?
    /// The last one first.
    let changes: [Change]

    /// Reads the history of an experiment in a folder of a branch; for a folder on disk it is that of `HEAD`. A folder
    /// in the state of the commit before is not loaded again.
    package init(of key: String, in place: DefinitionsPlace, limits: DefinitionLimits) throws {
        var walk = try FolderWalk(of: place, limits)
        let (folder, states) = (walk.folder, walk.history.states)
        guard !states.isEmpty else {
            let revision = PrintableText(folder.revision)
            throw GitError(
                "no commit of \(revision) has a folder \(PrintableText(folder.path)); list its folders with "
                    + "git ls-tree -d -r --name-only \(revision)")
        }
        var changes = ChangeList(key: key, salts: try? FormerSalts(of: folder))
        for state in states { changes.add(try walk.step(to: state), state) }
        changes.endBroken(with: nil)
        guard changes.known != nil else {
            throw GitError(
                "no commit of \(PrintableText(folder.name)) defines an experiment \(PrintableText(key)); "
                    + Self.hint(for: key, walk.plan))
        }
        (experiment, name, commitCount) = (key, folder.name, states.count)
        note =
            try folder.repository.isShallow()
            ? "this clone has only the last commits; git fetch --unshallow fetches the others" : walk.history.note
        self.changes = changes.changes.reversed()
    }

    private static func hint(for key: String, _ last: Plan) -> String {
        let keys = last.experiments.map(\.key)
        guard !keys.isEmpty else { return "the last of them defines none" }
        return NearestName.hint(for: key, among: keys).map { "did you mean \($0)?" }
            ?? "the experiments are \(keys.listed(atMost: 12))"
    }
}

/// The changes of one experiment, the first one first.
private struct ChangeList {
    let key: String
    let salts: FormerSalts?
    var changes: [ExperimentHistory.Change] = []
    var known: ExperimentDefinition?
    /// The commits in a row, until now, whose definitions do not load.
    var broken: (first: FolderHistory.State, problems: [DefinitionProblem], last: Commit, count: Int)?

    mutating func add(_ step: FolderWalk.Step, _ state: FolderHistory.State) {
        switch step {
        case .same: break
        case .broken(let problems):
            broken = (broken?.first ?? state, problems, state.commit, (broken?.count ?? 0) + 1)
        case .changed(let old, let new):
            endBroken(with: state.commit)
            let difference = ExperimentDifference(of: key, from: old, to: new, by: state.commit, salts, &known)
            if let difference {
                changes.append(.init(commit: state.commit, folder: state.path, outcome: .changed(difference)))
            }
        }
    }

    mutating func endBroken(with repair: Commit?) {
        guard let ended = broken else { return }
        broken = nil
        changes.append(
            .init(
                commit: ended.first.commit, folder: ended.first.path,
                outcome: .broken(ended.problems, last: ended.last, count: ended.count, repair: repair)))
    }
}

/// An experiment before and after a commit that changed its revision.
struct ExperimentDifference: Sendable {
    /// The former revision; `nil` where the experiment did not exist.
    let before: String?
    /// The new revision; `nil` where the experiment does not exist any more.
    let after: String?
    let report: ReassignmentReport
    /// `nil` where the experiment never existed until then.
    let pooling: Pooling?

    /// Compares the plans before and after a commit; `nil` if the revision is the same. Replaces `known`.
    init?(
        of key: String, from old: Plan, to new: Plan, by commit: Commit, _ salts: FormerSalts?,
        _ known: inout ExperimentDefinition?
    ) {
        let index = new.index(of: key)
        before = old.index(of: key).map { old.experiments[$0].revision }
        after = index.map { new.experiments[$0].revision }
        guard before != after else { return nil }
        let definition = index.map { new.definitions.experiments[$0] }
        let warning = definition.flatMap { salts?.warning(about: $0, in: commit.id) }
        report = ReassignmentReport(
            from: old, to: new, at: commit.committed, only: key, salts: warning.map { [key: $0] } ?? [:])
        pooling = known.map { Pooling(from: $0, to: definition) }
        if let definition { known = definition }
    }

    /// The reassignments by the commit, and whether results can be pooled across it, for people.
    func blocks(of key: String) -> [Report.Block] {
        report.blocks(of: key) + [.list(pooling.map { ["results: \($0.text)"] } ?? [])]
    }
}

extension ExperimentHistory {
    package var lines: [String] { TextRenderer().lines(report) }

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
        JSONValue(members: [
            "experiment": experiment, "definitions": name, "commits": commitCount, "note": note,
            "changes": changes.map(json),
        ])
    }

    private func json(of change: Change) -> JSONObject {
        let commit = change.commit
        var object = JSONObject(members: [
            "commit": commit.id, "committed": commit.committed.description, "authored": commit.authored.description,
            "author": commit.author, "address": commit.address, "subject": commit.subject, "folder": change.folder,
        ])
        switch change.outcome {
        case .broken(let problems, let last, let count, let repair):
            (object["problems"], object["last_commit"]) = (problems.map(\.json).json, last.id.json)
            (object["commits"], object["loads_again"]) = (count.json, repair?.id.json ?? .null)
        case .changed(let difference):
            (object["revision_before"], object["revision"]) = (difference.before.json, difference.after.json)
            object["reassignment"] = difference.report.json(of: experiment) ?? .null
            if let pooling = difference.pooling {
                (object["can_be_pooled"], object["pooling"]) = (pooling.isPossible.json, pooling.reasons.json)
            }
        }
        return object
    }
}
