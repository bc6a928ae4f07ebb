import AllotConfiguration
import TestSupport
import Testing

/// `allot srm` on exports of exposures: what counts, and what is judged apart.
@Suite(.blocks) struct SampleRatioPeriodTests {
    private static let header =
        "unit,experiment,salt,variant,revision,reason,override,at,received_at,doubt,reported_at,attributes\n"

    /// A row of an export.
    private struct Row {
        var unit: String
        var variant: String
        var salt = "button"
        var revision = ""
        var reason = "split"
        var override = "false"
        var doubt = ""
        var attributes = "{}"

        func text(_ line: Int) -> String {
            let time = Exposures.time(line)
            let json = attributes.replacing("\"", with: "\"\"")
            return "\(unit),button,\(salt),\(variant),\(revision),\(reason),\(override),\(time),\(time),\(doubt),,"
                + "\"\(json)\"\n"
        }
    }

    private func write(_ rows: [Row], _ data: Exposures) throws {
        let lines = rows.enumerated().map { $1.text($0) }
        try data.workspace.write("export.csv", Self.header + lines.joined())
    }

    private func rows(_ data: Exposures) -> [Row] {
        data.units.map { Row(unit: $0.id, variant: $0.variant) }
    }

    private func revision(_ data: Exposures) throws -> String {
        let long = try data.workspace.assign("user_id\nuser-1\n", "--experiment", "button", "--layout", "long")
        try #require(long.status == 0, "\(long.errors)")
        let row = try #require(try data.workspace.rows().first)
        return try #require(row.last)
    }

