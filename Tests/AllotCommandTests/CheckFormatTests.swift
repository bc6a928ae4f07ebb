import AllotConfiguration
import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct CheckFormatTests {
    private func workspace() throws -> Workspace {
        let workspace = try Workspace.withButton(and: [
            "Experiments/100%, new: a.yaml": "status: running\nvariants: [{ key: a, wieght: 1 }]\n"
        ])
        return workspace
    }

    @Test("github prints an annotation for each problem, in which nothing ends the command early")
    func annotations() throws {
        let lines = try workspace().run("check", "--format", "github").text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines[0].hasPrefix(
                "::error title=allot check,file=Experiments/100%25%2C new%3A a.yaml::the file name is not a valid "
                    + "experiment key; rename it"))
        #expect(
            lines[1]
                == "::error title=allot check,file=Experiments/100%25%2C new%3A a.yaml,line=2,col=22::unknown key "
                + "\"wieght\" in a variant; did you mean \"weight\"? (variants[0].wieght)")
        #expect(lines[2] == "Experiments: 2 errors, 0 warnings; nothing can be assigned until the errors are fixed")
    }

    @Test("json has every problem with its place, and what is defined")
    func json() throws {
        let broken = try JSONValue(parsing: try workspace().run("check", "--format", "json").output)
        #expect(broken["valid"] == false)
        #expect(broken["errors"] == 2)
        #expect(broken["revision"] == nil)
        #expect(broken["problems"]?[1]?["line"] == 2)
        #expect(broken["problems"]?[1]?["column"] == 22)
        #expect(broken["problems"]?[1]?["path"] == "variants[0].wieght")
        #expect(broken["problems"]?[0]?["line"] == nil)
        #expect(try workspace().json("check") == broken)
        let good = try Workspace.withButton().run("check", "--format", "json")
        #expect(good.status == 0)
        #expect(
            try JSONValue(parsing: good.output) == [
                "definitions": "Experiments", "valid": true, "errors": 0, "warnings": 0, "problems": [],
                "revision": "2e630c081fc4aba9", "experiments": 1, "layers": 0, "holdouts": 0,
            ])
    }

    @Test("sarif names each place by a relative URI and by line and column")
    func sarif() throws {
        let result = try workspace().run("check", "--format", "sarif")
        #expect(result.status == 1)
        let report = try JSONValue(parsing: result.output)
        #expect(report["version"] == "2.1.0")
        let run = report["runs"]?[0]
        #expect(run?["tool"]?["driver"]?["name"] == "allot")
        let found = run?["results"]?[1]
        #expect(found?["level"] == "error")
        #expect(found?["ruleId"] == run?["tool"]?["driver"]?["rules"]?[0]?["id"])
        let place = found?["locations"]?[0]?["physicalLocation"]
        #expect(place?["artifactLocation"]?["uri"] == "Experiments/100%25%2C%20new%3A%20a.yaml")
        #expect(place?["region"] == ["startLine": 2, "startColumn": 22])
        #expect(run?["results"]?[0]?["locations"]?[0]?["physicalLocation"]?["region"] == nil)
    }
}
