import AllotConfiguration
import AllotDefinitions

/// The definitions that a branch had at an instant. `Sendable`.
///
/// That is the last commit along the branch's first parents that was committed at that instant or before. Git does not
/// record when a branch was moved to a commit: a commit that was made long before it was pushed counts from when it was
/// made, and a merge from when it was merged.
package struct PastDefinitions: Sendable {
    package let place: DefinitionsPlace
    /// Notes on the commit, and on doubts about it, for people.
    package let notes: [String]
    private let folder: GitFolder
    private let commit: Commit
    /// The number of earlier commits whose dates are compared.
    private static let comparedCommits = 1000

    /// Finds the commit of a folder of a branch; for a folder on disk it is that of `HEAD`.
    package init(of place: DefinitionsPlace, at instant: Instant) throws(GitError) {
        let folder = try place.inGit()
        var reader = try GitFolderReader(folder.repository, limits: .init())
        let tip = try folder.commit(&reader)
        let branch = PrintableText(folder.revision)
        // Git's own search knows the dates from 1970 to 2038 only.
        let isInRange = (0...Int64(Int32.max)).contains(instant.seconds)
        let options = isInRange ? ["--max-count=1", "--min-age=\(instant.seconds)"] : []
        let last = try folder.repository.commits(from: tip, options).first { $0.committed <= instant }
        guard let last else {
            let isShallow = try folder.repository.isShallow()
            throw GitError(
                "\(branch) has no commit of \(instant) or before; "
                    + (isShallow
                        ? "this clone has only its last commits, so fetch the others with git fetch --unshallow"
                        : "name a later instant"))
        }
        let earlier = try folder.repository.commits(from: last.id, ["--max-count=\(Self.comparedCommits)"])
        let later = earlier.first { $0.committed > instant }
        // The folder may have had another name then.
        var path = folder.path
        if try reader.definitionCount(path, in: last.id) == 0 {
            path = try folder.formerPath(in: last.id, &reader) ?? path
        }
        self.folder = folder
        commit = last
        self.place = .revision(try GitFolder(folder.repository, revision: last.id, path: path))
        notes =
            ["at \(instant) \(branch) was \(last.shortID) of \(last.committed): \(PrintableText(last.subject))"]
            + (later.map {
                [
                    "its parents include \($0.shortID), which says that it was committed later, at \($0.committed): "
                        + "the dates of \(branch) are not in order, and another commit may have been current"
                ]
            } ?? [])
    }

    /// Loads the definitions. If they do not load, `report` gets a note on the last ones that do: servers keep those.
    package func load(_ loader: DefinitionsLoader, report: (String) -> Void) throws -> LoadedDefinitions {
        do {
            return try loader.load(place)
        } catch let error as DefinitionsError {
            guard case .invalid = error else { throw error }
            var reader = try GitFolderReader(folder.repository, limits: loader.limits)
            let states = try FolderHistory(of: folder, from: commit.id, &reader).states
            for state in states.suffix(Self.comparedCommits).reversed() where state.commit != commit {
                let past = try GitFolder(folder.repository, revision: state.commit.id, path: state.path)
                guard (try? loader.load(.revision(past))) != nil else { continue }
                report(
                    "the last commit before it whose definitions load is \(state.commit.shortID) of "
                        + "\(state.commit.committed), which servers went on with: \(past.name)")
                break
            }
            throw error
        }
    }
}
