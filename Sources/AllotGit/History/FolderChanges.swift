import Allot
import AllotAnalysis
import AllotConfiguration
import AllotDefinitions

/// What the commits of a branch changed in every experiment of a folder, found in one walk over them.
package struct FolderChanges: Sendable {
    /// A commit that changed the revision of an experiment.
    package struct Change: Sendable {
        /// The first digits of the commit's identifier.
        package let shortID: String
        /// When it was committed.
        package let committed: Instant
        /// Who wrote it.
        package let author: String
        /// The first line of its message.
        package let subject: String
        /// The revision before; `nil` where the experiment did not exist.
        package let before: String?
        /// The revision after; `nil` where the experiment does not exist any more.
        package let after: String?
        /// What changed and whom it moved, as `allot history` tells it.
        package let lines: [String]
    }

    /// The changes of each experiment by its key, the last one first.
    package private(set) var changes: [String: [Change]] = [:]

    /// Reads the history of a folder. Commits whose definitions cannot be loaded are skipped.
    ///
    /// Complexity: each state of the folder is loaded once, however many experiments there are.
    ///
    /// - Parameters:
    ///   - place: A folder of a branch; for a folder on disk it is that of `HEAD`.
    ///   - keys: The experiments that matter.
    ///   - limits: The limits on the size of definitions.
    /// - Throws: ``GitError`` if the folder is in no repository.
    package init(in place: DefinitionsPlace, of keys: Set<String>, limits: DefinitionLimits) throws {
        let folder = try place.inGit()
        var reader = try GitFolderReader(folder.repository, limits: limits)
        let history = try FolderHistory(of: folder, from: folder.commit(&reader), &reader)
        var plan = Plan.nothing
        var known: [String: ExperimentDefinition] = [:]
        var tree: String?
        for state in history.states {
            var next = Plan.nothing
            if case .tree(let id, let entries) = try reader.folder(state.path, in: state.commit.id) {
                guard id != tree else { continue }
                tree = id
                var limits = limits
                limits.allowsEmpty = true
                do {
                    let loader = DefinitionsLoader(now: state.commit.committed, limits: limits)
                    next = try loader.load(reader.content(of: entries), folder: state.path).plan
                } catch DefinitionsError.invalid {
                    continue
                }
            } else {
                tree = nil
            }
            compare(plan, with: next, state.commit, keys, &known)
            plan = next
        }
    }

    private mutating func compare(
        _ old: Plan, with new: Plan, _ commit: Commit, _ keys: Set<String>,
        _ known: inout [String: ExperimentDefinition]
    ) {
        let (before, after) = (Self.revisions(old), Self.revisions(new))
        for key in keys where before[key] != after[key] {
            let definition = new.index(of: key).map { new.definitions.experiments[$0] }
            let report = ReassignmentReport(from: old, to: new, at: commit.committed, only: key)
            var lines = report.lines(of: key)
            if let known = known[key] { lines.append("results: \(Pooling(from: known, to: definition).text)") }
            changes[key, default: []].insert(
                Change(
                    shortID: commit.shortID, committed: commit.committed, author: commit.author,
                    subject: commit.subject, before: before[key], after: after[key], lines: lines), at: 0)
            if let definition { known[key] = definition }
        }
    }

    private static func revisions(_ plan: Plan) -> [String: String] {
        Dictionary(plan.experiments.map { ($0.key, $0.revision) }, uniquingKeysWith: { first, _ in first })
    }
}
