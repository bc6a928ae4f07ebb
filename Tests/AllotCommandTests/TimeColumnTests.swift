import TestSupport
import Testing

/// `allot assign --at-column`, and `allot srm` on what it wrote: each row at its own instant.
@Suite(.blocks) struct TimeColumnTests {
    /// Live for four minutes, with 3000 units, ten a second.
    ///
    /// - Parameter steps: instants and shares; half of the units from the first minute on, all from the second, a tenth
    ///   from the third.
    private static func rampedWorkspace(
        _ steps: KeyValuePairs<String, String> = [
            "2026-11-01T00:00:00Z": "50%", "2026-11-01T00:01:00Z": "100%", "2026-11-01T00:02:00Z": "10%",
        ]
    ) throws -> Workspace {
        let ramp = steps.map { "{ from: \($0.key), share: \($0.value) }" }.joined(separator: ", ")
        let rows = (0..<3000).map { "user-\($0),\(Exposures.time($0 / 10))\n" }
        return try Workspace.withButton(
            """
            status: running
            starts: 2026-11-01T00:00:00Z
            ends: 2026-11-01T00:04:00Z
            traffic: [\(ramp)]
            variants: [{ key: control }, { key: green, overrides: { Page: { Color: green } } }]
            """, and: ["users.csv": "user_id,signed_up_at\n" + rows.joined()])
    }

    private static func assign(_ workspace: Workspace, _ options: String...) throws -> Outcome {
        try Program.run(
            ["assign", "users.csv", "-o", "out.csv", "--at-column", "signed_up_at"] + options, in: workspace.url)
    }

    /// The second buckets by hashlib of Python, of `button:berlin|U1@0`, `button:berlin|U1@2` and `button:a\|b|U2@4`.
    @Test("A unit of several attributes is randomised in the window of its row's instant")
    func windows() throws {
        let workspace = try Workspace.withButton(
            """
            status: running
            unit: [city, line]
            period: { every: 1h, from: 2026-11-01T00:00Z }
            variants: [{ key: control }, { key: green, overrides: { Page: { Color: green } } }]
            """,
            and: [
                "users.csv": "city,line,signed_up_at\nberlin,U1,2026-11-01T00:00:00Z\n"
                    + "berlin,U1,2026-11-01T02:59:59Z\na|b,U2,2026-11-01T04:00:00Z\nberlin,,2026-11-01T04:00:00Z\n"
            ])
        #expect(try Self.assign(workspace, "--layout", "long").status == 0)
        #expect(
            try workspace.rows().map { Array($0.prefix(5)) } == [
                ["berlin|U1", "button", "green", "split", "511114"],
                ["berlin|U1", "button", "control", "split", "447071"],
                ["a\\|b|U2", "button", "green", "split", "931369"],
            ])
        let explanation = try Program.run(
            ["explain", "city=berlin", "line=U1", "--at", "2026-11-01T02:30:00Z"], in: workspace.url)
        explanation.expectText(
            "berlin|U1 gets control in button", "2, from 2026-11-01T02:00Z until before 2026-11-01T03:00Z",
            "hashes button:berlin|U1@2")
    }

    @Test("The summary counts what each row was assigned at its own instant")
    func summary() throws {
        let workspace = try Self.rampedWorkspace()
        let result = try Self.assign(workspace)
        #expect(result.status == 0)
        #expect(result.errorLines.first?.hasPrefix("3000 rows in ") == true)
        let rows = try workspace.rows()
        let assigned = rows.map { !$0[2].isEmpty }
        // About 50 %, 100 %, 10 % and 10 % of 600 rows each, then none of 600.
        let counts = (0..<5).map { period in assigned[(period * 600)..<(period * 600 + 600)].count { $0 } }
        #expect((250...350).contains(counts[0]), "\(counts)")
        #expect(counts[1] == 600, "\(counts)")
        #expect(counts[4] == 0, "\(counts)")
        #expect((30...100).contains(counts[2]), "\(counts)")
        #expect((30...100).contains(counts[3]), "\(counts)")
        result.expectErrors(
            "button: \(counts.reduce(0, +)) assigned", "(expected 50.00%)",
            "SRM not tested: several rows can have one user_id", status: nil)
    }

    @Test("Neither a schedule nor a ramp looks like units that should have no variant")
    func srmKnowsTheTimesOfRows() throws {
        let workspace = try Self.rampedWorkspace()
        #expect(try Self.assign(workspace).status == 0)
        let test = ["srm", "out.csv", "--experiment", "button"]
        try Program.run(test + ["--column", "time=signed_up_at"], in: workspace.url).expectFlatText(without: [
            "should have no variant"
        ])
        // Without times no unit is blamed for a step that applies no longer.
        try Program.run(test, in: workspace.url).expectFlatText(without: ["should have no variant"])
        // At one instant for all, the others look like mistakes.
        try Program.run(
            test + ["--column", "time=signed_up_at", "--at", "2026-11-01T00:03:00Z"], in: workspace.url
        ).expectFlatText("should have no variant at all", "traffic (see allot explain)", status: nil)
    }

    @Test(
        "Without times no unit is reported because of a step that applied before",
        arguments: [
            // The first step is the start itself; before it; and after it, so that no unit is enrolled at first.
            ("2026-11-01T00:00:00Z", "2026-11-01T00:01:00Z"), ("2026-10-01T00:00:00Z", "2026-11-01T00:01:00Z"),
            ("2026-11-01T00:00:30Z", "2026-11-01T00:01:00Z"),
        ])
    func rowsWithoutTimes(first: String, second: String) throws {
        let workspace = try Self.rampedWorkspace([first: "50%", second: "10%"])
        #expect(try Self.assign(workspace).status == 0)
        try Program.run(["srm", "out.csv", "--experiment", "button"], in: workspace.url).expectFlatText(without: [
            "should have no variant"
        ])
    }

    @Test("A statement with --at-column says which column decides")
    func statement() throws {
        let workspace = try Self.rampedWorkspace()
        try Program.run(["sql", "--dialect", "duckdb", "--at-column", "signed_up_at"], in: workspace.url).expectText(
            "-- The instant of evaluation is that of each row in allot_source.\"signed_up_at\", which has the type "
                + "TIMESTAMPTZ.",
            "CASE WHEN allot_at < TIMESTAMPTZ '2026-11-01 00:01:00.000000+00' THEN '8000000000' /* 500000 */")
    }
}
