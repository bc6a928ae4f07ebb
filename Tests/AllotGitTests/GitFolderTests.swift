import AllotDefinitions
import Foundation
import TestSupport
import Testing

@testable import AllotGit

@Suite(.blocks) struct GitFolderTests {
    private static let experiment = """
        status: running
        variants:
          - key: control
          - { key: green, overrides: { Page: { Color: green } } }
        """
    private static let base = #"{"config_sections": {"Page": {"settings": {"Color": {"value": "blue"}}}}}"#

    private func repository(_ options: String...) throws -> TestRepository {
        let repository = options.isEmpty ? try TestRepository() : try TestRepository(options[0])
        try repository.write(Self.base, to: "shop/Experiments/base.json")
        try repository.write(Self.experiment, to: "shop/Experiments/button.yaml")
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        return repository
    }

    private func folder(
        _ repository: TestRepository, _ revision: String = "main", _ path: String = "shop/Experiments"
    ) throws(GitError) -> GitFolder {
        try GitFolder(GitRepository(directory: repository.path), revision: revision, path: path)
    }

    private func load(_ folder: GitFolder) throws -> LoadedDefinitions {
        try DefinitionsLoader().load(.revision(folder))
    }

    @Test("A revision is what its files say, byte for byte, in each format of objects", arguments: ["sha1", "sha256"])
    func revisionsAreTheFolder(format: String) throws {
        let repository = try repository("--object-format=\(format)")
        let onDisk = try DefinitionsLoader().load(folder: repository.path + "/shop/Experiments")
        #expect(try load(folder(repository)).plan.revision == onDisk.plan.revision)
        // What is on disk does not count.
        try repository.write("status: nonsense", to: "shop/Experiments/button.yaml")
        #expect(try load(folder(repository)).plan.revision == onDisk.plan.revision)
        // Packed objects are read as loose ones are.
        try repository.git(["gc", "-q"])
        #expect(try load(folder(repository)).plan.revision == onDisk.plan.revision)
    }

