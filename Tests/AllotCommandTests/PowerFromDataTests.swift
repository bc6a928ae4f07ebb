import AllotConfiguration
import TestSupport
import Testing

/// `allot power KEY --data`: the numbers are those of scipy, see the tests of AllotAnalysis.
@Suite(.blocks) struct PowerFromDataCommandTests {
    private static let game = """
        status: draft
        unit: userid
        variants: [{ key: gate_30 }, { key: gate_40 }]
        """

    private func workspace() throws -> Workspace {
        let rows = (0..<400).map { unit in
            "u\(unit),\(unit % 2 == 0 ? "DE" : "FR"),\(unit % 11),\(unit % 3 == 0)\n"
        }
        return try .withButton(
            Workspace.button + "\naudience: { country: DE }\n",
            and: ["users.csv": "user_id,country,revenue,active\n" + rows.joined()])
    }

    @Test("The definition says who is enrolled, and the data what can be found")
    func plan() throws {
        let outcome = try workspace().run("power", "button", "--data", "users.csv", "--metric", "revenue")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.hasPrefix("Smallest change found with a probability of 80%: "), "\(outcome.text)")
        outcome.expectText("button: control 50%, green 50%")
        outcome.expectText("200 units eligible, 200 expected to be enrolled")
        outcome.expectText("rows that are not eligible: 200 audience")
        outcome.expectText("fixed: one look at the end, Welch's two-sided t-test at 5%")
    }

    @Test("A replay names its salts, and pages show its p-values against uniform ones")
    func replay() throws {
        let workspace = try workspace()
        let words = ["power", "button", "--data", "users.csv", "--metric", "active", "--replay", "--salts", "50"]
        let outcome = try workspace.run(words)
        #expect(outcome.status == 0, "\(outcome.errors)\(outcome.text)")
        outcome.expectText("under 50 salts, button.replay.1 to button.replay.50")
        outcome.expectText("false alarms, one look at the end")
        let page = try workspace.run(words + ["--format", "html"]).text
        #expect(page.contains("Quantiles of the p-values of active under 50 salts"))
    }

    @Test(
        "A plan from data refuses what the data say, and a question without data what is about them",
        arguments: [
            ("button --metric revenue", 64, "A plan from data needs the experiment's key and --data."),
            ("--data users.csv --metric revenue", 64, "A plan from data needs the experiment's key and --data."),
            ("button --data users.csv", 64, "Name the column of a metric with --metric"),
            ("button --data users.csv --metric revenue --baseline 10%", 64, "leave out --baseline"),
            ("button --data users.csv --metric revenue --variants 3", 64, "leave out --variants and --shares"),
            ("button --data users.csv --metric revenue --days 3", 64, "leave out --units"),
            ("button --data users.csv --metric revenue --ratio cost=active", 64, "\"cost\", which is not a --metric"),
            ("button --data users.csv --metric revenue --metric revenue", 64, "is named twice"),
            ("button --data users.csv --metric revenue --metric active --effect 1", 64, "give a relative effect"),
            ("button --data users.csv --metric country", 1, "\"DE\" is not a number"),
            ("buton --data users.csv --metric revenue", 1, "buton"),
            ("--baseline 10% --effect 1% --cluster account", 64, "--cluster goes with --data."),
            ("--baseline 10% --effect 1% --washout 10m", 64, "--washout goes with --data."),
            ("button --data users.csv --metric revenue --washout 10m", 64, "button has no period"),
            (
                "button --data users.csv --metric revenue --at-column at --at 2026-11-21T12:00:00Z", 64,
                "leave out --at and --as-of"
            ),
            ("button --data users.csv --metric revenue --salts 2000000", 64, "--salts takes a number"),
        ] as [(String, Int32, String)])
    func refusals(options: String, status: Int32, message: String) throws {
        let words = options.split(separator: " ").map(String.init)
        // Its folder goes with it.
        let workspace = try workspace()
        defer { withExtendedLifetime(workspace) {} }
        let outcome = try Program.run(["power"] + words, in: workspace.url)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("An experiment with a period is planned by its windows, and needs the instants of rows")
    func period() throws {
        let rows = (0..<400).map { row in
            "line\(row % 4),2026-11-0\(row / 100 + 1)T\(row / 10 % 10 + 10):30:00Z,\(row % 11)\n"
        }
        let workspace = try Workspace.withButton(
            Workspace.button + "\nperiod: { every: 1h, from: 2026-12-01T00:00Z, balanced: true }\n",
            and: ["trips.csv": "user_id,at,fare\n" + rows.joined()])
        let words = ["power", "button", "--data", "trips.csv", "--metric", "fare"]
        let outcome = try workspace.run(words + ["--at-column", "at", "--washout", "10m"])
        outcome.expectText("button: control 50%, green 50%", "160 windows of 80 pairs", "the two-sided paired t-test")
        try workspace.run(words).expectErrors("instant with --at-column", status: 64)
        let salt = try workspace.run("salt", "button", "--users", "trips.csv", "--balance", "fare")
        salt.expectErrors("button randomises anew every 1h")
    }

    /// Mean, skewness and smallest effects are those of numpy and scipy.
    @Test(
        "The players of a real game are planned with",
        .enabled(
            if: SharedData.path("data/cookie_cats.csv") != nil, "\(SharedData.absence(of: "data/cookie_cats.csv"))"))
    func cookieCats() throws {
        let file = try #require(SharedData.path("data/cookie_cats.csv"))
        let workspace = try Workspace.withButton(and: ["Experiments/gate.yaml": Self.game])
        let outcome = try workspace.run(
            "power", "gate", "--data", file, "--metric", "sum_game_rounds", "--metric", "retention_7", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let json = try JSONValue(parsing: outcome.output)
        func number(_ value: JSONValue?) throws -> Double { try #require(value.flatMap { Double($0.canonicalText) }) }
        #expect(try number(json["units"]) == 90_189)
        #expect(try number(json["alpha_per_comparison"]) == 0.025)
        let (rounds, retention) = (json["metrics"]?[0], json["metrics"]?[1])
        for (value, expected) in [
            (rounds?["mean"], 51.8724567297564), (rounds?["skewness"], 185.43322870033228),
            (rounds?["weeks"]?[0]?["effect"], 4.004822026227352), (retention?["mean"], 0.1860648194347426),
            (retention?["weeks"]?[0]?["effect"], 0.007990331685124058),
            (retention?["weeks"]?[0]?["effect_sequential"], 0.010679796682950113),
        ] {
            let value = try number(value)
            // The expected effects are those of the normal distribution.
            #expect(abs(value - expected) < 1e-4 * expected, "\(value) is not \(expected)")
        }
        #expect(retention?["effect_is"]?.text == "added")
    }
}
