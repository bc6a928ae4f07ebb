import TestSupport
import Testing

/// The summary of a batch on standard error.
@Suite(.blocks) struct SummaryTests {
    /// Without the first line, which tells the time.
    private func summary(_ result: Outcome) -> String {
        result.errorLines.dropFirst().joined(separator: "\n")
    }

    /// The p-values of two degrees of freedom are exp(-x/2): x is 1.5926 for 7, 4 and 16 of 27 in shares of 1:1:2, and
    /// 2.7051 for 51, 43 and 49 of 143 in shares of 3:3:4.
    @Test("The summary has the counts, the expected shares and the SRM p-value")
    func countsSharesAndSRM() throws {
        let result = try Shop.run("assign", Shop.users)
        #expect(
            result.errorLines.first?.wholeMatch(
                of: /400 rows in \d+\.\d\d s, \d+ rows\/s; revision [0-9a-f]{16}, --at 2026-11-21T12:00:00Z/) != nil)
        #expect(
            summary(result) == """
                141 rows have no valid org_id (empty, or longer than 1024 bytes)
                checkout-button: 28 assigned (27 split, 1 forced)
                    control: 7, 25.93% (expected 25.00%)
                    green: 4, 14.81% (expected 25.00%)
                    green-large: 16, 59.26% (expected 50.00%)
                    SRM p = 0.4510
                checkout-text: 143 assigned
                    control: 51, 35.66% (expected 30.00%)
                    short: 43, 30.07% (expected 30.00%)
                    long: 49, 34.27% (expected 40.00%)
                    SRM p = 0.2586
                larger-basket: 6 assigned
                    control: 2, 33.33% (expected 50.00%)
                    60: 4, 66.67% (expected 50.00%)
                    SRM p = 0.6875 by the exact binomial test, as fewer than 5 units are expected of some variant
                next-idea: 1 assigned (1 forced)
                old-layout: 331 assigned (331 winner)
                semantic-search: 42 assigned
                    classic: 12, 28.57% (expected 35.35%)
                    semantic: 4, 9.52% (expected 25.25%)
                    hybrid: 26, 61.90% (expected 39.39%)
                    SRM not tested: several rows can have one org_id
                """)
    }

    @Test("The summary names what repeats a run: revision and instant, or that each row has its own")
    func revisionAndInstant() throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "user_id,seen\nu1,2026-11-21T12:00:00Z\n"])
        let run = { (options: [String]) in try Program.run(["assign", "in.csv"] + options, in: workspace.url) }
        let now = try #require(
            try run([]).errorLines.first?.firstMatch(of: /; (revision [0-9a-f]{16}), (--at) (\S+Z)$/)?.output)
        let again = try run([String(now.2), String(now.3)])
        #expect(again.errorLines.first?.hasSuffix("; \(now.1), --at \(now.3)") == true)
        let own = try run(["--at-column", "seen"])
        #expect(own.errorLines.first?.hasSuffix("; \(now.1), each row at its own instant") == true)
    }

    /// All in one of two equal shares: p is 2 / 2⁴⁰ and 2 / 2⁸.
    @Test(
        "Few units are tested as `allot srm` tests them, and a mismatch is reported",
        arguments: [
            (
                40,
                "1.8e-12 by the exact binomial test, as fewer than 1000 units are expected of some variant; if no user "
                    + "has several rows: SAMPLE RATIO MISMATCH, do not trust results before it is explained"
            ), (8, "0.0078 by the exact binomial test, as fewer than 5 units are expected of some variant"),
        ])
    func fewUnits(count: Int, p: String) throws {
        let workspace = try Workspace.withButton()
        let units = (0..<200).map { "u\($0)" }
        let lines = try Program.run(["bucket", "button"] + units).text.split(separator: "\n")
        let controls = zip(units, lines).filter { Int($1.split(separator: " ").last ?? "") ?? 0 < 500_000 }
        let result = try workspace.assign("user_id\n" + controls.prefix(count).map { "\($0.0)\n" }.joined())
        #expect(
            summary(result) == """
                button: \(count) assigned
                    control: \(count), 100.00% (expected 50.00%)
                    green: 0, 0.00% (expected 50.00%)
                    SRM p = \(p)
                """)
        #expect(result.status == 0)
        #expect(try workspace.run("srm", "out.csv").text.contains("p = \(p.prefix { $0 != " " })"))
    }

    @Test("Small shares and large ones are neither rounded to nothing nor to everything")
    func smallShares() throws {
        let workspace = try Workspace.withButton(
            "status: running\nvariants: [{ key: control, weight: 99.9985 }, { key: green, weight: 0.0015 }]\n")
        let lines = try workspace.assign("user_id\nu1\n").errorLines
        #expect(lines.contains { $0.hasSuffix("(expected 99.9985%)") }, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("(expected 0.0015%)") }, "\(lines)")
    }

    /// Too many counts are possible to enumerate them, and both commands draw the same ones.
    @Test("Few units of many variants are tested as `allot srm` tests them")
    func fewUnitsOfManyVariants() throws {
        let variants = (0..<8).map { "{ key: v\($0) }" }.joined(separator: ", ")
        let workspace = try Workspace.withButton("status: running\nvariants: [\(variants)]\n")
        let result = try workspace.assign("user_id\n" + (0..<30).map { "u\($0)\n" }.joined())
        let line = try #require(result.errorLines.last?.split(separator: " ", maxSplits: 1).last)
        #expect(
            line.wholeMatch(
                of: /p = 0\.[0-9]{4} by the multinomial test with 50000 random draws \(Monte Carlo\), as fewer .*/)
                != nil)
        #expect(try workspace.run("srm", "out.csv").flatText.contains(line))
        let json = try workspace.run("srm", "out.csv", "--json")
        #expect(try json.comparison("test", "method") == "monte-carlo")
        #expect(try json.comparison("test", "draws") == 50_000)
    }

    @Test("A file without rows is summarised")
    func noRow() throws {
        let lines = try Workspace.withButton().assign("user_id\n").errorLines
        #expect(lines.first?.hasPrefix("0 rows in ") == true)
        #expect(lines.dropFirst() == ["button: 0 assigned"])
    }

    @Test("An experiment without traffic has a column when its traffic begins")
    func withoutTraffic() throws {
        let workspace = try Workspace.withButton()
        func columns(_ traffic: String) throws -> [String] {
            try workspace.write(
                "Experiments/other.yaml", "status: running\ntraffic: \(traffic)\nvariants: [{ key: a }]\n")
            _ = try workspace.assign("user_id\n007\n")
            return try workspace.read("out.csv").split(separator: "\n")[0].split(separator: ",").map(String.init)
        }
        #expect(try columns("0%") == ["user_id", "button"])
        #expect(try columns("[{ from: 2026-11-21T12:00:01Z, share: 5% }]") == ["user_id", "button"])
        #expect(try columns("[{ from: 2026-11-21T12:00:00Z, share: 5% }]") == ["user_id", "button", "other"])
        try workspace.write(
            "Experiments/other.yaml", "status: concluded\nwinner: a\ntraffic: 0%\nvariants: [{ key: a }]\n")
        _ = try workspace.assign("user_id\n007\n")
        #expect(try workspace.read("out.csv").contains("007,green,a\n"))
    }

    @Test(
        "The summary names the experiments that can assign no unit, and why",
        arguments: [
            ("status: paused", "it is paused"), ("status: draft", "it is a draft that forces no unit"),
            ("status: running\nstarts: 2027-01-01T00:00:00Z", "it starts at 2027-01-01T00:00:00Z"),
            ("status: running\nends: 2026-01-01T00:00:00Z", "it has ended"),
            ("status: concluded", "it is concluded without a winner"),
            ("status: running\ntraffic: 0%", "it has a traffic of 0%"),
        ])
    func idleExperiments(definition: String, reason: String) throws {
        let workspace = try Workspace.withButton(and: [
            "Experiments/other.yaml": "\(definition)\nvariants: [{ key: a }, { key: b }]\n"
        ])
        let lines = try workspace.assign("user_id\n007\n").errorLines
        #expect(
            lines.dropFirst().first == "left out, with no unit to assign at 2026-11-21T12:00:00Z: other (\(reason))")
        try workspace.write("Experiments/button.yaml", "status: paused\nvariants: [{ key: a }, { key: b }]\n")
        #expect(
            try summary(workspace.assign("user_id\n007\n"))
                == "no experiment can assign any unit at 2026-11-21T12:00:00Z: button (it is paused), other (\(reason))"
        )
        #expect(
            try summary(workspace.assign("user_id\n007\n", "--experiment", "other"))
                == "other: assigns no unit, \(reason)")
    }

    @Test(
        "Missing columns are named, and one that is probably misspelt",
        arguments: [("country,n", "plan"), ("Plan,country", "plan (did you mean \"Plan\"?)")])
    func missingColumns(columns: String, missing: String) throws {
        let workspace = try Workspace.withButton(
            "status: running\naudience: { country: DE, plan: free }\nvariants: [{ key: a }]\n")
        let result = try workspace.assign("user_id,\(columns)\n007,DE,DE\n")
        #expect(
            result.errorLines.dropFirst().first
                == "the input has no column for: \(missing) (conditions see them as missing)")
    }

    /// The deciding part of an experiment, the rows, and the lines after the count.
    private static let stops: [(experiment: String, rows: String, lines: [String])] = [
        (
            "audience: { country: DE }", "user_id,country\n1,de\n2,de\n3,AT\n",
            [stopped(3, #"country is "DE", and country is "de" in 2 of the first 3"#)]
        ),
        (
            "audience: { country: { $in: [DE, AT] }, age: { $gte: 18 } }", "user_id,country,age\n1,D E,17\n",
            [
                stopped(1, #"age is at least 18, and age is "17" in 1 of the first 1; the test is that "#)
                    + #"country is one of "DE", "AT", and country is "D E" in 1 of the first 1"#
            ]
        ),
        (
            "audience: { country: DE }\ntraffic: 0.0001%", "user_id,country\n1,DE\n2,DE\n3,de\n",
            [
                "the traffic stopped 2 rows", stopped(1, #"country is "DE", and country is "de" in 1 of the first 3"#),
            ]
        ),
        // The nearest value is the last one before the literal, in the order of the test, and not as text.
        (
            "audience: { v: { $vgte: '6' } }", "user_id,v\n1,4.10.0\n2,5.9.9\n3,5.10.0\n4,1.0\n5,\n6,x\n",
            [stopped(6, #"v is version "6" or later, and v is "5.10.0" in 1 of the first 6"#)]
        ),
        (
            "audience: { n: { $gt: 100 } }", "user_id,n\n1,9\n2,100\n3,20\n",
            [stopped(3, #"n is above 100, and n is "100" in 1 of the first 3"#)]
        ),
        (
            "audience: { n: { $gt: m } }", "user_id,n\n1,a\n2,b\n3,b\n",
            [stopped(3, #"n is above "m", and n is "b" in 2 of the first 3"#)]
        ),
        (
            "audience: { t: { $after: 2026-06-01T00:00Z } }",
            "user_id,t\n1,2026-05-01T00:00Z\n2,2026-05-02T00:00+02:00\n3,2026-05-01T23:00Z\n",
            [stopped(3, #"t is after "2026-06-01T00:00Z", and t is "2026-05-01T23:00Z" in 1 of the first 3"#)]
        ),
        (
            "audience: { n: { $gt: 100 } }", "user_id,n\n1,\n2,\n3,20\n",
            [stopped(3, "n is above 100, and n is missing in 2 of the first 3")]
        ),
        (
            "requires: { other: [a] }", "user_id,country\n1,DE\n",
            ["the requirement stopped 1 row; other has to assign a, and assigns no variant to 1 of the first 1"]
        ),
        (
            "audience: { country: DE }", "user_id,country\n1,\u{1B}[2J\n",
            [stopped(1, #"country is "DE", and country is "\u001b[2J" in 1 of the first 1"#)]
        ),
    ]

    private static func stopped(_ count: Int, _ finding: String) -> String {
        "the audience stopped \(count) row\(count == 1 ? "" : "s"); the test is that \(finding)"
    }

    @Test("An experiment that assigned no unit says which check stopped how many rows", arguments: stops.indices)
    func unassigned(index: Int) throws {
        let workspace = try Workspace.withButton(
            "status: running\n\(Self.stops[index].experiment)\nvariants: [{ key: a }]",
            and: ["Experiments/other.yaml": "status: running\ntraffic: 0.0001%\nvariants: [{ key: a }]"])
        for rows in [Self.stops[index].rows, Self.stops[index].rows.replacing("\n", with: "\r\n")] {
            let result = try workspace.assign(rows, "--experiment", "button")
            #expect(
                result.errorLines.drop { $0 != "button: 0 assigned" }.dropFirst().map { String($0.dropFirst(4)) }
                    == Self.stops[index].lines)
        }
    }

    /// A stream cannot be taken back, but it ends with a whole row.
    @Test("A stream that fails in the middle ends with a whole row")
    func failureInTheMiddleOfAStream() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.run("assign", input: Array("user_id,n\n007,1\nu\n".utf8))
        #expect(result.text == "user_id,n,button\n007,1,green\n")
        #expect(result.errors == "allot: standard input:3:2: 1 field where the header has 2; add the missing one\n")
        #expect(result.status == 1)
    }
}
