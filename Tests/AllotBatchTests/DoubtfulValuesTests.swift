import AllotCore
import AllotFiles
import Testing

@testable import AllotBatch

/// Sentences on unit IDs that are words for nothing or floating-point numbers, and on texts that are not instants.
struct DoubtfulValuesTests {
    /// Unit IDs of each kind, and of none, with bars between them.
    static let kinds: [(DoubtfulValues.Kind?, String)] = [
        (
            .wordForNothing,
            "NULL|null|Null|None|none|nan|NaN|NAN|\\N|\\n|undefined|NA|na|N/A|n/a|(null)|<NA>|<null>|[null]|nil|NaT|"
                + "#N/A|<nil>|(none)|[object Object]|-nan|inf|(not set)|00000000-0000-0000-0000-000000000000|NULL |"
                + " NULL|None\t| \tn/a "
        ),
        (
            .floatingPoint,
            "1.0|42.0|1001.00|-1.0|1e+06|1E+06|1.23457E+12|1.5e-7|1.0E6|1.234567E7|1,0|1,23457E+12|1e+100|"
                + "123456789012345680.0|1.0 | 1e+06"
        ),
        (
            .blanks,
            "u1 | u1|\tu1|u1\t| u 1 |42 | 42|7 |  |ünïcode |Null Island |nancy | 3f2504e0-4f89-11d3-9a0c-0305e82c3301|"
                + "3f2504e0-4f89-11d3-9a0c-0305e82c3301 |123456789012345678901234 "
        ),
        (
            nil,
            "|0|1|7|007|-1|u1|user-001|n|N|no|nancy|nulls|Nona|undefine|undefined1|1.5|1.2.3|1.05|1e10|12e5|5e123456|"
                + "1.|.0|1.0.0|1e+|1e+0x|3f2504e0-4f89-11d3-9a0c-0305e82c3301|00000000-0000-0000-0000-000000000001|"
                + "2026-11-21|10.0.0.1|4e2f1a6b-0000-0000-0000-000000000000|a@b.c|1.0@x.y|(nul)|ünïcode|Null Island"
        ),
    ]

    @Test(
        "Words for nothing, floating-point numbers and IDs with blanks at an end are counted, and others are not",
        arguments: kinds)
    func unitIDs(kind: DoubtfulValues.Kind?, texts: String) {
        for text in texts.split(separator: "|", omittingEmptySubsequences: false) {
            var doubts = DoubtfulValues()
            doubts.note(unit: Array(text.utf8).span, of: "id")
            #expect(doubts.entries.first?.kind == kind, "\(text)")
        }
    }

    private static let instant = Instant(seconds: 1_795_262_400)

    private static func plan() throws -> Plan {
        let source =
            "{ status: running, audience: { since: { $before: 2027-01-01T00:00Z } }, variants: [ { key: a } ] }"
        return try .loaded([("base", "config_sections: {}"), ("e", source)])
    }

    private static let csv = """
        user_id,since
        NULL,2026-01-01 00:00+00
        u2,2026-01-01 00:00
        1.0,soon
        "NULL",2026-01-01T00:00Z
        null,
        "N""A",NULL

        """

    private static func run(_ nullWords: [String], _ change: (inout BatchAssignment) -> Void = { _ in }) throws -> (
        text: String, summary: BatchSummary
    ) {
        var batch = BatchAssignment(plan: try plan(), instant: instant)
        batch.layout = .long
        batch.nullWords = nullWords
        change(&batch)
        let (text, _, summary) = try batch.outputs(of: csv)
        return (text, summary)
    }

