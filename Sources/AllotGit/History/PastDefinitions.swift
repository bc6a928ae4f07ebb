import AllotConfiguration

/// The definitions that a branch had at an instant. `Sendable`.
///
/// That is the last commit along the branch's first parents that was committed at that instant or before. Git does not
/// record when a branch was moved to a commit: a commit that was made long before it was pushed counts from when it was
/// made, and a merge from when it was merged.
package struct PastDefinitions: Sendable {
    /// The folder in that commit.
    package let place: DefinitionsPlace
    /// Which commit it is, and what makes that uncertain, for people.
    package let notes: [String]

    /// The number of earlier commits whose dates are compared.
    private static let comparedCommits = 1000

    /// Finds the commit.
    ///
    /// - Parameter place: A folder of a branch; for a folder on disk it is that of `HEAD`.
    package init(of place: DefinitionsPlace, at instant: Instant) throws(GitError) {
        let folder =
            switch place {
            case .revision(let folder): folder
            case .folder: try GitFolder(revision: "HEAD", of: place)
            }
        var reader = try GitFolderReader(folder.repository, limits: .init())
        guard let tip = try reader.commit(of: folder.revision) else { throw folder.noCommit() }
        let branch = PrintableText(folder.revision)
        // Git has no dates before 1970.
        let before = ["--max-count=1", "--min-age=\(max(0, instant.seconds))"]
        let last = instant.seconds < 0 ? nil : try folder.repository.commits(from: tip, before).first
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
        if case .missing = try reader.folder(path, in: last.id) {
            let known = Set(earlier.map(\.id))
            let states = try FolderHistory(of: folder, from: tip).states
            path = states.last { known.contains($0.commit.id) }?.path ?? path
        }
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
}
