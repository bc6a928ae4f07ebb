import AllotConfiguration
import TestSupport
import Testing

/// `allot distribution` from the command line to the exit code.
@Suite(.blocks) struct DistributionTests {
    /// Small and quick.
    private static let few = ["--generate", "5000", "--salts", "20", "--salt-units", "500"]

    @Test("Two experiments with one salt are found to be dependent")
    func oneSaltForTwoExperiments() throws {
        let workspace = try Workspace.withButton(and: [
            "Experiments/text.yaml": "{ status: paused, salt: button, variants: [ { key: a }, { key: b } ] }"
        ])
        let result = try workspace.run(["distribution"] + Self.few)
        #expect(
            result.text.hasPrefix(
                """
                Something is wrong: experiment button and experiment text have one salt, "button", so that units get \
                the same buckets in both.

                """))
        #expect(result.text.contains("1 pair not judged by chance: they share a salt"))
        #expect(result.errors == "")
        #expect(result.status == 2)
        let json = try JSONValue(parsing: workspace.run(["distribution", "--json"] + Self.few).output)
        #expect(json["alarm"] == true)
        #expect(try workspace.run(["distribution", "--experiment", "text"] + Self.few).status == 0)
    }

    @Test("All shapes can be examined in one run")
    func allShapes() throws {
        let result = try Workspace.withButton().run(["distribution", "--shape", "all", "--json"] + Self.few)
        let samples = try JSONValue(parsing: result.output)["samples"]
        let names = (0..<6).compactMap { samples?[$0]?["name"]?.text }
        #expect(names == ["sequential", "uuid", "email", "hex", "unicode"])
        #expect(result.status == 0)
    }

    @Test("The units can be a column of a file")
    func aColumnOfAFile() throws {
        let workspace = try Workspace.withButton()
        let long = String(repeating: "x", count: 1025)
        var csv = "country,player\nDE,\nDE,\(long)\nDE,\"p,\"\"0\"\n"
        for row in 1...2000 { csv += "DE,p\(row % 1500)\n" }
        try workspace.write("in.csv", csv)
        try workspace.run("distribution", "in.csv", "--unit-column", "player", "--salts", "20").expectText(
            "\n1,501 unit IDs: in.csv, column player\n", "\n500 rows repeat a unit ID; each unit counts once.\n",
            "\n2 rows have no valid player (empty, or longer than 1024 bytes).\n")
        try workspace.run(
            ["distribution", "-", "--unit-column", "player", "--salts", "20"], input: Array(csv.utf8)
        ).expectText("\n1,501 unit IDs: standard input, column player\n", status: nil)
    }

    @Test("--format html writes a page")
    func aPage() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.run(["distribution", "--format", "html", "-o", "report.html"] + Self.few)
        #expect(result.status == 0)
        let page = try workspace.read("report.html")
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.contains("<p class=\"verdict\">No fault found: 10 tests"))
        #expect(try workspace.files == ["report.html"])
    }

    @Test("A file that cannot be read or written is an error")
    func filesThatCannotBe() throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "user_id\n1\n"])
        try workspace.run("distribution", "in.csv", "--unit-column", "player").expectFailure(
            "in.csv has no column \"player\" for --unit-column; it has \"user_id\"")
        try workspace.run("distribution", "in.csv", "-o", "in.csv").expectFailure(
            "in.csv is the input itself; name another file with -o")
        try workspace.run(["distribution", "--format", "html", "-o", "none/report.html"] + Self.few).expectFailure(
            "cannot write none/report.html: there is no folder none (No such file or directory); create it or write "
                + "elsewhere with -o"
        )
        try workspace.write("bad.csv", "user_id,n\n1,2\n3\n")
        try workspace.run("distribution", "bad.csv", "-o", "out.html").expectFailure(
            "bad.csv:3:2: 1 field where the header has 2; add the missing one")
        #expect(try workspace.files == ["bad.csv", "in.csv"])
        #expect(try workspace.read("in.csv") == "user_id\n1\n")
    }

    @Test("Too few units are not tested")
    func tooFewUnits() throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "user_id\n"])
        let result = try workspace.run("distribution", "in.csv")
        #expect(result.errors == "")
        #expect(result.status == 3)
    }
}
