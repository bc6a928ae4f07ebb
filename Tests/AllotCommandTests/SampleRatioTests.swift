import AllotConfiguration
import TestSupport
import Testing

/// `allot srm` on data that are as they should be, or not.
@Suite(.blocks) struct SampleRatioTests {
    @Test(
        "A file without a mismatch passes",
        .enabled(
            if: SharedData.path("data/cookie_cats.csv") != nil, "\(SharedData.absence(of: "data/cookie_cats.csv"))"))
    func aRealTest() throws {
        let file = try #require(SharedData.path("data/cookie_cats.csv"))
        let result = try Program.run([
            "srm", file, "--unit-column", "userid", "--column", "variant=version", "--shares",
            "gate_30=50%,gate_40=50%",
        ])
        result.expectOutput(
            """
            no sample ratio mismatch detected, but the ratio is unusual (p = 0.0086; the threshold is 0.001)

                variant  observed  expected  difference  residual
                gate_30     44700   45094.5      -394.5     -2.63
                gate_40     45489   45094.5      +394.5     +2.63

                ratio       chi-square 6.90, 1 degree of freedom, p = 0.0086 (threshold 0.001)
                sequential  not tested: it takes units in the order of time; name the column of their times, or \
            declare the order
                rows        90189 rows, 90189 units
                where       retention_7=False by itself is below the threshold, p = 7.5e-4, but does not differ \
            clearly from the rest
                              value              gate_30  gate_40       p  corrected  p without it
                              retention_7=False    36198    37210  1.9e-4     7.5e-4        0.0852
                              retention_1=False    24666    25370  0.0016     0.0049        0.6714
                            outcomes differ between variants anyway: look at what was known before the assignment
                            skipped for their many values: sum_game_rounds; name them to look at them

            """)
        #expect(result.errors == "")
    }

    @Test("A correct export passes")
    func anExportThatIsRight() throws {
        let data = try Exposures(3000)
        try data.export(data.units)
        let result = try data.srm("exposures.csv")
        #expect(result.text.hasPrefix("button: no sign of a sample ratio mismatch (p = "))
        result.expectFlatText(
            "never below 0.001 rows 3000 rows, 3000 units where no value of country, platform",
            "cause every unit has the variant that Allot assigns to it")
    }

    /// Half of the French units that saw the green button are not recorded.
    @Test("Missing units are a mismatch")
    func unitsThatAreMissing() throws {
        let data = try Exposures(6000)
        let kept = data.units.enumerated().filter { index, unit in
            unit.variant != "green" || unit.country != "FR" || index % 10 == 2
        }
        try data.export(kept.map(\.element))
        let result = try data.srm("exposures.csv")
        #expect(result.text.hasPrefix("button: SAMPLE RATIO MISMATCH (p = "))
        result.expectFlatText(
            "where IT COMES FROM country=FR: without it the ratio is fine, p = ",
            "cause WHO WAS CAPTURED explains 100.0% of the mismatch: units of green are missing from the data, or "
                + "those of control are too many; every unit has the variant that Allot assigns to it",
            "first below 0.001 after ", status: 2)
    }

    /// One in ten units of the control is recorded as green.
    @Test("Units with another variant than the definitions give are reported")
    func unitsThatWereMoved() throws {
        let data = try Exposures(6000)
        var units = data.units
        for index in stride(from: 0, to: units.count, by: 10) { units[index].variant = "green" }
        let moved = zip(data.units, units).count { $0.0.variant != $0.1.variant }
        try data.export(units)
        let result = try data.srm("exposures.csv", "--json")
        #expect(result.status == 2)
        #expect(try result.comparison("alarm") == true)
        #expect(try result.comparison("cause", "finding") == "reassignment")
        #expect(try result.comparison("cause", "reassigned_units") == .number(JSONNumber(moved)))
        #expect(try result.comparison("cause", "basis", "recomputed") == "decision")
        let text = try data.srm("exposures.csv")
        text.expectFlatText(
            "REASSIGNMENT explains ", "(\(moved) from control to green)", ", Allot assigns control", status: nil)
        #expect(text.text.hasPrefix("button: WRONG VARIANTS ("))
    }

