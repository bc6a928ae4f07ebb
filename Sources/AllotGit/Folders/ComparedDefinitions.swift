import AllotConfiguration
import AllotDefinitions
import AllotFiles

/// The two states of definitions that `allot diff` compares. `Sendable`.
package struct ComparedDefinitions: Sendable {
    package let old: DefinitionsPlace
    package let new: DefinitionsPlace

    /// Reads the arguments of `allot diff`; without a new one it is the working folder.
    ///
    /// Each is a folder, `REVISION:DIR`, or a revision, which stands for `folder` in it. A folder that exists wins.
    /// `A..B` compares two revisions, `A...B` the last commit that both have in common with `B`.
    package init(_ old: String, _ new: String?, folder: String) throws(GitError) {
        let working = try DefinitionsPlace(folder)
        if new == nil, !OpenFolder.exists(old), let range = Self.range(old) {
            self.new = .revision(try GitFolder(revision: range.last, of: working))
            let before = try GitFolder(revision: range.first, of: working)
            self.old = .revision(range.isFromFork ? try before.atFork(with: range.last) : before)
        } else {
            self.old = try Self.place(old, working)
            self.new = try new.map { (text) throws(GitError) in try Self.place(text, working) } ?? working
        }
    }

    private static func place(_ text: String, _ working: DefinitionsPlace) throws(GitError) -> DefinitionsPlace {
        let place = try DefinitionsPlace(text)
        guard case .folder = place, !OpenFolder.exists(text), !text.hasPrefix("."), !text.hasPrefix("/")
        else { return place }
        let folder: GitFolder
        do {
            folder = try GitFolder(revision: text, of: working)
            var reader = try GitFolderReader(folder.repository, limits: DefinitionLimits())
            _ = try folder.commit(&reader)
        } catch { throw GitError("\(PrintableText(text)) is neither a folder nor a revision of Git; \(error)") }
        return .revision(folder)
    }

    /// The names in `A..B` and `A...B`, `HEAD` for an empty one; a name of a branch holds no "..".
    static func range(_ text: String) -> (first: String, last: String, isFromFork: Bool)? {
        // In `main:../Experiments` the dots belong to the path.
        guard DefinitionsPlace.colon(of: text) == nil else { return nil }
        func name(_ part: Substring) -> String { part.isEmpty ? "HEAD" : String(part) }
        for (dots, isFromFork) in [("...", true), ("..", false)] {
            let parts = text.split(separator: dots, maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, !text.contains("/.."), !text.hasPrefix("../"), text != "..", text != "..." {
                return (name(parts[0]), name(parts[1]), isFromFork)
            }
        }
        return nil
    }
}

extension GitFolder {
    fileprivate func atFork(with other: String) throws(GitError) -> GitFolder {
        let both = [self, try GitFolder(repository, revision: other, path: path)]
        let fork = try repository.lines(of: ["merge-base", "--end-of-options"] + both.map(\.revision)).first
        guard let fork
        else { throw GitError("\(PrintableText(revision)) and \(PrintableText(other)) have no commit in common") }
        return try GitFolder(repository, revision: fork, path: path)
    }
}
