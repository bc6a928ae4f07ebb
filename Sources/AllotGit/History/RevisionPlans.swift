import AllotCore
import AllotDefinitions
import AllotFiles
import Synchronization

/// Finds the plans in which experiments had past revisions, in the history of a folder, which is read once.
package final class RevisionPlans: Sendable {
    package let place: DefinitionsPlace
    /// The first state of a range of revisions.
    private let first: DefinitionsPlace?
    private let limits: DefinitionLimits
    /// The plans by experiment and revision.
    private let found = Mutex<[[String]: Plan]?>(nil)

    /// Reads the name of a folder, `REVISION:DIR`, or a range of revisions: `A..B`, of `folder`, or `A..B:DIR`.
    package init(_ text: String, folder: String, limits: DefinitionLimits) throws(GitError) {
        self.limits = limits
        let revisions = DefinitionsPlace.colon(of: text).map { String(text[..<$0]) }
        if let revisions, let range = ComparedDefinitions.range(revisions), !OpenFolder.exists(text) {
            let path = String(text.utf8.dropFirst(revisions.utf8.count)) ?? ""
            place = try DefinitionsPlace(range.last + path)
            first = try DefinitionsPlace(range.first + path)
        } else if ComparedDefinitions.range(text) != nil, !OpenFolder.exists(text) {
            let compared = try ComparedDefinitions(text, nil, folder: folder)
            (place, first) = (compared.new, compared.old)
        } else {
            (place, first) = (try DefinitionsPlace(text), nil)
        }
    }

    /// The plan in which an experiment had a revision; `nil` if no commit has it, or the folder is not in Git.
    package func plan(of experiment: String, revision: String) throws -> Plan? {
        try found.withLock { found in
            if found == nil { found = try read() }
            return found?[[experiment, revision]]
        }
    }

    private func read() throws -> [[String]: Plan] {
        var plans: [[String]: Plan] = [:]
        func add(_ plan: Plan) {
            for experiment in plan.experiments { plans[[experiment.key, experiment.revision]] = plan }
        }
        do {
            var walk = try FolderWalk(of: place, limits)
            for state in walk.history.states {
                if case .changed(_, let plan) = try walk.step(to: state) { add(plan) }
            }
            if let first { add(try DefinitionsLoader(limits: limits).load(first).plan) }
        } catch let error as GitError {
            // A folder on disk need not be in a repository.
            if case .revision = place { throw error }
        }
        return plans
    }
}