    /// What `allot assign` wrote, with a column for each experiment, goes in as it is.
    @Test("The wide layout of allot assign can be read")
    func theWideLayout() throws {
        let data = try Exposures(1000)
        let result = try data.srm("out.csv")
        #expect(result.text.hasPrefix("button: no sign of a sample ratio mismatch"))
        #expect(result.flatText.contains("no value of country, platform stands out"))
        #expect(try data.workspace.run("srm", input: Array(data.workspace.read("out.csv").utf8)).text == result.text)
    }

    @Test("The long layout of allot assign can be read")
    func theLongLayout() throws {
        let workspace = try Workspace([
            "Experiments/base.json": Workspace.base(),
            "Experiments/button.yaml":
                "{ status: running, variants: [{ key: control }, { key: green }], "
                + "forced: { user-1: green, user-2: control } }",
        ])
        let users = "user_id\n" + (0..<200).map { "user-\($0)\n" }.joined()
        #expect(try workspace.assign(users, "--layout", "long").status == 0)
        try workspace.run("srm", "out.csv").expectFlatText(
            "rows 200 rows, 198 units 2 forced units in 2 rows: left out",
            "cause every unit has the variant that Allot assigns to it", status: nil)
        // Without definitions the layout's own column of reasons tells.
        try workspace.run("srm", "out.csv", "--shares", "control=1,green=1").expectFlatText(
            "2 forced units in 2 rows: left out", status: nil)
    }

    @Test("Winners are not randomised and do not count")
    func winnersAreNotRandomised() throws {
        let workspace = try Workspace.withButton()
        let winner = "status: concluded\nwinner: green\nvariants: [{ key: control }, { key: green }]\n"
        try workspace.write("Experiments/button.yaml", winner)
        #expect(try workspace.assign("user_id\na\nb\n", "--layout", "long").status == 0)
        try workspace.run("srm", "out.csv").expectFailure(
            "out.csv: no row counts for the test, of 2: 2 of units that get the winner")
        #expect(try workspace.assign("user_id\n" + (0..<99).map { "u\($0)\n" }.joined()).status == 0)
        try workspace.run("srm", "out.csv", "--experiment", "button").expectFlatText(
            "all units have one variant: after its conclusion everyone gets the winner", status: nil)
    }

    @Test("Several experiments are tested in one run")
    func severalExperiments() throws {
        let data = try Exposures(400)
        try data.workspace.write("Experiments/other.yaml", "status: running\nvariants: [{ key: a }, { key: b }]\n")
        let others =
            (0..<40).map { "user-\($0),a,other,\(Exposures.time(400)),\n" }.joined()
            + "user-1,a,unknown,\(Exposures.time(400)),\n"
        try data.export(data.units, others: others)
        let result = try data.srm("exposures.csv")
        result.expectText(
            "button: no sign of a sample ratio mismatch", "\n\nother: WRONG VARIANTS (p = ",
            end: "\n\nnot tested: \"unknown\" (1 row)\n", status: 2)
        let one = try data.srm("exposures.csv", "--experiment", "button")
        #expect(one.text.hasSuffix("\n\nnot selected: \"other\" (40 rows), \"unknown\" (1 row)\n"))
        let twice = try data.srm("exposures.csv", "--experiment", "button", "--experiment", "button")
        #expect(twice.text == one.text)
        #expect(one.status == 0)
        try data.srm("exposures.csv", "--shares", "1:1").expectFailure(
            "exposures.csv:402:10: the file holds several experiments, \"button\" and \"other\", and the shares are "
                + "those of one; name it")
        #expect(try data.srm("exposures.csv", "--shares", "a=1,b=1", "--experiment", "other").status == 2)
    }

