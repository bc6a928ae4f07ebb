import Foundation
import TestSupport
import Testing

/// Commands on an experiment with `unit: none`.
@Suite(.blocks) struct WithoutUnitTests {
    private func workspace() throws -> Workspace {
        try Workspace.withButton(and: [
            "Experiments/base.json":
                #"{"config_sections": {"Page": {"settings": {"Color": {"value": "blue"}, "#
                + #""Currency": {"value": "USD"}}}}}"#,
            "Experiments/euro.yaml":
                "{ status: running, unit: none, audience: { country: DE }, "
                + "variants: [{ key: euro, overrides: { Page: { Currency: EUR } } }] }",
        ])
    }

    @Test("Rows without a unit ID get the variant of everyone in the audience")
    func rows() throws {
        let workspace = try workspace()
        let result = try workspace.assign("user_id,country\n007,DE\n,DE\n,US\nu,US\n")
        #expect(
            try workspace.read("out.csv")
                == "user_id,country,button,euro\n007,DE,green,euro\n,DE,,euro\n,US,,\nu,US,control,\n")
        result.expectErrors("euro: 2 assigned (2 everyone)", "2 rows have no valid user_id", status: nil)
        _ = try workspace.assign("user_id,country\n007,DE\n,DE\n", "--layout", "long", "--experiment", "euro")
        #expect(
            try workspace.rows().map { Array($0.prefix(5)) }
                == [["007", "euro", "euro", "everyone", ""], ["", "euro", "euro", "everyone", ""]])
    }

    @Test("A file needs no column of unit IDs")
    func withoutColumn() throws {
        let workspace = try workspace()
        #expect(try workspace.assign("country\nDE\nUS\n", "--experiment", "euro").status == 0)
        #expect(try workspace.read("out.csv") == "country,euro\nDE,euro\nUS,\n")
    }

    @Test("Definitions that look at no attribute decide every row, and statements of SQL have no stage")
    func noAttribute() throws {
        let workspace = try Workspace([
            "Experiments/base.json": Workspace.base(),
            "Experiments/all.yaml":
                "{ status: running, unit: none, variants: [{ key: red, overrides: { Page: { Color: red } } }] }",
        ])
        _ = try workspace.assign("x\n1\n2\n")
        #expect(try workspace.read("out.csv") == "x,all\n1,red\n2,red\n")
        _ = try workspace.assign("x\n1\n", "--layout", "json")
        #expect(try workspace.read("out.csv").contains(#""Color":{"value":"red"}"#))
        #expect(try workspace.run("config", "u").text.contains(#""reason":"everyone""#))
        for dialect in SQLTests.dialects {
            try workspace.run("sql", "--dialect", dialect).expectText(
                without: ["WITH\n", "Unit IDs are hashed", "EXCEPT", "EXCLUDE"], status: nil)
        }
        let function = ["--layout", "long", "--create", "function", "of_all"]
        #expect(try workspace.run(["sql", "--dialect", "duckdb"] + function).text.contains("1 AS allot_everyone"))
    }

    @Test("A preview says what everyone gets, and who is without an ID")
    func preview() throws {
        let workspace = try workspace()
        _ = try workspace.shell("cp -r Experiments Former")
        try workspace.write(
            "Former/euro.yaml",
            "{ status: running, variants: [{ key: euro, overrides: { Page: { Currency: EUR } } }] }")
        try workspace.run("diff", "Former", "Experiments").expectText(
            #"no longer randomised: subjects without "user_id" are in it too"#, status: nil)
        try workspace.run("diff", "Experiments", "Former").expectText(
            #"randomised now: subjects without "user_id" are no longer in it"#, status: nil)
        try workspace.write(
            "Former/euro.yaml",
            "{ status: running, unit: none, variants: [{ key: dollar, overrides: { Page: { Currency: USD2 } } }] }")
        try workspace.run("diff", "Former", "Experiments").expectText(
            "What everyone in the audience of euro gets changes.", status: nil)
    }

    @Test("An explanation says that everyone in the audience gets it")
    func explanation() throws {
        try workspace().run("explain", "u", "country=DE", "--experiment", "euro").expectText(
            start: "This subject gets euro in euro, because everyone in its audience gets it.\n", without: ["unit"],
            status: nil)
        let json = try workspace().run("explain", "u", "country=DE", "--experiment", "euro", "--json")
        json.expectText(#""reason": "everyone""#, #""unit": null"#, status: nil)
        try workspace().run("explain", "u", "country=US", "--experiment", "euro").expectText(
            "gets no variant of euro: the unit is not in the audience", status: nil)
    }

    @Test("The configuration names the assignment, and that it has no unit")
    func configuration() throws {
        try workspace().run("config", "u", "country=DE").expectText(
            #""euro":{"reason":"everyone","revision":""#,
            #""settings":["Page.Currency"],"unit":"none","variant":"euro"}"#, #""Currency":{"value":"EUR"}"#,
            status: nil)
    }

    @Test("Recorded rows without a unit ID are kept where everyone gets the same")
    func verification() throws {
        let workspace = try workspace()
        let csv = "user_id,country,flag,variant\n,DE,Currency,EUR\n,US,Currency,USD\n,DE,euro,euro\n,US,Color,blue\n"
        try workspace.write("seen.csv", csv)
        try workspace.run("import-verify", "seen.csv").expectText(
            start: "3 of 4 rows keep their variant\n1 row has no unit ID, which proves nothing\n", status: 2)
    }

    @Test("What a draw has is refused by name")
    func refusals() throws {
        let workspace = try workspace()
        let start = "euro is not randomised (unit: none), so there is no"
        try workspace.run("distribution", "--experiment", "euro").expectFailure("\(start) distribution to test")
        try workspace.run("reweight", "euro", "--shares", "euro=50%").expectFailure("\(start) share to change")
        try workspace.run("ramp", "euro", "1%", "--from", "2027-01-01T00:00:00Z", "--every", "1d").expectFailure(
            "\(start) traffic to change")
        try workspace.write("seen.csv", "user_id,variant\n1,euro\n")
        try workspace.run("srm", "seen.csv", "--experiment", "euro").expectFailure(
            "euro: it is not randomised (unit: none), so there is no ratio to test")
        #expect(try workspace.run("check").status == 0)
    }
}
