import AllotConfiguration
import AllotCore
import AllotFiles
import Testing

@testable import AllotBatch

/// Files with another delimiter than the comma: read as such files are, and written with the same delimiter.
struct DelimiterTests {
    private static let rows = [
        ["user_id", "country", "note;\t|,"], ["plain", "DE", ""], ["u;1", "DE", "a;b"], ["u,2", "F,R", "a,b"],
        ["u\t3", "US", "\t"], ["u|4", "DE", "|"], ["\"u5\"", "DE", "a\r\nb"], ["", "US", "ü"],
    ]

    private let plan: Plan

    init() throws {
        plan = try .loaded([
            ("base", "config_sections: { S: { settings: { a: { value: 1 } } } }"),
            ("all", "{ status: running, variants: [ { key: x, overrides: { S: { a: 2 } } }, { key: y } ] }"),
            ("some", "{ status: running, audience: { country: DE }, variants: [ { key: z } ] }"),
        ])
    }

    /// The texts of a file's fields.
    private static func texts(_ text: String, _ delimiter: CSVDelimiter) -> [[String]] {
        ReferenceCSV.records(Array(text.utf8), columnCount: nil, delimiter: delimiter.byte).map { record in
            record.fields.map { String(decoding: $0.value, as: UTF8.self) }
        }
    }

    private func assign(
        _ csv: String, _ delimiter: CSVDelimiter, _ change: (inout BatchAssignment) -> Void
    ) throws -> (output: String, rejects: String) {
        var batch = BatchAssignment(plan: plan, instant: Instant(seconds: 1_795_262_400))
        batch.delimiter = delimiter
        batch.chunkSize = 50
        change(&batch)
        let (output, rejects, _) = try batch.outputs(of: csv)
        return (output, rejects)
    }

    @Test("Every layout has the same fields, whatever the delimiter", arguments: CSVDelimiter.allCases)
    func layouts(delimiter: CSVDelimiter) throws {
        for layout in BatchAssignment.Layout.allCases {
            let change = { (batch: inout BatchAssignment) in
                batch.layout = layout
                batch.includesAll = layout == .long
            }
            let expected = try assign(csvText(Self.rows), .comma, change).output
            let found = try assign(csvText(Self.rows, delimiter), delimiter, change).output
            if layout == .json {
                #expect(found == expected)
            } else {
                #expect(Self.texts(found, delimiter) == Self.texts(expected, .comma))
                #expect(Self.texts(found, delimiter).count > Self.rows.count - 1)
            }
        }
    }

    @Test("Malformed rows are set aside with the delimiter, and messages name it")
    func rejects() throws {
        let csv = "user_id;country\nu1;DE;a;b\nu2;a,b\n\"u;3\";\"x\"y\n"
        let found = try assign(csv, .semicolon) {
            $0.layout = .long
            $0.selection = [0]
            $0.setsRejectsAside = true
        }
        #expect(Self.texts(found.output, .semicolon).map(\.first) == ["unit", "u2"])
        #expect(
            found.rejects == #"""
                line;column;reason;row
                2;7;"4 fields where the header has 2; put fields that hold a semicolon in quotes";"u1;DE;a;b"
                4;10;"text after a closing quote; a quote inside a quoted field is written twice";"""u;3"";""x""y"

                """#)
    }

    @Test("Rows are read with the delimiter", arguments: CSVDelimiter.allCases)
    func csvRows(delimiter: CSVDelimiter) throws {
        var rows = try CSVRows(InputFile(csvText(Self.rows, delimiter)), delimiter: delimiter, chunkSize: 20)
        var found = [rows.header.names]
        while try rows.next() { found.append(rows.header.names.indices.map { rows.text($0) }) }
        #expect(found == Self.rows)
    }

    @Test(
        "A header with another delimiter, and not with the expected one, is an error that names the delimiter",
        arguments: [
            ("a;b", .comma, .semicolon), ("a\tb", .comma, .tab), ("a|b", .comma, .bar), ("a|b;c", .comma, .bar),
            ("\"a;b\"\tc", .comma, .tab), ("a,b", .semicolon, .comma), ("a,b", .tab, .comma), ("a;b", .bar, .semicolon),
            ("\"a;b\"", .comma, nil), ("\"a,b\"", .bar, nil), ("a,b;c", .comma, nil), ("a,b;c", .semicolon, nil),
            ("a", .tab, nil), ("", .comma, nil),
        ] as [(String, CSVDelimiter, CSVDelimiter?)])
    func otherDelimiter(header: String, expected: CSVDelimiter, found: CSVDelimiter?) throws {
        do {
            _ = try ChunkReader(InputFile("\(header)\nx\n"), delimiter: expected)
            #expect(found == nil)
        } catch let error as CSVError {
            #expect(error.foundDelimiter == found)
            let message =
                "the fields are separated by \(found?.name ?? "")s, not by \(expected.name)s (if it is one column, put "
                + "its name in quotes); export the file with \(expected.name)s"
            #expect(error.message == message || header.isEmpty)
        }
    }
}
