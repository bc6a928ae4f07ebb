import AllotCore
import AllotDefinitions
import AllotReports

/// The changes of every experiment of a folder by the commits of a branch, found in one walk over them.
package struct FolderChanges: Sendable {
    package struct Change: Sendable {
        package let commit: Commit
        /// The new revision; `nil` where the experiment does not exist any more.
        package let revision: String?
        package let blocks: [Report.Block]
    }

    /// The changes of each experiment by its key, the last one first.
    package private(set) var changes: [String: [Change]] = [:]

    /// Reads the history of some experiments in a folder of a branch; for a folder on disk it is that of `HEAD`.
    /// Commits whose definitions cannot be loaded are skipped. Each state of the folder is loaded once.
    package init(in place: DefinitionsPlace, of keys: Set<String>, limits: DefinitionLimits) throws {
        var walk = try FolderWalk(of: place, limits)
        let salts = try? FormerSalts(of: walk.folder)
        var known: [String: ExperimentDefinition] = [:]
        for state in walk.history.states {
            guard case .changed(let old, let new) = try walk.step(to: state) else { continue }
            for key in keys {
                let difference = ExperimentDifference(of: key, from: old, to: new, by: state.commit, salts, &known[key])
                guard let difference else { continue }
                changes[key, default: []].append(
                    Change(commit: state.commit, revision: difference.after, blocks: difference.blocks(of: key)))
            }
        }
        changes = changes.mapValues { $0.reversed() }
    }
}
