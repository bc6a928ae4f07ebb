import TestSupport
import Testing

/// What `allot srm` makes of data that are odd, broken or huge.
@Suite(.blocks) struct SampleRatioInputTests {
    private func srm(_ csv: String, _ options: String...) throws -> Outcome {
        try Workspace(["data.csv": csv]).run(["srm", "data.csv"] + options)
    }

    private static let notACount =
        "data.csv:2:9: this is not a count; a count is a whole number from 0 to 9223372036854775807"

    @Test(
        "Wrong input is an error with its place and fix",
        arguments: [
            ("unit,variant\n", "data.csv: there is no row to test"),
            (
                "unit,arm\na,control\n",
                "data.csv has no column \"variant\"; name the column of the variants (it has \"unit\", "
                    + "\"arm\")"
            ),
            (
                "player,variant\na,control\n",
                "data.csv has no column \"unit\" or \"user_id\"; name the column of the unit IDs, or that of "
                    + "counts, or say that each row is a unit (it "
                    + "has \"player\", \"variant\")"
            ),
            ("unit,variant\na,\nb,\n", "data.csv: no row counts for the test, of 2: 2 without a variant"),
            (
                "unit,variant,reason\na,control,price\nb,green,price\n",
                #"data.csv: no row counts for the test, of 2: 2 whose "reason" is neither split nor winner"#
            ),
            ("variant,count\ncontrol,0\ngreen,0\n", "data.csv: no row counts for the test, of 2: all counts are 0"),
            ("variant,count\ncontrol,1.5\n", notACount), ("variant,count\ncontrol,-1\n", notACount),
            ("variant,count\ncontrol,\n", notACount), ("variant,count\ncontrol,9223372036854775808\n", notACount),
            (
                "variant,count\ncontrol,9223372036854775807\ngreen,1\n",
                "data.csv: the counts add up to more than 9223372036854775807; divide them all by the same number"
            ),
        ])
    func failures(csv: String, message: String) throws {
        try srm(csv, "--shares", "control=1,green=1").expectFailure(message)
    }

    @Test("Shares without names are those of as many variants", arguments: [(1, "only a"), (3, "a, b, c")])
    func sharesWithoutNames(count: Int, names: String) throws {
        let rows = ["u,a", "v,b", "w,c"].prefix(count).map { $0 + "\n" }.joined()
        try srm("unit,variant\n" + rows, "--shares", "1:1").expectFailure(
            "data.csv: the shares are those of 2 variants, and the data hold \(names); name each variant with its "
                + "share, such as control=50%,green=50%")
    }

    @Test("Without definitions or shares there is nothing to test against")
    func neitherDefinitionsNorShares() throws {
        let result = try srm("unit,variant\na,b\n")
        #expect(
            result.errorLines == [
                "allot: cannot read the definitions folder Experiments: No such file or directory; name another with "
                    + "--definitions",
                "allot: without definitions, give the shares, such as --shares control=50%,green=50%",
            ])
        #expect(result.status == 1)
    }

    @Test("Experiments that the definitions do not have are noted")
    func experimentsThatAreNotThere() throws {
        let workspace = try Workspace.withButton(and: ["data.csv": "unit,variant\na,control\n"])
        try workspace.run("srm", "data.csv").expectFailure(
            "data.csv does not say which experiment each row belongs to; name one (there are button), or the "
                + "column of experiments, or give the shares")
        try workspace.run("srm", "data.csv", "--experiment", "buton").expectFailure(
            #"unknown experiment "buton"; did you mean "button"?"#)
        try workspace.write("data.csv", "unit,variant,experiment\na,control,color\n")
        try workspace.run("srm", "data.csv").expectFailure(
            "data.csv holds no row of an experiment that the definitions know and that has several variants; it has "
                + "\"color\""
        )
        try workspace.run("srm", "data.csv", "--experiment", "button").expectFailure(
            #"data.csv holds no row of button; it has "color""#)
        try workspace.write(
            "Experiments/button.yaml", "status: running\nvariants: [{ key: a }, { key: b, weight: 0 }]\n")
        try workspace.write("data.csv", "unit,variant\na,a\n")
        try workspace.run("srm", "data.csv", "--experiment", "button").expectFailure(
            "button: fewer than two variants have a share, so there is no ratio to test")
    }

    @Test("Unknown variants are reported")
    func unknownVariants() throws {
        let csv = "unit,variant\na,control\nb,Green\nc,green\nd,Green\ne,none\n"
        let result = try srm(csv, "--shares", "control=1,green=1")
        #expect(
            result.text.hasPrefix(
                "SAMPLE RATIO MISMATCH (units in a variant that has no share: \"Green\", \"none\"): do not trust"))
        result.expectFlatText(
            "unknown variants that have no share: \"Green\" (2 rows; did you mean green?), \"none\" (1 row). "
                + "They are not part of the test; ignore them to leave them out on purpose", status: 2)
        try srm(
            csv, "--shares", "control=1,green=1", "--ignore-variant", "none", "--ignore-variant", "Green"
        ).expectFlatText("3 rows of variants to be ignored: left out")
    }

    @Test("Units in two variants are reported")
    func unitsInTwoVariants() throws {
        let csv = "unit,variant\na,control\nb,green\na,control\na,green\n\"c\nd\",green\n\"c\nd\",control\n,green\n"
        let result = try srm(csv, "--shares", "control=1,green=1", "--time-order")
        #expect(result.flatText.contains("rows 7 rows, 3 units 1 row of units in other rows: a unit counts once"))
        #expect(
            result.flatText.contains(
                "in several 2 units (66.7%) in more than one variant, counted in the first; without them p = "))
        #expect(result.text.contains("  \"a\": control at row 1, green at row 4\n"))
        #expect(result.text.contains("  \"c\\nd\": green at row 5, control at row 6\n"))
        try srm(csv, "--shares", "control=1,green=1").expectFlatText(
            "2 units of them not counted, as no time says which variant was the first", status: nil)
    }

    @Test("Counts may be trillions")
    func countsOfATrillion() throws {
        let csv = "variant,count\ncontrol,1000000000000\ngreen,1000003000000\n"
        // chisquare([10**12, 10**12 + 3 * 10**6]): 4.49999, p = 0.033895
        try srm(csv, "--shares", "1:1").expectOutput(
            """
            no sign of a sample ratio mismatch (p = 0.0339): a share off by 0.00015 percentage points is found with a \
            probability of 80%

                variant       observed         expected  difference  residual
                control  1000000000000  1000001500000.0  -1500000.0     -2.12
                green    1000003000000  1000001500000.0  +1500000.0     +2.12

                ratio       chi-square 4.50, 1 degree of freedom, p = 0.0339 (threshold 0.001)
                sequential  not tested: it takes the times of counts; name their column
                rows        2 rows with counts of 2000003000000 units
                where       no attributes to look at: no other column has between 2 and 50 values

            """)
    }

    @Test("Text that could move the cursor is escaped")
    func textThatCouldMoveTheCursorIsEscaped() throws {
        let rows = (0..<400).map {
            "u\($0),\($0 % 2 == 0 ? "control" : "a\u{1B}[2J"),\($0 % 3 == 0 ? "x\u{7}" : "y")\n"
        }
        let result = try srm("unit,variant,k\n" + rows.joined(), "--shares", "1:1")
        #expect(!result.output.contains(0x1B))
        #expect(!result.output.contains(7))
    }
}
