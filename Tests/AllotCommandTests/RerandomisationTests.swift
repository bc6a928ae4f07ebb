import AllotConfiguration
import Foundation
import TestSupport
import Testing

/// `allot salt` and `allot rerandomise` from the command line to the definition and the report.
@Suite(.blocks) struct RerandomisationTests {
    private static let draft = Workspace.button.replacing("running", with: "draft")

    private static func workspace(_ definition: String = draft) throws -> Workspace {
        let units = (0..<80).map { "u\($0),\($0 * 37 % 23),\(["DE", "FR", ""][$0 % 3])\n" }.joined()
        return try Workspace.withButton(definition, and: ["users.csv": "user_id,orders,country\n\(units)"])
    }

    private static let choose = ["salt", "button", "--users", "users.csv", "--balance", "orders,country"]

    @Test("Nothing is written without --write, and the definition then has the salt and how it was chosen")
    func choosing() throws {
        let workspace = try Self.workspace()
        let before = try workspace.read("Experiments/button.yaml")
        let shown = try workspace.run(Self.choose)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.text.hasPrefix("button."))
        #expect(shown.text.contains("the first of the candidates that is among the best 1% of all salts"))
        #expect(shown.text.contains("country = DE"))
        #expect(shown.text.contains("country missing"))
        #expect(shown.text.hasSuffix("not written yet; --write does it\n"), "\(shown.text)")
        #expect(try workspace.read("Experiments/button.yaml") == before)
        let written = try workspace.json("salt", "button", "--users", "users.csv", "--balance", "orders", "--write")
        let salt = try #require(written["salt"]?.text)
        let after = try workspace.read("Experiments/button.yaml")
        #expect(after.contains("\nsalt: \(salt)\nrandomisation:\n  criterion: mahalanobis\n  balance: [orders]\n"))
        #expect(try workspace.run("check").status == 0)
        // The same question has the same answer.
        let again = try workspace.json("salt", "button", "--users", "users.csv", "--balance", "orders")
        #expect(again["salt"]?.text == salt)
        #expect(again["changed"] == false)
    }

    @Test("The page has a plot of the balance, and other forms have none")
    func forms() throws {
        let workspace = try Self.workspace()
        let page = try workspace.run(Self.choose + ["--format", "html"]).text
        #expect(page.contains("Standardised differences of covariates before and after"))
        #expect(!(try workspace.run(Self.choose + ["--format", "markdown"]).text.contains("<svg")))
        try workspace.write("outcomes.csv", "user_id,n\n" + (0..<80).map { "u\($0),\($0 % 5)\n" }.joined())
        let test = ["rerandomise", "outcomes.csv", "--experiment", "button", "--draws", "99"]
        #expect(
            try workspace.run(test + ["--format", "html"]).text.contains("Differences of 99 draws without an effect"))
        #expect(try workspace.run(test).text.contains("green - control"))
    }

    @Test("A unit of two attributes has a column for each of them")
    func compositeUnit() throws {
        let workspace = try Self.workspace("unit: [city, line]\n" + Self.draft)
        let rows = (0..<60).map { "c\($0 % 3),l\($0 / 3),\($0 * 37 % 23)\n" }.joined()
        try workspace.write("lines.csv", "city,line,fare\n" + rows)
        let json = try workspace.json("salt", "button", "--users", "lines.csv", "--balance", "fare")
        #expect(json["units"] == 60)
        let test = try workspace.run(
            "rerandomise", "lines.csv", "--experiment", "button", "--metric", "fare", "--draws", "19")
        #expect(test.status == 0, "\(test.errors)")
    }

    @Test("A running experiment keeps its salt")
    func running() throws {
        let workspace = try Self.workspace(Workspace.button)
        try workspace.run(Self.choose).expectFailure(
            "button is running, and another salt would give its units other variants; copy it to a file of a new key "
                + "with status: draft, and choose the salt there")
    }

    @Test("What is missing on the command line is said")
    func usage() throws {
        let workspace = try Self.workspace()
        #expect(try workspace.run("salt", "button").status == 64)
        #expect(try workspace.run(Self.choose + ["--accept", "1%", "--tries", "9"]).status == 64)
        let least = try workspace.run(Self.choose + ["--accept", "1e-20"])
        #expect(least.status == 64)
        #expect(least.errors.contains("--accept takes a share of at least 0.0001%"))
        #expect(try workspace.run("salt", "button", "--users", "users.csv", "--balance", "orders,orders").status == 64)
        #expect(try workspace.run("rerandomise", "outcomes.csv").status == 64)
    }

    @Test("The variants on record are compared with those that the salt gives")
    func recorded() throws {
        let workspace = try Self.workspace(Workspace.button)
        let assigned = try workspace.run("assign", "users.csv").text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let rows = assigned.dropFirst().enumerated().map { index, fields in
            "\(fields[0]),\(index % 4),\(index == 0 ? "other" : fields[3])\n"
        }
        try workspace.write("outcomes.csv", "user_id,n,arm\n" + rows.joined())
        let json = try workspace.json(
            "rerandomise", "outcomes.csv", "--experiment", "button", "--column", "variant=arm", "--draws", "19")
        #expect(json["recorded"] == 80)
        #expect(json["recorded_otherwise"] == 1)
    }
}