    @Test("A batch counts them and decides as ever, whatever the size of its chunks", arguments: [16, 40, 1000])
    func batch(chunkSize: Int) throws {
        let (text, summary) = try Self.run([]) { $0.chunkSize = chunkSize }
        #expect(text.split(separator: "\n").map { $0.prefix { $0 != "," } } == ["unit", "NULL", "NULL"])
        #expect(
            summary.counts.doubts.sentences == [
                #"2 rows have "NULL" as the unit ID in "user_id", and all of them are one unit; if they have no "#
                    + "unit, leave the field empty, or declare the word as null",
                #"1 row has "null" as the unit ID in "user_id", and all of them are one unit; if they have no unit, "#
                    + "leave the field empty, or declare the word as null",
                #"1 row has a floating-point number as the unit ID in "user_id", such as "1.0", which is another unit "#
                    + "than the whole number; write IDs as whole numbers or as text",
                #"3 rows have a text in "since" that no test of an instant can read; "2026-01-01 00:00" "#
                    + "has no offset from UTC; if it is in UTC, write 2026-01-01T00:00:00Z, or else end it with its "
                    + "offset, such as +01:00",
            ])
    }

    /// The fields begin in the lines 2, 102, 303 and 402, and have 100, 200, 99 and 200 lines.
    @Test("Fields of very many lines are counted, whatever the size of chunks", arguments: [16, 400, 100_000])
    func longFields(chunkSize: Int) throws {
        func row(_ lines: Int, _ end: String = "") -> String {
            "u,\"\(String(repeating: "x,\"\"y\"\"\r\n", count: lines - 1))\"\(end)\n"
        }
        let csv = "user_id,since\n" + [row(100), row(200)].joined() + "u,\n" + row(99) + row(200)
        var batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        batch.chunkSize = chunkSize
        let found = try batch.outputs(of: csv).summary.counts.doubts.longFields
        #expect(found.count == 3)
        #expect(found.place == 102)
        #expect(found.lineCount == 200)
        var rows = try CSVRows(InputFile(csv), chunkSize: chunkSize)
        while try rows.next() {}
        #expect(rows.doubts.longFields == found)
        #expect(rows.doubts.sentences.first?.contains("opens a field of 200 lines, the longest of 3 such") == true)
        let other = BatchComparison(old: try Self.plan(), new: try Self.plan(), instant: Self.instant)
        #expect(try other.run(InputFile(csv)).doubts.longFields == found)
        // A malformed row is reported as one.
        batch.setsRejectsAside = true
        let summary = try batch.outputs(of: "user_id,since\n" + row(200, "x")).summary
        #expect(summary.rejects.longest?.lineCount == 200)
        #expect(summary.counts.doubts.longFields.count == 0)
    }

    @Test("Words that are declared as null are missing, in quotes too, and only as they are spelled")
    func nullWords() throws {
        let (text, summary) = try Self.run(["NULL", "soon"])
        #expect(text == "unit,experiment,variant,reason,bucket,revision\n")
        #expect(
            summary.counts.doubts.entries.map { "\($0.column) \($0.example) \($0.rowCount)" } == [
                "user_id null 1", "user_id 1.0 1", "since 2026-01-01 00:00 1",
            ])
        #expect(summary.counts.count(experiment: 0, reason: .noUnit) == 2)
        let json = try Self.run(["NULL"]) { $0.layout = .json }.text
        #expect(
            json.split(separator: "\n").map { $0.prefix(13) }.prefix(3) == [
                #"{"unit":null,"#, #"{"unit":"u2","#, #"{"unit":"1.0""#,
            ])
    }

    /// Columns that an experiment reads and that have a twin that it does not read.
    @Test(
        "A column is named that is spelt as one that is read",
        arguments: [
            ("user_id,since,Since", "since", "Since"), ("user_id,SINCE,since", "since", "SINCE"),
            ("userId,user_id,since", "user_id", "userId"), ("user_id,n,N,since", nil, nil),
        ] as [(String, String?, String?)])
    func spellings(header: String, read: String?, other: String?) throws {
        let sentences = read.map { read in
            [
                "the column \"\(read)\" is read, and \"\(other ?? "")\", which is spelt differently, is not; if the "
                    + "values are in the other one, rename both"
            ]
        }
        let batch = BatchAssignment(plan: try Self.plan(), instant: Self.instant)
        #expect(try batch.outputs(of: header + "\n").summary.counts.doubts.sentences == sentences ?? [])
        let comparison = BatchComparison(old: try Self.plan(), new: try Self.plan(), instant: Self.instant)
        #expect(try comparison.run(InputFile(header + "\n")).doubts.sentences == sentences ?? [])
    }

    @Test("A comparison counts the values of both plans' columns once")
    func comparison() throws {
        var comparison = BatchComparison(old: try Self.plan(), new: try Self.plan(), instant: Self.instant)
        let counted = try comparison.run(InputFile(Self.csv)).doubts.entries.map { "\($0.example) \($0.rowCount)" }
        #expect(counted.sorted() == ["1.0 1", "2026-01-01 00:00 3", "NULL 2", "null 1"])
        comparison.nullWords = ["NULL", "null"]
        #expect(
            try comparison.run(InputFile(Self.csv)).doubts.entries.map(\.example).sorted() == [
                "1.0", "2026-01-01 00:00",
            ])
    }

    @Test("Rows that are read one by one have declared words as empty fields, and count the others")
    func rows() throws {
        var rows = try CSVRows(InputFile(Self.csv), nullWords: ["NULL"])
        rows.unitColumns = [0]
        var texts: [String] = []
        while try rows.next() { texts.append("\(rows.text(0))|\(rows.text(1))") }
        #expect(
            texts == [
                "|2026-01-01 00:00+00", "u2|2026-01-01 00:00", "1.0|soon", "|2026-01-01T00:00Z", "null|", "N\"A|",
            ])
        #expect(rows.doubts.entries.map(\.example) == ["null", "1.0"])
    }
}
