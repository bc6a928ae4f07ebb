import AllotDefinitions
import Foundation
import TestSupport
import Testing

@testable import AllotGit

/// Changes of definitions that become commits.
@Suite(.blocks) struct EditCommitTests {
    private static let base = "config_sections: { Shop: { settings: { A: { value: 1 } } } }\n"

    private func repository() throws -> TestRepository {
        let repository = try TestRepository()
        try repository.write(Self.base, to: "shop/base.yaml")
        try repository.write("a", to: "other")
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        return repository
    }

    private func change(_ folder: String) throws -> DefinitionsEdit {
        try EditableDefinitions(folder: folder, loader: DefinitionsLoader()).editing("Shop", "A", .value(2)).edit
    }

    @Test(
        "A commit has the one file and its author, and no program of the repository runs",
        arguments: [("Ada <ada@example.com>", "Ada <ada@example.com>"), ("--amend > x", "--amend  x <>")])
    func commits(name: String, author: String) throws {
        let repository = try repository()
        let trap = "#!/bin/sh\ntouch '\(repository.path)/ran'\nexit 1\n"
        for hook in ["pre-commit", "commit-msg", "post-commit", "reference-transaction"] {
            try repository.write(trap, to: ".git/hooks/\(hook)")
            try #require(chmod(repository.path + "/.git/hooks/\(hook)", 0o700) == 0)
        }
        let configured = [("commit.gpgSign", "true"), ("committer.name", "Me"), ("i18n.commitEncoding", "ISO-8859-1")]
        for (key, value) in configured { try repository.git(["config", key, value]) }
        // Staged, and not a part of the change.
        try repository.write("b", to: "other")
        try repository.git(["add", "other"])
        let commit = try change(repository.path + "/shop").commit(by: name)
        #expect(try repository.git(["rev-parse", "HEAD"]) == commit)
        #expect(
            try repository.git(["log", "-1", "--format=%an <%ae>|%cn|%e%B", "--name-only"])
                .split(separator: "\n").map(String.init) == [
                    "\(author)|allot-server|Set Shop.A to 2", "shop/base.yaml",
                ])
        #expect(try repository.git(["status", "--porcelain"]) == "M  other")
        #expect(!FileManager.default.fileExists(atPath: repository.path + "/ran"))
    }

    @Test("A tracked manifest is a part of the commit")
    func manifest() throws {
        let repository = try repository()
        let folder = repository.path + "/shop"
        _ = try DefinitionsLoader().loadWritingManifest(folder: folder)
        try repository.commit("Add a manifest", at: "2026-01-02T00:00:00Z")
        _ = try change(folder).commit(by: "Ada")
        #expect(try repository.git(["status", "--porcelain"]).isEmpty)
        _ = try DefinitionsLoader().load(folder: folder)
    }

    @Test("A commit that fails leaves the file as it was")
    func failure() throws {
        let repository = try repository()
        let change = try change(repository.path + "/shop")
        try repository.write("", to: ".git/index.lock")
        let failure = #expect(throws: DefinitionsEdit.Failure.self) { try change.commit(by: "Ada") }
        #expect(failure?.description.contains("index.lock") == true)
        #expect(try repository.text("shop/base.yaml") == Self.base)
        #expect(try repository.git(["rev-list", "--count", "HEAD"]) == "1")
    }

    @Test("A file with changes that are not committed, or a link, is refused", arguments: [false, true])
    func refused(isLink: Bool) throws {
        let repository = try repository()
        let path = repository.path + "/shop/base.yaml"
        if isLink {
            try FileManager.default.moveItem(atPath: path, toPath: repository.path + "/real.yaml")
            try #require(symlink("../real.yaml", path) == 0)
        } else {
            try repository.write(Self.base + "# mine\n", to: "shop/base.yaml")
        }
        let before = try repository.text("shop/base.yaml")
        let change = try change(repository.path + "/shop")
        let failure = #expect(throws: DefinitionsEdit.Failure.self) { try change.commit(by: "Ada") }
        #expect(failure?.description.contains(isLink ? "is a symbolic link" : "not committed") == true)
        #expect(try repository.text("shop/base.yaml") == before)
    }

    @Test("A commit that no branch would have, or that Git would not make, is refused first", arguments: states)
    func refusedState(command: [String], text: String) throws {
        let repository = try repository()
        try repository.git(["checkout", "-q", "-b", "o"])
        try repository.write("b", to: "other")
        try repository.commit("Other", at: "2026-01-02T00:00:00Z")
        try repository.git(["checkout", "-q", "main"])
        for content in ["c", "d"] {
            try repository.write(content, to: "other")
            try repository.commit("Mine", at: "2026-01-02T00:00:00Z")
        }
        // Most of them end with a conflict.
        _ = try? repository.git(command)
        let head = try repository.git(["rev-parse", "HEAD"])
        let change = try change(repository.path + "/shop")
        #expect(change.refusal?.description.contains(text) == true)
        let failure = #expect(throws: DefinitionsEdit.Failure.self) { try change.commit(by: "Ada") }
        #expect(failure?.description.contains(text) == true)
        #expect(try repository.text("shop/base.yaml") == Self.base)
        #expect(try repository.git(["rev-parse", "HEAD"]) == head)
    }
}

private let states: [([String], String)] = [
    (["merge", "o"], "a merge is in progress"), (["rebase", "o"], "a rebase is in progress"),
    (["cherry-pick", "o"], "a cherry-pick is in progress"), (["revert", "HEAD~1"], "a revert is in progress"),
    (["bisect", "start"], "a bisect is in progress"), (["checkout", "-q", "--detach"], "no branch is checked out"),
    (["rm", "-q", "--cached", "shop/base.yaml"], "is not tracked by Git"),
    (["update-index", "--skip-worktree", "shop/base.yaml"], "is marked as skip-worktree"),
    (["update-index", "--assume-unchanged", "shop/base.yaml"], "is marked as skip-worktree"),
]
