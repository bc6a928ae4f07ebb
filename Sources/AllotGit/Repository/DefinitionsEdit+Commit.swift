import AllotDefinitions
import AllotFiles

extension DefinitionsEdit {
    /// Writes the change, and commits it if the folder is in a Git repository: the file, with the folder's manifest if
    /// that is tracked, and nothing else that is staged. No hook runs, and nothing is signed. Returns the identifier of
    /// the commit; `nil` outside a repository. After a failure the folder is as it was.
    ///
    /// If the process is killed between the two, the new file is there, and not committed.
    package func commit(by author: String) throws(Failure) -> String? {
        guard let (repository, paths) = try committable() else {
            try write()
            return nil
        }
        let before = try Self.failing { () throws(GitError) -> String? in try repository.tip() }
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

    /// The reason why the change would not be written, or its commit could be lost; `nil` if none is known.
    package var refusal: Failure? {
        do throws(Failure) {
            _ = try committable()
            return nil
        } catch { return error }
    }

    /// The repository and what to commit in it; `nil` outside a repository.
    private func committable() throws(Failure) -> (repository: GitRepository, paths: [String])? {
        for name in names where stat(ofLink: path(of: name))?.kind == S_IFLNK {
            throw Failure("\(path(of: name)) is a symbolic link; change the file that it points to")
        }
        guard isInRepository else { return nil }
        let repository = GitRepository(directory: folder, isOfFolderOnly: true)
        let paths = try Self.failing { () throws(GitError) -> [String] in
            try repository.requireBranch()
            var paths: [String] = []
            for name in names {
                let pathspec = ":(literal)" + name
                guard let line = try repository.lines(of: ["ls-files", "-v", "--", pathspec]).first else {
                    // A manifest may be ignored by Git.
                    if name != names[0] { continue }
                    throw GitError(
                        "\(path) is not tracked by Git, perhaps because it is ignored; add it (git add -f) and commit "
                            + "it first")
                }
                // In lower case if it is assumed to be unchanged.
                guard let mark = line.first, mark != "S", !mark.isLowercase else {
                    throw GitError(
                        "\(path(of: name)) is marked as skip-worktree or assume-unchanged, so that Git commits no "
                            + "change of it; remove the mark with git update-index")
                }
                paths.append(pathspec)
            }
            let changes = try repository.output(of: ["status", "--porcelain", "--untracked-files=all", "--"] + paths)
            guard changes.isEmpty
            else { throw GitError("\(path) has changes that are not committed; commit or restore them first") }
            return paths
        }
        return (repository, paths)
    }

    private var isInRepository: Bool {
        guard var parts = resolvedPath(folder)?.split(separator: "/") else { return false }
        while true {
            if access((["/"] + parts.map { $0 + "/" }).joined() + ".git", F_OK) == 0 { return true }
            if parts.popLast() == nil { return false }
        }
    }

    /// A name as Git writes authors: `Ada <ada@example.com>`.
    private static func author(_ name: String) -> String {
        if name.hasSuffix(">"), name.contains(" <") { return name }
        return name.filter { $0 != "<" && $0 != ">" } + " <>"
    }

    private static func failing<Value>(_ body: () throws(GitError) -> Value) throws(Failure) -> Value {
        do throws(GitError) { return try body() } catch { throw Failure(error.description) }
    }
}

extension GitRepository {
    /// The files by which Git knows that an operation is not finished.
    private static let operations: [(file: String, name: String)] = [
        ("rebase-merge", "rebase"), ("rebase-apply", "rebase"), ("MERGE_HEAD", "merge"),
        ("CHERRY_PICK_HEAD", "cherry-pick"), ("REVERT_HEAD", "revert"), ("sequencer", "cherry-pick or revert"),
        ("BISECT_LOG", "bisect"),
    ]

    /// Throws if no branch would have a commit that is made now, or if the end of another operation could undo it.
    fileprivate func requireBranch() throws(GitError) {
        let folder = try lines(of: ["rev-parse", "--absolute-git-dir"]).first ?? ""
        for (file, name) in Self.operations where access("\(folder)/\(file)", F_OK) == 0 {
            throw GitError(
                "a \(name) is in progress in the repository, and its end could undo the change; finish or abort it "
                    + "first (git status says how)")
        }
        guard try !lines(of: ["symbolic-ref", "--quiet", "HEAD"]).isEmpty else {
            throw GitError(
                "no branch is checked out in the repository, so that none would have the commit; check out one first "
                    + "(git switch main)")
        }
    }

    /// The identifier of the current commit; `nil` if there is none.
    fileprivate func tip() throws(GitError) -> String? {
        try lines(of: ["rev-parse", "--verify", "--quiet", "HEAD"]).first
    }
}