    @Test("Problems name the file as Git does")
    func problems() throws {
        let repository = try repository()
        try repository.write(Self.experiment + "\nstaus: x", to: "shop/Experiments/button.yaml")
        try repository.commit("Break", at: "2026-01-02T00:00:00Z")
        let error = #expect(throws: DefinitionsError.self) { try load(folder(repository)) }
        #expect(
            "\(try #require(error))".hasPrefix("main:shop/Experiments/button.yaml:5:1: error: unknown key \"staus\""))
        #expect(try load(folder(repository, "main~1")).plan.experiments.count == 1)
    }

    @Test("Symbolic links, submodules and folders with the name of a file are errors, others are not read")
    func otherEntries() throws {
        let repository = try repository()
        let experiments = repository.url.appending(path: "shop/Experiments")
        try FileManager.default.createSymbolicLink(
            atPath: experiments.path + "/link.yaml", withDestinationPath: "button.yaml")
        try repository.write("x", to: "shop/Experiments/folder/x")
        try repository.write("x", to: "shop/Experiments/folder.yaml/x")
        try repository.write("x", to: "shop/Experiments/README.md")
        let head = try repository.git(["rev-parse", "HEAD"])
        try repository.git(["add", "--all"])
        try repository.git(["update-index", "--add", "--cacheinfo", "160000,\(head),shop/Experiments/module.yaml"])
        try repository.git(["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "More"])
        let error = #expect(throws: DefinitionsError.self) { try load(folder(repository)) }
        let lines = "\(try #require(error))".split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("main:shop/Experiments/folder.yaml: error: this is a folder, not a file"))
        #expect(lines[1].hasPrefix("main:shop/Experiments/link.yaml: error: this is a symbolic link, which is not"))
        #expect(lines[2].hasPrefix("main:shop/Experiments/module.yaml: error: this is a submodule"))
    }

    @Test("A file that is too large is skipped, and those after it are read")
    func largeFiles() throws {
        let repository = try repository()
        try repository.write(String(repeating: "# comment\n", count: 10_000), to: "shop/Experiments/b-large.yaml")
        try repository.commit("Large", at: "2026-01-02T00:00:00Z")
        var limits = DefinitionLimits()
        limits.fileBytes = 1000
        let content = try folder(repository).content(limits: limits)
        let error = #expect(throws: DefinitionsError.self) {
            try DefinitionsLoader(limits: limits).load(content, folder: "x")
        }
        #expect("\(try #require(error))".hasPrefix("x/b-large.yaml: error: the file has more than 1000 bytes"))
        #expect(!"\(try #require(error))".contains("button.yaml"))
    }

    @Test(
        "Folders that cannot be read are refused with the fix",
        arguments: [
            ("nope", "x", "the repository has no revision nope; check its name"),
            ("main", "x", "main has no folder x; list its folders with git ls-tree"),
            ("main", "shop/Experiments/base.json", "main:shop/Experiments/base.json is a file or a symbolic link in"),
            ("--output=x", "x", "a revision cannot begin with \"-\": --output=x"),
            ("main\nHEAD", "x", "a revision of Git and its folder hold no control"),
            ("main", "x\n", "a revision of Git and its folder hold no control"),
            ("", "x", "there is no revision before \":x\""),
            ("main nope", "x", "the repository has no revision main nope"),
            ("main..HEAD", "x", "the repository has no revision main..HEAD"),
        ])
    func refusals(revision: String, path: String, message: String) throws {
        let repository = try repository()
        let error = #expect(throws: GitError.self) {
            try folder(repository, revision, path).content(limits: DefinitionLimits())
        }
        #expect(try #require(error).description.hasPrefix(message))
    }

    @Test("A folder that is not in a repository is refused with Git's own words")
    func repositoriesThatGitRefuses() throws {
        let folder = try TemporaryFolder()
        let outside = try GitFolder(GitRepository(directory: folder.path), revision: "main", path: "x")
        let error = #expect(throws: GitError.self) { try outside.content(limits: DefinitionLimits()) }
        #expect(try #require(error).description.contains("not a git repository"))
    }

    @Test("No configured program runs")
    func configuredPrograms() throws {
        let repository = try repository()
        let trap = "touch '\(repository.path)/ran'"
        for (name, value) in [
            ("core.fsmonitor", trap), ("core.pager", trap), ("core.sshCommand", trap), ("log.showSignature", "true"),
            ("gpg.program", trap), ("diff.external", trap), ("alias.cat-file", "!" + trap),
            ("alias.rev-list", "!" + trap),
        ] { try repository.git(["config", name, value]) }
        _ = try load(folder(repository))
        #expect(!FileManager.default.fileExists(atPath: repository.path + "/ran"))
    }

    @Test("Clones are read: worktrees, alternates, bare ones, and partial ones as far as they go")
    func clones() throws {
        let repository = try repository()
        let revision = try load(folder(repository)).plan.revision
        try repository.git(["worktree", "add", "-q", "tree", "-b", "other"])
        try repository.git(["clone", "-q", "--shared", ".", "alternate"])
        try repository.git(["clone", "-q", "--bare", ".", "bare"])
        for name in ["tree", "alternate", "bare"] {
            let clone = GitRepository(directory: repository.path + "/" + name)
            #expect(try load(GitFolder(clone, revision: "HEAD", path: "shop/Experiments")).plan.revision == revision)
        }
        try repository.git(["config", "uploadpack.allowFilter", "true"])
        try repository.git(["clone", "-q", "--filter=blob:none", "--bare", "file://\(repository.path)", "partial"])
        let partial = GitRepository(directory: repository.path + "/partial")
        let error = #expect(throws: GitError.self) {
            try load(GitFolder(partial, revision: "HEAD", path: "shop/Experiments"))
        }
        #expect(try #require(error).description.contains("GIT_NO_LAZY_FETCH=0"))
    }
}
