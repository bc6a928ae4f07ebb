import AllotConfiguration
import Foundation
import TestSupport
import Testing

/// A repository of a shop's definitions with a history, which tests only read.
enum ShopHistory {
    static let repository = Result { try make() }

    static let experiment = """
        status: running
        traffic: 50%
        variants:
          - key: control
          - { key: green, overrides: { Page: { Color: green } } }
        """

    /// Six commits of January, the second last of which is broken, and the folder was called `Tests` at first.
    private static func make() throws -> TestRepository {
        let repository = try TestRepository()
        func set(_ text: String, _ message: String, day: Int, in folder: String = "Experiments") throws {
            try repository.write(text, to: "\(folder)/button.yaml")
            try repository.commit(message, at: "2026-01-0\(day)T12:00:00Z", by: day % 2 == 0 ? "grace" : "ada")
        }
        try repository.write(
            #"{"config_sections": {"Page": {"settings": {"Color": {"value": "blue"}}}}}"#, to: "Trials/base.json")
        try repository.write("blue and green", to: "Trials/README.md")
        try set(experiment, "Try green", day: 1, in: "Trials")
        try repository.git(["mv", "Trials", "Experiments"])
        try set(experiment.replacing("50%", with: "80%"), "Rename the folder, and enrol more", day: 2)
        try set(experiment.replacing("50%", with: "80%") + "\ndescription: x", "Describe it", day: 3)
        try repository.write("# More\n", to: "README.md")
        try repository.commit("Not about definitions", at: "2026-01-03T13:00:00Z")
        try set("status: runing", "Break it", day: 4)
        try set(experiment.replacing("50%", with: "80%") + "\nsalt: button.2", "Begin anew \u{1B}[31m", day: 5)
        return repository
    }

    static func run(_ arguments: String...) throws -> Outcome {
        try Program.run(arguments, in: repository.get().url)
    }
}

@Suite(.blocks) struct GitTests {
    @Test("Every command reads REVISION:DIR")
    func revisionsOfFolders() throws {
        let check = try ShopHistory.run("check", "HEAD~5:Trials")
        #expect(check.text.hasPrefix("1 experiment, 0 layers, 0 holdouts: 0 errors, 0 warnings (revision "))
        let broken = try ShopHistory.run("check", "--definitions", "HEAD~1:Experiments")
        #expect(broken.text.hasPrefix("HEAD~1:Experiments/button.yaml:1:9: error: unknown status \"runing\""))
        #expect(broken.status == 1)
        let config = try ShopHistory.run("config", "u", "--definitions", "HEAD:./Experiments")
        #expect(config.text.contains(#""salt":"button.2""#))
        let sql = try ShopHistory.run("sql", "--dialect", "duckdb", "--definitions", "main~2:Experiments")
        #expect(sql.status == 0)
    }

    @Test("A folder that exists wins over a revision of its name, and what is neither is refused")
    func names() throws {
        let workspace = try Workspace.withButton()
        _ = try workspace.shell("mv Experiments main:Experiments")
        #expect(try workspace.run("check", "main:Experiments").status == 0)
        #expect(
            try workspace.run("check", "other:Experiments").errors.hasPrefix(
                "allot: git cat-file failed: not a git repository"))
        #expect(
            try workspace.run("check", "./other:Experiments").errors
                == "allot: cannot read the definitions folder ./other:Experiments: No such file or directory (a "
                + "revision of Git, REVISION:DIR, is not read here; make a folder of it with git worktree); name "
                + "another with --definitions\n")
    }

    @Test("Commands that write a folder refuse a revision")
    func writing() throws {
        for arguments in [
            ["check", "HEAD:Experiments", "--write-manifest"],
            ["reweight", "button", "control=50%", "green=50%", "--definitions", "HEAD:Experiments", "--write"],
        ] {
            let result = try Program.run(arguments, in: ShopHistory.repository.get().url)
            #expect(result.status == 1)
            #expect(result.errors.contains("a revision of Git, REVISION:DIR, is not read here"))
        }
    }

    @Test("Revisions are compared with each other and with the folder")
    func differences() throws {
        let first = try ShopHistory.run("diff", "HEAD~4", "HEAD~3")
        first.expectOutput("Nothing changes for any unit at \(first.text.suffix(19).prefix(17)).\n")
        for arguments in [
            ["diff", "HEAD~3"], ["diff", "HEAD~3..main"], ["diff", "HEAD~3..."],
            ["diff", "HEAD~3:Experiments", "Experiments"],
        ] {
            let result = try Program.run(arguments, in: ShopHistory.repository.get().url)
            #expect(result.text.contains("salt button → button.2"))
            #expect(result.status == 2)
        }
        #expect(
            try ShopHistory.run("diff", "HEAD~9").errors
                == "allot: HEAD~9 is neither a folder nor a revision of Git; the repository has no revision HEAD~9; check "
                + "its name with git branch --all and git tag, or fetch it\n")
        #expect(
            try ShopHistory.run("diff", "HEAD~5").errors
                == "allot: HEAD~5 has no folder Experiments; list its folders with git ls-tree -d -r --name-only HEAD~5\n"
        )
    }

    @Test("A history shows each commit that changed the experiment, across a renamed folder and a broken state")
    func history() throws {
        let result = try ShopHistory.run("history", "button")
        let identifiers = try ShopHistory.repository.get().git(["rev-list", "HEAD"]).split(separator: "\n")
        func commit(_ index: Int) -> Substring { identifiers[index].prefix(12) }
        result.expectOutput(
            """
            button in HEAD:Experiments: 3 changes in 5 commits that touched the folder

            2026-01-05T12:00:00Z  \(commit(0))  ada <ada@example.com>
                Begin anew \\u{1B}[31m
                revision 40e9d5d6ab3ba9ad → 1ba1fd5ffb2ba6c6
                salt button → button.2

            """)
    }
}
