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
        try repository.write(Workspace.base(), to: "Trials/base.json")
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
        let check = try ShopHistory.run("check", "-d", "HEAD~5:Trials")
        #expect(check.text.hasPrefix("1 experiment, 0 layers, 0 holdouts: 0 errors, 0 warnings (revision "))
        try ShopHistory.run("check", "--definitions", "HEAD~1:Experiments").expectText(
            "\nHEAD~1:Experiments/button.yaml:1:9: error: unknown status \"runing\"", status: 1)
        let config = try ShopHistory.run("config", "u", "--definitions", "HEAD:./Experiments")
        #expect(config.text.contains(#""salt":"button.2""#))
        let sql = try ShopHistory.run("sql", "--dialect", "duckdb", "--definitions", "main~2:Experiments")
        #expect(sql.status == 0)
        let key = try Workspace()
        #expect(try Program.run(["keys", "generate", "--key", "key.pem"], in: key.url).status == 0)
        let signed = try ShopHistory.run(
            "sign", "--key", key.url.path + "/key.pem", "--device", "d", "--app", "a", "--variant", "button=green",
            "--definitions", "HEAD:Experiments")
        #expect(signed.status == 0, "\(signed.errors)")
    }

    @Test("A folder that exists wins over a revision of its name, and what is neither is refused")
    func names() throws {
        let workspace = try Workspace.withButton()
        _ = try workspace.shell("mv Experiments main:Experiments")
        #expect(try workspace.run("check", "-d", "main:Experiments").status == 0)
        #expect(
            try workspace.run("check", "-d", "other:Experiments").errors.hasPrefix(
                "allot: git cat-file failed: not a git repository"))
        try workspace.run("check", "-d", "./other:Experiments").expectFailure(
            "cannot read the definitions folder ./other:Experiments: No such file or directory (a folder on disk is "
                + "needed here; git worktree makes one of a revision); name another with --definitions")
    }

    @Test("Commands that write a folder refuse a revision")
    func writing() throws {
        for arguments in [
            ["check", "-d", "HEAD:Experiments", "--write-manifest"],
            [
                "reweight", "button", "--shares", "control=50%,green=50%", "--definitions", "HEAD:Experiments",
                "--write",
            ],
        ] {
            try Program.run(arguments, in: ShopHistory.repository.get().url).expectErrors(
                "a folder on disk is needed here; git worktree makes one of a revision")
        }
    }

    @Test("Revisions are compared with each other and with the folder")
    func differences() throws {
        let first = try ShopHistory.run("diff", "HEAD~4", "HEAD~3", "--at", Shop.instant)
        first.expectOutput("No change for any unit at 2026-11-21T12:00Z.\n")
        let pairs = [["HEAD~3"], ["HEAD~3..main"], ["HEAD~3..."], ["HEAD~3:Experiments", "Experiments"]]
        for pair in pairs {
            try Program.run(["diff"] + pair, in: ShopHistory.repository.get().url).expectText(
                "salt button → button.2", status: 2)
        }
        try ShopHistory.run("diff", "HEAD~9").expectFailure(
            "HEAD~9 is neither a folder nor a revision of Git; the repository has no revision HEAD~9; check its name "
                + "with git branch --all and git tag, or fetch it")
    }

    @Test("A history shows each commit that changed the experiment, across a renamed folder and a broken state")
    func history() throws {
        let result = try ShopHistory.run("history", "button")
        let identifiers = try ShopHistory.repository.get().git(["rev-list", "HEAD"]).split(separator: "\n")
        func commit(_ index: Int) -> Substring { identifiers[index].prefix(12) }
        let paragraphs = result.text.components(separatedBy: "\n\n")
        try #require(paragraphs.count == 5)
        #expect(paragraphs[0] == "button in HEAD:Experiments: 3 changes in 5 commits that touched the folder")
        #expect(paragraphs[1].hasPrefix("2026-01-05T12:00:00Z  \(commit(0))  ada <ada@example.com>\n"))
        #expect(paragraphs[1].contains("Begin anew \\u001B[31m\n    revision 4e8c3dfc6fe1337f → "))
        #expect(paragraphs[1].contains("control → green    16%  moves"))
        #expect(
            paragraphs[1].hasSuffix(
                "must not be pooled across this change: the salt is new, so every unit is randomised anew "
                    + "(button → button.2)"
            ))
        #expect(
            paragraphs[2] == """
                2026-01-04T12:00:00Z  \(commit(1))  grace <grace@example.com>
                    Break it
                    the definitions do not load: 2 errors
                    \(commit(1)):Experiments/button.yaml:1:1: error: variants are missing; list at least one, such as \
                - key: control
                    \(commit(1)):Experiments/button.yaml:1:9: error: unknown status "runing"; did you mean "running"? \
                (status)
                    they load again from \(commit(0)) of 2026-01-05T12:00:00Z
                """)
        #expect(paragraphs[3].contains("traffic 50% → 80%\n    none → control     15%  enters\n"))
        #expect(
            paragraphs[3].hasSuffix(
                "results: can be pooled across this change: salt, variants and their ranges are the same"))
        #expect(paragraphs[4].contains("\(commit(5))  ada"))
        #expect(paragraphs[4].contains("the experiment is new"))
    }

    @Test("A key that is used again is named by check, in each format, by diff and by history")
    func keysThatAreUsedAgain() throws {
        let repository = try TestRepository()
        try repository.write(Workspace.base(), to: "Experiments/base.json")
        for (day, text) in [ShopHistory.experiment, nil, ShopHistory.experiment + "\nsalt: button"].enumerated() {
            if let text {
                try repository.write(text, to: "Experiments/button.yaml")
            } else {
                try repository.git(["rm", "-q", "Experiments/button.yaml"])
            }
            try repository.commit("Day", at: "2026-01-0\(day + 1)T12:00:00Z")
        }
        let warning = "a key that is used again repeats the old split: \"button\" was the salt of button until "
        func run(_ arguments: String...) throws -> Outcome { try Program.run(arguments, in: repository.url) }
        let check = try run("check")
        check.expectText("Experiments/button.yaml:6:7: warning: \(warning)", "0 errors, 1 warning ")
        let json = try JSONValue(parsing: run("check", "--json").output)["problems"]?[0]
        #expect(json?["line"] == 6)
        #expect(json?["path"] == "salt")
        for arguments in [["--format", "sarif"], ["--format", "github"], ["-d", "HEAD:Experiments"]] {
            #expect(try Program.run(["check"] + arguments, in: repository.url).text.contains("repeats the old split"))
        }
        #expect(try run("diff", "HEAD~1", "HEAD").text.contains("    \(warning)"))
        #expect(try !run("diff", "HEAD", "HEAD").text.contains(warning))
        #expect(try run("history", "button").text.components(separatedBy: warning).count == 2)
        try repository.write(ShopHistory.experiment + "\nsalt: button.2", to: "Experiments/button.yaml")
        #expect(try !run("check").text.contains("repeats"))
        #expect(try !run("diff", "HEAD").text.contains("repeats"))
    }

    @Test("A history has the proofs about audiences of allot diff")
    func audiencesInHistory() throws {
        let repository = try TestRepository()
        try repository.write(Workspace.base(), to: "Experiments/base.json")
        for (day, text) in ["", "\naudience: { country: DE }", "\naudience: { country: FR }"].enumerated() {
            try repository.write(ShopHistory.experiment + text, to: "Experiments/button.yaml")
            try repository.commit("Day", at: "2026-01-0\(day + 1)T12:00:00Z")
        }
        let text = try Program.run(["history", "button"], in: repository.url).text
        for part in ["the audience is narrower", "no unit is in both", "a unit enters with country \"FR\", user_id "] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test("A history as JSON has the numbers of allot diff")
    func historyAsJSON() throws {
        let json = try JSONValue(parsing: ShopHistory.run("history", "button", "--json").output)
        #expect(json["commits"] == 5)
        #expect(json["changes"]?[0]?["can_be_pooled"] == false)
        #expect(json["changes"]?[0]?["reassignment"]?["moves"]?.canonicalText == "0.32")
        #expect(json["changes"]?[1]?["problems"]?[1]?["path"] == "status")
        #expect(json["changes"]?[1]?["loads_again"] == json["changes"]?[0]?["commit"])
        #expect(json["changes"]?[2]?["reassignment"]?["enters"]?.canonicalText == "0.3")
        #expect(json["changes"]?[3]?["folder"] == "Trials")
        #expect(json["changes"]?[3]?["revision_before"] == .null)
    }

    @Test("A key that no commit defines is refused with the nearest one")
    func unknownKeys() throws {
        try ShopHistory.run("history", "buton").expectFailure(
            "no commit of HEAD:Experiments defines an experiment buton; did you mean button?")
        try ShopHistory.run("history", "button", "--definitions", "nowhere").expectFailure(
            "no commit of HEAD has a folder nowhere; list its folders with git ls-tree -d -r --name-only HEAD")
    }

    @Test("--as-of evaluates with the definitions of that instant, under the folder's name of then")
    func pastDefinitions() throws {
        let first = try ShopHistory.repository.get().git(["rev-parse", "HEAD~5"]).prefix(12)
        func traffic(_ instant: String) throws -> String {
            let result = try ShopHistory.run("explain", "u", "--as-of", instant)
            return result.text.split(separator: "\n").first { $0.contains("traffic ") }.map(String.init)
                ?? result.errors
        }
        #expect(try traffic("2026-01-01T12:00:00Z").hasSuffix("salt button is not below 500000 (50%)"))
        #expect(try traffic("2026-01-02T11:59:59.5Z").hasSuffix("(50%)"))
        #expect(try traffic("2026-01-02T12:00:00Z").hasSuffix("(80%)"))
        #expect(
            try ShopHistory.run("explain", "u", "--as-of", "2026-01-01T13:00:00Z").errors
                == "allot: note: at 2026-01-01T13:00:00Z HEAD was \(first) of 2026-01-01T12:00:00Z: Try green\n")
        try ShopHistory.run("explain", "u", "--as-of", "2026-01-01T11:59:59Z").expectFailure(
            "HEAD has no commit of 2026-01-01T11:59:59Z or before; name a later instant")
        let config = try ShopHistory.run("config", "u", "--as-of", "2026-01-06T00:00:00Z")
        #expect(config.text.contains(#""salt":"button.2""#))
        let sql = try ShopHistory.run("sql", "--dialect", "duckdb", "--as-of", "2026-01-02T12:00:00Z")
        #expect(sql.text.contains("800000"))
        let assigned = try Program.run(
            ["assign", "--as-of", "2026-01-02T12:00:00Z", "--definitions", "main:Experiments"],
            input: Array("user_id\nu\n".utf8), in: ShopHistory.repository.get().url)
        #expect(assigned.text == "user_id,button\nu,\n")
    }

    @Test("Reports for machines name files from the top of the repository, and tell what cannot be read")
    func machineReports() throws {
        let annotations = try ShopHistory.run("check", "-d", "HEAD~1:./Experiments/", "--format", "github")
        #expect(
            annotations.text.split(separator: "\n").last { $0.hasPrefix("::") }?.hasPrefix(
                "::error title=allot check,file=Experiments/button.yaml,line=1,col=9::unknown status") == true)
        try ShopHistory.run("test", "-d", "HEAD~1:./Experiments/", "--format", "github").expectText(
            "::error title=allot test,file=Experiments/button.yaml,line=1,col=9::unknown status", status: nil)
        let missing = try ShopHistory.run("check", "-d", "nope:Experiments", "--format", "json")
        #expect(missing.status == 1)
        let problem = try JSONValue(parsing: missing.output)["problems"]?[0]
        #expect(problem?["message"]?.text?.hasPrefix("the repository has no revision nope") == true)
    }

    @Test("allot test annotates files by their path from the top of the repository")
    func testAnnotations() throws {
        let repository = try TestRepository()
        try repository.write("status: running\nvariants: [{ key: control }]\n", to: "shop/Experiments/button.yaml")
        try repository.write(
            "cases:\n  - { name: n, unit: u, at: 2026-01-01T00:00:00Z, expect: { button: none } }\n",
            to: "shop/Experiments/tests/button.yaml")
        try repository.commit("One", at: "2026-01-01T00:00:00Z")
        let folder = repository.url.appending(path: "shop")
        for definitions in ["Experiments", "./Experiments/", "HEAD:./Experiments"] {
            let result = try Program.run(["test", "-d", definitions, "--format", "github"], in: folder)
            #expect(result.status == 2)
            let annotation = "::error title=allot test%3A failed,file=shop/Experiments/tests/button.yaml,line=2"
            #expect(result.text.hasPrefix(annotation), "\(result.text)")
        }
    }

    @Test("Where the folder had another name, or is broken, the message says what to read instead")
    func hints() throws {
        try ShopHistory.run("diff", "HEAD~5").expectFailure(
            "HEAD~5 has no folder Experiments; it was Trials then: HEAD~5:Trials")
        let broken = try ShopHistory.run("config", "u", "--as-of", "2026-01-04T13:00:00Z")
        #expect(broken.status == 1)
        #expect(broken.errorLines[1].contains("whose definitions load is "))
        #expect(broken.errorLines[1].hasSuffix(":Experiments"))
        #expect(broken.errorLines[1].contains(" of 2026-01-03T12:00:00Z, which servers went on with"))
    }

    @Test("Branches without a common commit are not compared from their fork; dots of a path are not a range")
    func ranges() throws {
        let repository = try TestRepository()
        try repository.write("a: {}", to: "x/layers.yaml")
        try repository.commit("One", at: "2026-01-01T00:00:00Z")
        try repository.git(["checkout", "-q", "--orphan", "other"])
        try repository.commit("Two", at: "2026-01-01T00:00:00Z")
        try Program.run(["diff", "main...other"], in: repository.url).expectFailure(
            "main and other have no commit in common")
        try Program.run(
            ["diff", "main:../x", "../x", "--allow-empty"], in: repository.url.appending(path: "x")
        ).expectText(start: "No change for any unit", status: nil)
    }
}
