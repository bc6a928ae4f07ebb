import Allot
import AllotAnalysis
import AllotConfiguration
import AllotDefinitions

/// The report of `allot history`: each commit of a branch that changed what an experiment does.
package struct ExperimentHistory: Sendable {
    /// A commit that changed the experiment's revision, or whose definitions cannot be loaded.
    struct Change: Sendable {
        let commit: Commit
        /// The folder of definitions in the commit.
        let folder: String
        let outcome: Outcome
    }

    /// What a commit did.
    enum Outcome: Sendable {
        /// The definitions have errors; the state before them counts on. Commits that follow each other are one change.
        /// `repair` is the commit with which they load again; `nil` if none does.
        case broken([DefinitionProblem], last: Commit, count: Int, repair: Commit?)
        /// The experiment is another one, compared with the last definitions that could be loaded.
        case changed(Difference)
    }

    /// An experiment before and after a commit.
    struct Difference: Sendable {
        /// The revision before; `nil` where the experiment did not exist.
        let before: String?
        /// The revision after; `nil` where the experiment does not exist any more.
        let after: String?
        /// Whom the commit moved, at the instant of the commit.
        let report: ReassignmentReport
        /// `nil` where the experiment did not exist at any time before.
        let pooling: Pooling?
    }

    let experiment: String
    /// The branch and the folder.
    let name: String
    /// The number of commits that changed the folder.
    let commitCount: Int
    /// Why older commits are missing, if they are.
    let note: String?
    /// The last one first.
    let changes: [Change]

    /// Reads the history of an experiment.
    ///
    /// Complexity: commits that do not change the folder cost nothing here, and a folder in the state of the commit
    /// before is not loaded again.
    ///
    /// - Parameters:
    ///   - key: The key of the experiment.
    ///   - place: A folder of a branch; for a folder on disk it is that of `HEAD`.
    ///   - limits: The limits on the size of definitions.
    package init(of key: String, in place: DefinitionsPlace, limits: DefinitionLimits) throws {
        let folder = try place.inGit()
        var reader = try GitFolderReader(folder.repository, limits: limits)
        let history = try FolderHistory(of: folder, from: folder.commit(&reader), &reader)
        let states = history.states
        guard !states.isEmpty else {
            throw GitError("no commit of \(PrintableText(folder.revision)) has a folder \(PrintableText(folder.path))")
        }
        var walk = Walk(key: key)
        for state in states { try walk.add(state, &reader, limits) }
        guard walk.known != nil else {
            throw GitError(
                "no commit of \(PrintableText(folder.name)) defines an experiment \(PrintableText(key)); "
                    + walk.hint)
        }
        experiment = key
        name = folder.name
        commitCount = states.count
        note =
            try folder.repository.isShallow()
            ? "this clone has only the last commits; git fetch --unshallow fetches the others" : history.note
        changes = walk.changes.reversed()
    }
}

/// The states of a folder, one after another.
private struct Walk {
    let key: String
    private(set) var changes: [ExperimentHistory.Change] = []
    /// The last definitions of the experiment.
    private(set) var known: ExperimentDefinition?
    /// The last plan that could be loaded.
    private var plan: Plan?
    /// The identifier of the last folder.
    private var tree: String?
    /// Whether the definitions of the last folder have errors.
    private var isBroken = false

    init(key: String) {
        self.key = key
    }

    /// What to write in place of a key that no commit has.
    var hint: String {
        let keys = plan?.experiments.map(\.key) ?? []
        guard !keys.isEmpty else { return "the last of them defines none" }
        return NearestName.hint(for: key, among: keys).map { "did you mean \($0)?" }
            ?? "the experiments are \(NumberFormat.listed(keys, atMost: 12))"
    }

    mutating func add(
        _ state: FolderHistory.State, _ reader: inout GitFolderReader, _ limits: DefinitionLimits
    ) throws {
        let commit = state.commit
        let folder = try reader.folder(state.path, in: commit.id)
        let name = "\(commit.shortID):\(state.path)"
        var next = Plan.nothing
        if case .tree(let id, let entries) = folder {
            guard id != tree else { return }
            tree = id
            var limits = limits
            limits.allowsEmpty = true
            do {
                let loader = DefinitionsLoader(now: commit.committed, limits: limits)
                next = try loader.load(reader.content(of: entries), folder: name).plan
            } catch DefinitionsError.invalid(let problems) {
                addBroken(state, problems)
                return
            }
        } else {
            tree = nil
        }
        defer { plan = next }
        endBroken(with: commit)
        let (old, new) = (plan?.experiment(key), next.experiment(key))
        guard old?.revision != new?.revision else { return }
        let definition = next.definitions.experiments.first { $0.key == key }
        let difference = ExperimentHistory.Difference(
            before: old?.revision, after: new?.revision,
            report: ReassignmentReport(from: plan ?? .nothing, to: next, at: commit.committed, only: key),
            pooling: known.map { Pooling(from: $0, to: definition) })
        changes.append(.init(commit: commit, folder: state.path, outcome: .changed(difference)))
        if let definition { known = definition }
    }

    private mutating func addBroken(_ state: FolderHistory.State, _ problems: [DefinitionProblem]) {
        if isBroken, let before = changes.popLast(), case .broken(_, _, let count, _) = before.outcome {
            changes.append(
                .init(
                    commit: before.commit, folder: before.folder,
                    outcome: .broken(problems, last: state.commit, count: count + 1, repair: nil)))
        } else {
            changes.append(
                .init(
                    commit: state.commit, folder: state.path,
                    outcome: .broken(problems, last: state.commit, count: 1, repair: nil)))
        }
        isBroken = true
    }

    private mutating func endBroken(with commit: Commit) {
        if isBroken, let broken = changes.popLast(), case .broken(let problems, let last, let count, _) = broken.outcome
        {
            changes.append(
                .init(
                    commit: broken.commit, folder: broken.folder,
                    outcome: .broken(problems, last: last, count: count, repair: commit)))
        }
        isBroken = false
    }
}

extension Plan {
    /// The plan of an empty folder.
    static var nothing: Plan {
        Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: []))
    }

    fileprivate func experiment(_ key: String) -> Experiment? {
        index(of: key).map { experiments[$0] }
    }
}
