import AllotConfiguration
import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct ImportTests {
    private static let features = """
        {"features": {
          "color": {"defaultValue": "blue", "rules": [
            {"key": "color-test", "variations": ["blue", "green"], "hashVersion": 2, "hashAttribute": "id"}]},
          "banner": {"defaultValue": false, "rules": [{"condition": {"country": "DE"}, "force": true}]},
          "sticky": {"defaultValue": 0, "rules": [{"variations": [0, 1], "fallbackAttribute": "device"}]}}}
        """

    private func run(_ workspace: Workspace, _ arguments: [String]) throws -> Outcome {
        try Program.run(["import"] + arguments, in: workspace.url)
    }

    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write("features.json", Self.features)
        return workspace
    }

    @Test("A flag that cannot be exact ends the import, with its place, and nothing is written")
    func inexact() throws {
        let workspace = try workspace()
        try run(workspace, ["growthbook", "features.json", "-o", "moved"]).expectErrors(
            "$.features.sticky.rules[0].fallbackAttribute: ", "--skip-inexact")
        #expect(try workspace.run("check", "-d", "moved").status == 1)
    }

    @Test("The hash of flagd's fractional is the daemon's, or that of Python where it is asked for")
    func fractional() throws {
        let workspace = try Workspace()
        try workspace.write(
            "flags.yaml",
            """
            flags:
              color:
                state: ENABLED
                variants: { a: a, b: b }
                defaultVariant: a
                targeting: { fractional: [[a, 50], [b, 50]] }
            """)
        for (more, hash) in [([], "flagd/0"), (["--fractional", "cbor"], "flagd/1")] as [([String], String)] {
            let folder = "moved-\(more.count)"
            #expect(try run(workspace, ["flagd", "flags.yaml", "-o", folder] + more).status == 0)
            #expect(try workspace.read("\(folder)/color-1.yaml").contains("hash: \(hash)\n"))
        }
        Program.answer(["import", "growthbook", "flags.yaml", "-o", "x", "--fractional", "cbor"]).expectUsageError(
            "--fractional is for flagd only; leave it out.")
    }

    @Test("What is imported passes the check, and gives each unit what was recorded of it")
    func exact() throws {
        let workspace = try workspace()
        try run(
            workspace, ["growthbook", "features.json", "--column", "user_id=id", "--skip-inexact", "-o", "moved"]
        ).expectText(
            "Left out:\n    sticky: $.features.sticky.rules[0].fallbackAttribute: ",
            start: "GrowthBook: 2 of 3 flags imported exactly, as 2 experiments\n")
        #expect(try workspace.run("check", "-d", "moved").text.contains("0 errors"))
        let again = try run(
            workspace, ["growthbook", "features.json", "--skip-inexact", "--format", "markdown", "-o", "again"])
        #expect(again.text.contains("| `banner` | banner-1 |"))
        // Recorded by GrowthBook's SDK.
        let rows = """
            user_id,country,flag,variant
            1,,color,blue
            2,,color,green
            3,DE,banner,true
            4,FR,banner,false
            """
        func verify(_ options: String...) throws -> Outcome {
            try workspace.run(["import-verify", "assigned.csv", "--definitions", "moved"] + options)
        }
        try workspace.write("assigned.csv", rows + "\n")
        #expect(try verify().text == "4 of 4 units keep their variant\n")
        try workspace.write("assigned.csv", rows + "\n5,DE,banner,false\n")
        let other = try verify()
        #expect(other.text.hasPrefix("4 of 5 units keep their variant\n"))
        other.expectText(#""banner": "false" was recorded, now "true" (banner-1); such as "5""#, status: 2)
        try workspace.write("assigned.csv", rows + "\n@octo|x,DE,banner,false\n")
        let markdown = try verify("--format", "markdown")
        markdown.expectText(
            ##"| 1 | `banner` | "false" | now "true" (banner-1) | "&#64;octo\|x" |"##,
            start: "### ⚠️ 4 of 5 units keep their variant\n", status: nil)
    }

    @Test("Experiments under other keys are found by their old names, and columns may be called otherwise")
    func otherNames() throws {
        let workspace = try Workspace()
        let rule = #"{"key": "Exp A", "variations": ["blue", "green"], "hashVersion": 2, "hashAttribute": "user_id"}"#
        try workspace.write("features.json", #"{"features": {"color": {"defaultValue": "blue", "rules": [\#(rule)]}}}"#)
        #expect(try run(workspace, ["growthbook", "features.json", "-o", "moved"]).status == 0)
        try workspace.write("assigned.csv", "user_id,test,group\n1,Exp A,0\n2,Exp A,1\n")
        let arguments = ["import-verify", "assigned.csv", "--definitions", "moved"]
        let result = try workspace.run(arguments + ["--column", "experiment=test", "--column", "variant=group"])
        #expect(result.text == "2 of 2 units keep their variant\n", "\(result.errors)")
        try workspace.run(arguments + ["--column", "unit=test"]).expectErrors(
            "no experiment looks at an attribute \"unit\"")
        try workspace.write("assigned.csv", "user_id,experiment,variant\n1,Exp A,0\nNULL,Exp A,0\n")
        #expect(try workspace.run(arguments).text.contains("1 row has \"NULL\" as the unit ID in \"user_id\""))
        #expect(try workspace.run(arguments + ["--null", "NULL"]).text.contains("\n1 row has no unit ID"))
    }

    @Test("A folder that has files, a section with a dot and a missing payload are errors")
    func faults() throws {
        let workspace = try workspace()
        try workspace.write("moved/notes.txt", "mine")
        let arguments = ["growthbook", "features.json", "--skip-inexact"]
        #expect(try run(workspace, arguments + ["-o", "moved"]).errors.contains("is not an empty folder"))
        for mistake in [arguments + ["-o", "new", "--section", "A.B"], [], ["growthbook"]] {
            #expect(Program.answer(["import"] + mistake).status == 64)
        }
        #expect(try run(workspace, arguments + ["-o", "new", "--column", "user_id=uid"]).errors.contains("\"uid\""))
        #expect(try run(workspace, ["parse", "features.json", "-o", "new"]).errors.contains("GrowthBook"))
    }

    @Test(
        "An import without flags fails with its report, and makes no folder",
        arguments: [
            #"{"features": {}}"#, #"{"features": {"f": {"rules": [{"condition": {"a": {"$near": 1}}, "force": 1}]}}}"#,
        ])
    func nothing(payload: String) throws {
        let workspace = try Workspace()
        try workspace.write("features.json", payload)
        let result = try run(workspace, ["growthbook", "features.json", "--skip-inexact", "-o", "moved", "--json"])
        #expect(result.status == 1)
        #expect(result.errors == "allot: No flag was imported, and no folder was written.\n")
        #expect(try JSONValue(parsing: Array(result.text.utf8))["imported"] == [])
        #expect(!FileManager.default.fileExists(atPath: workspace.url.appending(path: "moved").path))
    }

    @Test("A folder of more settings than usual carries the limit that it needs")
    func manySettings() throws {
        let workspace = try Workspace()
        let features = (0..<101).map { #""f\#($0)": {"defaultValue": 1}"# }.joined(separator: ", ")
        try workspace.write("features.json", #"{"features": {\#(features)}}"#)
        #expect(try run(workspace, ["growthbook", "features.json", "-o", "moved"]).status == 0)
        try workspace.run("check", "-d", "moved").expectText("0 errors")
        #expect(try workspace.read("moved/base.yaml").hasSuffix("limits: { settings: 101 }\n"))
    }

    @Test("A folder that cannot be made is reported with the system's reason alone")
    func foldersThatCannotBeMade() throws {
        let workspace = try workspace()
        let arguments = ["growthbook", "features.json", "--skip-inexact", "-o"]
        try run(workspace, arguments + ["features.json/moved"]).expectFailure(
            "cannot write the folder features.json/moved: Not a directory; name another folder with -o")
        #expect(try run(workspace, arguments + ["a/b/moved"]).status == 0)
        #expect(try run(workspace, arguments + ["c"]).status == 0)
    }

    @Test("A folder that may not be written is an error", .enabled(if: getuid() != 0, "root writes everywhere"))
    func folderWithoutPermission() throws {
        let workspace = try workspace()
        try workspace.write("locked/x/notes.txt", "")
        chmod(workspace.url.appending(path: "locked").path, 0o555)
        defer { chmod(workspace.url.appending(path: "locked").path, 0o755) }
        try run(workspace, ["growthbook", "features.json", "--skip-inexact", "-o", "locked/moved"]).expectFailure(
            "cannot write the folder locked/moved: Permission denied; name another folder with -o")
    }
}