    @Test("Rows that are not randomised are left out and counted")
    func whatDoesNotCount() throws {
        let data = try Exposures(1000)
        var all = rows(data)
        // All of them in one variant: had they counted, they would be an alarm.
        for number in 0..<200 {
            var row = Row(unit: "extra-\(number)", variant: "green")
            switch number % 4 {
            case 0: row.reason = "forced"
            case 1: row.override = "true"
            case 2: row.reason = "displaced"
            default: row.salt = "button-2"
            }
            all.append(row)
        }
        all[7].doubt = "too-old"
        try write(all, data)
        try data.srm("export.csv").expectFlatText(
            "1150 rows, 1000 units", "50 forced units in 50 rows: left out",
            "50 rows of overrides on a device: left out",
            "50 rows whose \"reason\" is neither split nor winner: left out",
            "1 unit whose time is in doubt: the server's time is used",
            #"button: rows of other salts left out: "button-2" (50 rows)"#)
        let json = try data.srm("export.csv", "--json")
        #expect(try json.comparison("rows", "overridden") == 50)
        #expect(try json.comparison("rows", "other_reasons") == 50)
        #expect(try json.comparison("rows", "doubtful") == 1)
        #expect(try JSONValue(parsing: json.output)["other_salts"]?[0]?["rows"] == 50)
        // Columns of the record are no attributes to look at.
        #expect(try json.comparison("localisation", "attributes") == [])
    }

    @Test("Rows that an older client marked in the attributes are left out as well")
    func marksInTheAttributes() throws {
        let data = try Exposures(600)
        let marks = [
            #"{"reason":"forced"}"#, #"{"override":true,"country":"DE"}"#, #"{"override":"true"}"#,
            #"{"reason":"traffic"}"#,
        ]
        let extra = (0..<200).map { number in
            "extra-\(number),green,button,\(Exposures.time(700 + number)),"
                + "\"\(marks[number % 4].replacing("\"", with: "\"\""))\"\n"
        }
        try data.export(data.units, others: extra.joined())
        try data.srm("exposures.csv").expectFlatText(
            "800 rows, 600 units", "50 forced units in 50 rows", "100 rows of overrides on a device",
            "50 rows whose \"reason\" is neither", "no value of country, platform stands out")
    }

    @Test("What the attributes of one row say holds for no other row")
    func marksOfOneRow() throws {
        let workspace = try Workspace()
        func rows(_ marked: Int) -> String {
            (0..<100).map { number in
                let attributes =
                    number == marked ? #"{""reason"":""forced"",""revision"":""aa""}"# : #"{""country"":""DE""}"#
                return "u-\(number),\(number % 2 == 0 ? "control" : "green"),\"\(attributes)\"\n"
            }
            .joined()
        }
        for marked in [0, 50, 99] {
            try workspace.write("data.csv", "unit,variant,attributes\n" + rows(marked))
            try workspace.run("srm", "data.csv", "--shares", "control=1,green=1").expectFlatText(
                "99 units", status: nil)
        }
    }

    @Test("Units that the present definition forces count where another revision decided")
    func forcedByAnotherRevision() throws {
        let workspace = try Workspace.withButton(
            "status: running\nvariants: [{ key: control }, { key: green }]\nforced: { u-0: green, u-1: control }\n")
        func result(_ revision: String) throws -> String {
            let rows = (0..<100).map { "u-\($0),\($0 % 2 == 0 ? "control" : "green"),split,\(revision)\n" }
            try workspace.write("data.csv", "unit,variant,reason,revision\n" + rows.joined())
            return try workspace.run(
                "srm", "data.csv", "--experiment", "button", "--shares-of", "\(revision)=control=1,green=1"
            ).flatText
        }
        #expect(try result("00000000000000aa").contains("100 units"))
        let text = try workspace.run("explain", "u-9", "--experiment", "button", "--json").text
        let present = try #require(text.firstMatch(of: /"revision": "([0-9a-f]{16})"/)).1
        #expect(try result(String(present)).contains("98 units"))
    }

    /// Half and half, then 20 to 80: together they are right by neither.
    @Test("Each revision is tested against its own shares")
    func revisionsApart() throws {
        let data = try Exposures(1000)
        try data.workspace.write(
            "Experiments/button.yaml",
            "status: running\nvariants: [{ key: control, weight: 1 }, { key: green, weight: 4 }]\n")
        let present = try revision(data)
        // The variants of the present definition, for other units.
        let assigned = try data.workspace.assign(
            "user_id\n" + (0..<1000).map { "new-\($0)\n" }.joined()
                + data.units.prefix(300).map { "\($0.id)\n" }.joined(), "--experiment", "button")
        try #require(assigned.status == 0)
        var all = rows(data).map { row in
            var row = row
            row.revision = "00000000000000aa"
            return row
        }
        for row in try data.workspace.rows() {
            all.append(Row(unit: row[0], variant: row[1], revision: present))
        }
        // Some of them are units of the first period, which count there only.
        try write(all, data)
        let one = try data.srm("export.csv")
        one.expectText(
            "button, revision \(present): no sign of a sample ratio mismatch (p = ",
            start:
                "button, 1 revision: no sign of a sample ratio mismatch; 1000 units NOT TESTED, see the last lines\n",
            status: 3)
        #expect(
            one.text.hasSuffix(
                """

                button, revision 00000000000000aa: 1000 units not tested, as the shares of that time are not known; \
                give them as 00000000000000aa=control=1,green=4 if they were the present ones

                """))
        #expect(one.flatText.contains("every unit has the variant that Allot assigns to it"))
        let both = try data.srm("export.csv", "--shares-of", "00000000000000aa=control=1,green=1")
        both.expectText(
            "\nbutton, revision 00000000000000aa: no sign of a sample ratio mismatch",
            "\nbutton, revision \(present): no sign of a sample ratio mismatch",
            start: "button, 2 revisions: no sign of a sample ratio mismatch over all of them (p = ")
        #expect(both.flatText.contains("units reassigned between revisions, counted in the first of them"))
        #expect(both.flatText.contains("returning no sign of it: of the units of earlier revisions "))
        let wrong = try data.srm("export.csv", "--shares-of", "00000000000000aa=control=1,green=4", "--json")
        #expect(wrong.status == 2)
        #expect(try wrong.comparison("revision") == "00000000000000aa")
        #expect(try wrong.comparison("cause") == .null)
    }

    @Test("Another randomisation can be chosen, and several are judged apart")
    func randomisationsApart() throws {
        let data = try Exposures(400)
        let others = (0..<100).map { Row(unit: "user-\($0)", variant: "green", salt: "button-2") }
        try write(rows(data) + others, data)
        try data.srm("export.csv").expectFlatText("400 rows, 400 units")
        let other = try data.srm("export.csv", "--salt", "button-2", "--shares", "control=1,green=1")
        #expect(other.text.hasPrefix("button, salt button-2: SAMPLE RATIO MISMATCH (p = "))
        #expect(other.flatText.contains("100 rows, 100 units"))
        try data.srm("export.csv", "--shares", "control=1,green=1").expectText(
            "\nbutton, salt button: no sign of a sample ratio mismatch",
            "\nbutton, salt button-2: SAMPLE RATIO MISMATCH", status: 2)
        try data.srm("export.csv", "--salt", "button-3").expectFailure(
            #"export.csv: no row is of the salts to test, but of "button" (400 rows), "button-2" (100 rows); choose "#
                + "one of these")
    }

    @Test("Counts of two revisions are tested apart")
    func countsByRevision() throws {
        let workspace = try Workspace([
            "data.csv": "variant,count,revision\ncontrol,500,aa\ngreen,500,aa\ncontrol,200,bb\ngreen,800,bb\n"
        ])
        try workspace.run(
            "srm", "data.csv", "--shares", "control=1,green=1", "--shares-of", "bb=control=1,green=4"
        ).expectText("\nrevision aa: no sign", "\nrevision bb: no sign", start: "all rows, 2 revisions: no sign")
    }

    @Test("Counts without times have no order")
    func orderThatIsNotOfTime() throws {
        let workspace = try Workspace(["counts.csv": "variant,count\ngate_30,44700\ngate_40,45489\n"])
        try workspace.run("srm", "counts.csv", "--shares", "1:1").expectText(
            without: ["declare the order"], status: nil)
        try workspace.run("srm", "counts.csv", "--shares", "1:1", "--time-order").expectFailure(
            "counts.csv holds counts of units without times, and the order of counts says nothing of the order of "
                + "units; do not declare an order of time, or name the column of their times")
    }
}
