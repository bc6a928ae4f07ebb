import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions

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
    /// The branch and the folder.
    let name: String
    let commitCount: Int
    /// The reason why older commits are missing, if they are.
    let note: String?
    /// The last one first.
    let changes: [Change]

    /// Reads the history of an experiment in a folder of a branch; for a folder on disk it is that of `HEAD`.
    ///
    /// Complexity: commits that do not change the folder cost nothing here, and a folder in the state of the commit
    /// before is not loaded again.
    package init(of key: String, in place: DefinitionsPlace, limits: DefinitionLimits) throws {
        let folder = try place.inGit()
        var reader = try GitFolderReader(folder.repository, limits: limits)
        let history = try FolderHistory(of: folder, from: folder.commit(&reader), &reader)
        let states = history.states
        guard !states.isEmpty else {
            throw GitError("no commit of \(PrintableText(folder.revision)) has a folder \(PrintableText(folder.path))")
        }
        var changes = ChangeList(key: key, salts: try? FormerSalts(of: folder))
        var walk = FolderWalk(limits)
        for state in states { changes.add(try walk.step(to: state, &reader), state) }
        changes.endBroken(with: nil)
        guard changes.known != nil else {
            throw GitError(
                "no commit of \(PrintableText(folder.name)) defines an experiment \(PrintableText(key)); "
                    + Self.hint(for: key, walk.plan))
        }
        experiment = key
        name = folder.name
        commitCount = states.count
        note =
            try folder.repository.isShallow()
            ? "this clone has only the last commits; git fetch --unshallow fetches the others" : history.note
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
