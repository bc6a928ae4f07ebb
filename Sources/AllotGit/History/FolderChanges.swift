import AllotConfiguration
import AllotCore
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
        let salts = try? FormerSalts(of: folder)
        var walk = FolderWalk(limits)
        var known: [String: ExperimentDefinition] = [:]
        for state in history.states {
            guard case .changed(let old, let new) = try walk.step(to: state, &reader) else { continue }
            for key in keys {
                let difference = ExperimentDifference(
                    of: key, from: old, to: new, by: state.commit, salts, &known[key])
                guard let difference else { continue }
                changes[key, default: []].append(Change(state.commit, difference, key))
            }
        }
        changes = changes.mapValues { $0.reversed() }
    }
}

extension FolderChanges.Change {
    fileprivate init(_ commit: Commit, _ difference: ExperimentDifference, _ key: String) {
        shortID = commit.shortID
        committed = commit.committed
        author = commit.author
        subject = commit.subject
        before = difference.before
        after = difference.after
        lines = difference.lines(of: key)
    }
}
