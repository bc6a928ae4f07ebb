import AllotConfiguration
import TestSupport
import Testing

@Suite(.blocks) struct ListTests {
    private static let ramp = """
        status: running
        owner: Payments
        description: "Fewer steps?\\nSecond line"
        layer: checkout
        slots: [0%..<50%]
        starts: 2026-11-11T12:00:00Z
        ends: 2026-12-01T00:00:00Z
        traffic:
          - { from: 2026-11-11T12:00:00Z, share: 10% }
          - { from: 2026-11-23T12:00:00Z, share: 100% }
        audience: { country: { $in: [DE, AT] }, $or: [{ plan: pro }, { seats: { $gt: 5 } }] }
        variants:
          - { key: control, description: as it is }
          - { key: one, weight: 3, overrides: { Shop: { Steps: 1, Color: { green: 7 } } } }
        forced: { tester: one }
        """

    /// Experiments in each phase at the instant of the runs.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace([
            "Experiments/base.yaml":
                "config_sections: { Shop: { settings: { Color: { value: { blue: 1, green: 2 } }, "
                + "Steps: { value: 3 } } } }",
            "Experiments/layers.yaml": "checkout: { description: All about paying }\n",
            "Experiments/holdouts.yaml": "h2: { share: 2%, layers: [checkout] }\n",
        ])
        try workspace.write("Experiments/ramp.yaml", Self.ramp)
        let others = [
            ("later", "status: running\nstarts: 2027-01-01T00:00:00Z\nowner: search\nrequires: { ramp: [one] }"),
            ("over", "status: running\nends: 2026-11-01T00:00:00Z"), ("idea", "status: draft\nowner: payments"),
            ("held", "status: paused"), ("done", "status: concluded\nwinner: a"),
        ]
        for (key, text) in others {
            try workspace.write("Experiments/\(key).yaml", text + "\nvariants: [{ key: a }]\n")
        }
        return workspace
    }

    @Test("The list has a line for each experiment, and the next change")
    func everyExperiment() throws {
        try workspace().run("list").expectOutput(
            """
            experiment  status     traffic  next                                    layer     owner     description
            done        concluded
            held        paused
            idea        draft                                                                 payments
            later       scheduled           2027-01-01T00:00Z starts                          search
            over        ended
            ramp        running        10%  2026-11-23T12:00Z traffic becomes 100%  checkout  Payments  Fewer steps?

            6 of 6 experiments; the next change is at 2026-11-23T12:00Z, in 2 days

            """)
    }

    @Test("One experiment is shown with all that it says")
    func oneExperiment() throws {
        try workspace().run("show", "ramp").expectOutput(
            """
            ramp
                about       Fewer steps?
                            Second line
                owner       Payments
                status      running since 2026-11-11T12:00Z (10 days), ends 2026-12-01T00:00Z (in 9 days)
                next        2026-11-23T12:00Z traffic becomes 100%, in 2 days
                            2026-12-01T00:00Z ends, in 9 days
                traffic     10% since 2026-11-11T12:00Z; 100% from 2026-11-23T12:00Z
                randomised  user_id, salt ramp
                layer       checkout, slots 0%..<50%
                holdouts    h2 keeps 2% out
                audience    all of
                              any of
                                plan is "pro"
                                seats is above 5
                              country is one of "DE", "AT"
                variants    control  25%  as it is
                            one  75%
                              Shop.Color.green: 2 → 7
                              Shop.Steps: 3 → 1
                forced      1 unit
                revision    \(try revision(of: "ramp"))

            """)
        let later = try workspace().run("show", "later").text
        #expect(later.contains("    status      running, starts 2027-01-01T00:00Z (in 40 days)\n"))
        #expect(later.contains("    requires    one of ramp\n"))
    }

    @Test("The units that can be in an experiment are shown with their shares from the instant on")
    func who() throws {
        let text = try workspace().run("show", "ramp", "--who").text
        for part in [
            "    who can be in:\n        all of\n", "        forced units (1)\n",
            "        for example, a unit with country \"DE\", plan \"pro\", user_id \"unit-",
            "1.225% control, 3.675% one, 95.1% none\n",
            "    of these, from 2026-11-23T12:00:00Z: 12.25% control, 36.75% one, 51% none\n",
            "    of these, from 2026-12-01T00:00:00Z: 100% none\n",
        ] { #expect(text.contains(part), "\(text)") }
        #expect(try workspace().run("show", "held", "--who").text.contains("    who can be in:\n        no unit\n"))
    }

    @Test("The window of a period is shown, with its next one and a unit that is in it", arguments: [true, false])
    func windows(isBalanced: Bool) throws {
        let routes = { (day: Int) in
            """
            status: running
            unit: [city, line]
            period: { every: 1h, from: 2026-11-\(day)T00:00Z, balanced: \(isBalanced) }
            audience: { city: bonn }
            traffic: 50%
            variants: [{ key: slow }, { key: fast }]
            """
        }
        let workspace = try Workspace(["Experiments/now.yaml": routes(21), "Experiments/later.yaml": routes(22)])
        let text = try workspace.run("show", "now", "--who").text
        for part in [
            "    randomised  city|line, salt now, anew every 1h from 2026-11-21T00:00Z",
            "12, since 2026-11-21T12:00Z, the next begins at 2026-11-21T13:00Z (in 1 hour)\n",
            "25% slow, 25% fast, 50% none\n",
            "        for example in window 12, a unit with city \"bonn\", line \"unit-",
        ] { #expect(text.contains(part), "\(text)") }
        let later = try workspace.run("show", "later").text
        #expect(later.contains("running, starts 2026-11-22T00:00Z"))
        #expect(!later.contains("    window"))
    }

    @Test(
        "Conditions, shares and examples are those of each span of instants",
        arguments: [
            (
                "audience: { plan: pro }\nstarts: 2027-01-01T00:00:00Z", "country: DE",
                [
                    "in:\n        country is \"DE\"\n    of these, from", "Z: 100% v\n        for example, a unit with",
                    "from 2027-01-01T00:00:00Z: at most 100% v, as units with a variant of A are left out\n",
                ], []
            ),
            (
                "audience: { country: { $in: [DE, FR] } }", "country: DE",
                ["in:\n        no unit, as each unit that meets the conditions has a variant of A\n"], ["example"]
            ),
            (
                "audience: { country: { $in: [DE, FR] } }\nstarts: 2027-01-01T00:00:00Z", "country: DE",
                ["2027-01-01T00:00:00Z: no unit, as each unit that meets the conditions has a variant of A\n"], []
            ),
            (
                "audience: { country: { $in: [DE, FR] } }\ntraffic: 50%", "country: DE",
                ["at most 100% v, as units with a variant of A are left out\n"], ["no unit"]
            ),
            ("status: paused", "x: { $gt: 1, $lt: 0 }", ["no unit, as no unit meets the conditions\n"], ["example"]),
            ("status: paused", "user_id: { $exists: false }", ["no unit, as no unit meets"], ["example"]),
            ("status: draft\nforced: { u: a }", "x: { $gt: 1, $lt: 0 }", ["no unit, as no unit meets"], []),
        ] as [(String, String, [String], [String])])
    func whoInSpans(other: String, audience: String, parts: [String], others: [String]) throws {
        let status = other.hasPrefix("status") ? "" : "status: running\n"
        let workspace = try Workspace([
            "Experiments/A.yaml": "\(status)\(other)\nvariants: [{ key: a }]\n",
            "Experiments/X.yaml":
                "status: running\naudience: { \(audience) }\nrequires: { A: none }\nvariants: [{ key: v }]\n",
            "Experiments/N.yaml":
                "status: running\naudience: { user_id: { $in: [u1, u2] } }\nvariants: [{ key: a }, { key: b }]\n",
        ])
        let text = try workspace.run("show", "X", "--who").text
        for part in parts { #expect(text.contains(part), "\(text)") }
        for part in others { #expect(!text.contains(part), "\(text)") }
        let named = try workspace.run("show", "N", "--who").text
        #expect(named.contains("Z: shares that are not known, as the conditions test IDs of units\n"), "\(named)")
    }

    private func revision(of key: String) throws -> String {
        let shown = try JSONValue(parsing: workspace().run("show", key, "--json").output)
        return try #require(shown[0]?["revision"]?.text)
    }

    @Test("JSON has the same for programs")
    func json() throws {
        let shown = try workspace().json("show", "ramp", "done")
        // In the order of the keys.
        #expect(shown[0]?["experiment"] == "done")
        #expect(shown[0]?["owner"] == .null)
        #expect(shown[0]?["schedule"] == "concluded: a won")
        let ramp = try #require(shown[1])
        #expect(ramp["next_boundary"] == ["at": "2026-11-23T12:00:00Z", "event": "traffic becomes 100%"])
        #expect(ramp["settings"] == ["Shop.Color", "Shop.Steps"])
        #expect(ramp["holdouts"] == [["holdout": "h2", "share": "2%"]])
        #expect(ramp["variants"]?[1]?["changes"]?[1] == ["base": 3, "setting": "Shop.Steps", "value": 1])
    }

    @Test(
        "Names that do not exist are errors with a hint",
        arguments: [
            (["show", "rampp"], #"unknown experiment "rampp"; did you mean "ramp"?"#),
            (["list", "--owner", "ghosts"], #"unknown owner "ghosts"; there are Payments, payments, search"#),
            (["list", "--owner", "serch"], #"unknown owner "serch"; did you mean "search"?"#),
            (["list", "--layer", "chekout"], #"unknown layer "chekout"; did you mean "checkout"?"#),
            (["list", "--setting", "Shop.Colour"], #"unknown setting "Shop.Colour"; did you mean "Shop.Color"?"#),
            (["list", "--setting", "Basket"], #"unknown setting "Basket"; there are Shop, Shop.Color, Shop.Steps"#),
        ])
    func unknownNames(arguments: [String], message: String) throws {
        try workspace().run(arguments).expectFailure(message)
    }

    @Test("A list can be narrowed to a setting and a layer that exist")
    func selection() throws {
        #expect(try workspace().run("list", "--setting", "Shop", "--layer", "checkout").text.contains("1 of 6"))
        try Workspace.withButton().run("list", "--layer", "l").expectFailure(
            #"unknown layer "l"; the definitions have none"#)
        for mistake in [["list", "--status", "live"], ["show"]] { #expect(Program.answer(mistake).status == 64) }
    }
}
