import AllotConfiguration
import AllotDefinitions
import AllotFiles

/// A folder in a revision of a Git repository, `main:Experiments`. `Sendable`.
///
/// It is read from Git's objects, through one `git cat-file --batch`, so that every repository can be read that the
/// installed Git reads, and nothing is checked out.
public struct GitFolder: Sendable {
    let repository: GitRepository
    /// As Git takes it: a branch, a tag, a commit, `HEAD~3`.
    let revision: String
    /// From the top of the repository, without a "/" at the end; empty for the top itself.
    let path: String

    /// The folder as messages name it: `main:Experiments`.
    var name: String { "\(isCommit ? String(revision.prefix(Commit.shownDigits)) : revision):\(path)" }

    private var isCommit: Bool {
        [40, 64].contains(revision.utf8.count) && revision.utf8.allSatisfy("0123456789abcdef".utf8.contains)
    }

    init(_ repository: GitRepository, revision: String, path: String) throws(GitError) {
        let shown = PrintableText(revision)
        guard !revision.isEmpty else {
            throw GitError(
                "there is no revision before \":\(PrintableText(path))\"; write one, such as main:Experiments")
        }
        guard !revision.hasPrefix("-") else { throw GitError("a revision cannot begin with \"-\": \(shown)") }
        guard !(revision + path).hasControlCharacters else {
            throw GitError(
                "a revision of Git and its folder hold no control characters: \(shown):\(PrintableText(path))")
        }
        (self.repository, self.revision, self.path) = (repository, revision, path)
    }

    /// Reads `REVISION:DIR` as Git does: from the top, or from the current folder if `DIR` begins with `./` or `../`.
    init(revision: String, path: String) throws(GitError) {
        let repository = GitRepository(directory: nil)
        let first = path.split(separator: "/", omittingEmptySubsequences: false).first
        let isRelative = first == "." || first == ".."
        let whole = try isRelative ? repository.prefix() + path : path
        try self.init(repository, revision: revision, path: try Self.normalised(whole))
    }

    /// A folder on disk, or of a revision, as another revision has it.
    init(revision: String, of place: DefinitionsPlace) throws(GitError) {
        switch place {
        case .revision(let other): try self.init(other.repository, revision: revision, path: other.path)
        case .folder(let folder):
            // Where the environment names Git's repository, a path is one of the current folder.
            let isOwn = getenv("GIT_DIR") == nil && OpenFolder.exists(folder)
            let repository = GitRepository(directory: isOwn ? folder : nil)
            let isAbsolute = !isOwn && folder.hasPrefix("/")
            let path = try isAbsolute ? repository.path(of: folder) : repository.prefix() + (isOwn ? "" : folder)
            try self.init(repository, revision: revision, path: try Self.normalised(path))
        }
    }

    func subfolder(_ folder: String) throws(GitError) -> GitFolder {
        try GitFolder(repository, revision: revision, path: path.isEmpty ? folder : "\(path)/\(folder)")
    }

    private static func normalised(_ path: String) throws(GitError) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(part)
            } else if parts.popLast() == nil {
                throw GitError("\(PrintableText(path)) leads out of the repository; name a folder in it")
            }
        }
        return parts.joined(separator: "/")
    }

    package func content(limits: DefinitionLimits) throws(GitError) -> DefinitionsFolder.Content {
        var reader = try GitFolderReader(repository, limits: limits)
        let commit = try commit(&reader)
        switch try reader.folder(path, in: commit) {
        case .tree(_, let entries): return try reader.content(of: entries)
        case .file:
            throw GitError("\(PrintableText(name)) is a file or a symbolic link in Git; name the folder itself")
        case .missing: throw try noFolder(commit, &reader)
        }
    }

    func commit(_ reader: inout GitFolderReader) throws(GitError) -> String {
        if let commit = try reader.commit(of: revision) { return commit }
        throw GitError(
            "the repository has no revision \(PrintableText(revision)); check its name with git branch --all and "
                + "git tag, or fetch it")
    }

    private func noFolder(_ commit: String, _ reader: inout GitFolderReader) throws(GitError) -> GitError {
        let start = "\(PrintableText(revision)) has no folder \(PrintableText(path))"
        let here = try repository.prefix()
        if !here.isEmpty, case .tree = try reader.folder(here + path, in: commit) {
            return GitError(
                "\(start) at the top of the repository; for that of the current folder write "
                    + PrintableText("\(revision):./\(path)").description)
        }
        if let former = try? formerPath(in: commit, &reader) {
            return GitError("\(start); it was \(PrintableText(former)) then: \(PrintableText("\(revision):\(former)"))")
        }
        return GitError("\(start); list its folders with git ls-tree -d -r --name-only \(PrintableText(revision))")
    }

    /// The path that the folder of `HEAD` had in an earlier commit; `nil` if it is not known there under another name.
    func formerPath(in commit: String, _ reader: inout GitFolderReader) throws(GitError) -> String? {
        guard let tip = try reader.commit(of: "HEAD") else { return nil }
        let history = try FolderHistory(of: self, from: tip, &reader)
        let known = Set(try repository.commits(from: commit).map(\.id))
        return history.states.last { known.contains($0.commit.id) && $0.path != path }?.path
    }
}