    @Test("Units that should have no variant are reported")
    func unitsThatShouldHoldNothing() throws {
        let data = try Exposures(1000)
        try data.export(data.units)
        try data.workspace.write(
            "Experiments/button.yaml",
            """
            status: running
            audience: { country: { $ne: US } }
            starts: 2026-11-01T00:00:10Z
            variants: [{ key: control }, { key: green }]
            """)
        let result = try data.srm("exposures.csv")
        // At the instant that was named the experiment runs: 400 units are in the United States.
        #expect(result.flatText.contains("400 units should have no variant at all: 400 audience (see allot explain)"))
        // Else each row tells its own: the first ten came too soon.
        try Program.run(["srm", "exposures.csv"], in: data.workspace.url).expectFlatText(
            "406 units should have no variant at all: 396 audience, 10 not-started", status: nil)
    }

    @Test("Without the attributes only the buckets are recomputed")
    func withoutTheAttributesOnlyBuckets() throws {
        let data = try Exposures(500)
        try data.workspace.write(
            "Experiments/button.yaml",
            "status: running\naudience: { plan: pro }\nvariants: [{ key: control }, { key: green }]\n")
        try data.srm("out.csv", "--experiment", "button").expectFlatText(
            "recomputed by bucket only: the data lack plan, which the decision looks at",
            without: ["should have no variant"], status: nil)
    }

    @Test("Attributes can be selected by name")
    func attributesByName() throws {
        let data = try Exposures(600)
        try data.export(data.units)
        try data.srm("exposures.csv", "--by", "platform", "--by", "at").expectFlatText(
            "no value of platform stands out", status: nil)
        try data.srm("exposures.csv", "--by", "contry").expectFailure(
            #"exposures.csv has no column or attribute "contry"; did you mean "country"?"#)
        try data.srm("out.csv", "--by", "city").expectFailure(
            #"out.csv has no column "city"; it has "user_id", "country", "platform", "button""#)
    }

    @Test("Many unknown variants are summarised")
    func manyUnknownVariants() throws {
        let workspace = try Workspace()
        let known = (0..<50).map { "k\($0),a\nl\($0),b\n" }.joined()
        try workspace.write("data.csv", "unit,variant\n" + known + (0..<100).map { "u\($0),v\($0)\n" }.joined())
        let result = try workspace.run("srm", "data.csv", "--shares", "a=1,b=1")
        #expect(result.text.contains("and many more"))
        #expect(result.flatText.contains("and others (80 rows)"))
        let json = try workspace.json("srm", "data.csv", "--shares", "a=1,b=1")
        #expect(json["comparisons"]?[0]?["other_unknown_variants"] == 80)
    }

    /// Rows that are grouped by experiment, and in order within each.
    @Test("The order of time is checked for each experiment")
    func theOrderOfTimeIsThatOfEachExperiment() throws {
        let workspace = try Workspace.withButton(and: [
            "Experiments/other.yaml": "status: running\nvariants: [{ key: control }, { key: green }]\n"
        ])
        var csv = "unit,variant,experiment,at,attributes\n"
        for experiment in ["button", "other"] {
            for unit in 0..<20 {
                csv +=
                    "u\(unit),\(unit % 2 == 0 ? "control" : "green"),\(experiment),2026-01-01T00:00:\(10 + unit)Z,{}\n"
            }
        }
        try workspace.write("data.csv", csv)
        try workspace.run("srm", "data.csv").expectText(without: ["not in the order of time"], status: nil)
    }

    /// The wide layout has a column for an experiment whose unit IDs the file does not have.
    @Test("An experiment without units does not stop the test of others")
    func experimentsWithoutUnitsDoNotKeepOthersFromTheTest() throws {
        let workspace = try Workspace.withButton(and: [
            "Experiments/office.yaml": "status: running\nunit: org_id\nvariants: [{ key: a }, { key: b }]\n",
            "users.csv": "user_id\n" + (0..<100).map { "u\($0)\n" }.joined(),
        ])
        _ = try workspace.run("assign", "users.csv", "-o", "assigned.csv")
        try workspace.run("srm", "assigned.csv").expectText(
            "button: ", #"not tested: "office" (no column of its unit IDs)"#)
    }
}
