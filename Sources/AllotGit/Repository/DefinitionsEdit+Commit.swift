import AllotDefinitions
import AllotFiles

extension DefinitionsEdit {
    /// Writes the change, and commits it if the folder is in a Git repository: the file, with the folder's manifest if
    /// that is tracked, and nothing else that is staged. No hook runs, and nothing is signed.
    ///
    /// If the process is killed between the two, the new file is there, and not committed.
    ///
    /// - Parameter author: The author's name, which may end with an address in angle brackets.
    /// - Returns: The identifier of the commit; `nil` outside a repository.
    /// - Throws: ``Failure``, after which the folder is as it was.
    package func commit(by author: String) throws(Failure) -> String? {
        for name in names where Self.isLink(path(of: name)) {
            throw Failure("\(path(of: name)) is a symbolic link; change the file that it points to")
        }
        guard isInRepository else {
            try write()
            return nil
        }
        let repository = GitRepository(directory: folder)
        let (paths, before) = try Self.failing { () throws(GitError) -> (paths: [String], before: String?) in
            var paths: [String] = []
            for name in names {
                let pathspec = ":(literal)" + name
                // A manifest may be ignored by Git.
                let isTracked = try !repository.lines(of: ["ls-files", "--", pathspec]).isEmpty
                if isTracked || name == names[0] { paths.append(pathspec) }
            }
            let changes = try repository.output(of: ["status", "--porcelain", "--untracked-files=all", "--"] + paths)
            guard changes.isEmpty else {
                throw GitError("\(path) has changes that are not committed; commit or restore them first")
            }
            return (paths, try repository.tip())
        }
        return try write { () throws(Failure) -> String in
            try Self.failing { () throws(GitError) -> Void in
                _ = try repository.output(
                    of: [
                        "commit", "--quiet", "--only", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim",
                        "--author=\(Self.author(author))", "--message=\(message)", "--",
                    ] + paths,
                    configuration: [
                        "committer.name=allot-server", "committer.email=allot-server@localhost", "gc.auto=0",
                        "maintenance.auto=false", "i18n.commitEncoding=UTF-8",
                    ])
            }
            // The commit is made; only its name may be unknown.
            guard let after = try? repository.tip() else { return "HEAD" }
            guard after != before else { throw Failure("git made no commit of \(path); commit it by hand") }
            return after
        }
    }

    /// Whether there is a Git repository around the folder.
    private var isInRepository: Bool {
        if getenv("GIT_DIR") != nil { return true }
        guard let real = realpath(folder, nil) else { return false }
        defer { free(real) }
        var parts = String(cString: real).split(separator: "/")
        while true {
            if access((["/"] + parts.map { $0 + "/" }).joined() + ".git", F_OK) == 0 { return true }
            if parts.popLast() == nil { return false }
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.kind == S_IFLNK
    }

    /// A name as Git writes authors: `Ada <ada@example.com>`.
    private static func author(_ name: String) -> String {
        if name.hasSuffix(">"), name.contains(" <") { return name }
        return name.filter { $0 != "<" && $0 != ">" } + " <>"
    }

    /// The value that `body` returns.
    private static func failing<Value>(_ body: () throws(GitError) -> Value) throws(Failure) -> Value {
        do throws(GitError) {
            return try body()
        } catch {
            throw Failure(error.description)
        }
    }
}

extension GitRepository {
    /// The identifier of the current commit; `nil` if there is none.
    fileprivate func tip() throws(GitError) -> String? {
        try lines(of: ["rev-parse", "--verify", "--quiet", "HEAD"]).first
    }
}
