import AllotFiles
import TestSupport
import Testing

@testable import AllotBatch

private let closedBelow =
    "this quote is closed in the next line, where text follows it; close it where its text ends, or double it if it "
    + "belongs to the text"
private let quoteInside =
    "a quote inside an unquoted field; put the whole field in quotes and double the quotes in it"

struct CSVRowsTests {
    private struct Row: Equatable {
        let line: Int
        let values: [[UInt8]]
    }

    /// All rows of a file, and the error that ended the reading.
    private func rows(_ csv: [UInt8], chunkSize: Int, limit: Int = 1 << 20) throws -> ([Row], CSVError?) {
        let input = InputFile(bytes: csv, name: "in.csv")
        var rows = try CSVRows(input, chunkSize: chunkSize, maximumRecordLength: limit)
        var result: [Row] = []
        do {
            while try rows.next() {
                result.append(
                    Row(line: rows.line, values: rows.header.names.indices.map { Array(rows.bytes[rows[$0]]) }))
                #expect(rows.rowCount == result.count)
            }
        } catch let error as CSVError {
            return (result, error)
        }
        #expect(try !rows.next())
        return (result, nil)
    }

    /// The same by the oracle: the rows before the first malformed one, and where that one is at fault.
    private func expected(_ bytes: [UInt8], columnCount: Int) -> ([Row], line: Int?, column: Int) {
        var result: [Row] = []
        var records = ReferenceCSV.records(bytes, columnCount: columnCount)
        while columnCount > 1, let last = records.last, last.range.isEmpty { records.removeLast() }
        for record in records {
            let start = record.range.lowerBound
            let line = 2 + bytes[..<start].count { $0 == CSVByte.lineFeed }
            guard record.problem == nil else {
                let before = bytes[start..<record.problemOffset]
                let lineStart = before.lastIndex(of: CSVByte.lineFeed).map { $0 + 1 } ?? start
                let column = 1 + bytes[lineStart..<record.problemOffset].count { $0 & 0xC0 != 0x80 }
                return (result, line + before.count { $0 == CSVByte.lineFeed }, column)
            }
            result.append(Row(line: line, values: record.fields.map(\.value)))
        }
        return (result, nil, 0)
    }

    @Test("Random rows are read as by the reference parser", arguments: 0..<12)
    func agreesWithTheReference(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        for style in NastyCSV.Style.allCases {
            for (header, columnCount) in [("a,b\n", 2), ("a\n", 1), ("\u{FEFF}a,b,c\r\n", 3)] {
                let bytes = NastyCSV.bytes(using: &generator, style: style, length: 90)
                let (wanted, line, column) = expected(bytes, columnCount: columnCount)
                for chunkSize in [1, 2, 3, 7, 16, 64, 65, 4096] {
                    let (found, error) = try rows(Array(header.utf8) + bytes, chunkSize: chunkSize)
                    #expect(found == wanted)
                    #expect(error?.line == line)
                    if line != nil { #expect(error?.column == column) }
                }
            }
        }
    }

    @Test("An error about a field has the line and column of the field")
    func anErrorInAFieldHasItsPlace() throws {
        var rows = try CSVRows(InputFile("id,count\na,1\n\"é\nb\",\"x\"\n"))
        _ = try rows.next()
        #expect(rows.error(in: 1, "no").description == "in.csv:2:3: no")
        _ = try rows.next()
        #expect(rows.error(in: 0, "no").description == "in.csv:3:1: no")
        #expect(rows.error(in: 1, "no").description == "in.csv:4:4: no")
    }

    @Test("The error about a record that is too long has the line of the record")
    func aRecordThatIsTooLongHasItsLine() throws {
        let csv = "id,note\na,b\nc,\(String(repeating: "x", count: 100))\n"
        let (found, error) = try rows(Array(csv.utf8), chunkSize: 16, limit: 50)
        #expect(found.count == 1)
        #expect(
            error?.description
                == "in.csv:3:1: the record that begins here is longer than 50 bytes; is a quote in it never closed?")
    }

    @Test(
        "The error about a malformed row has its line and column, and what to do",
        arguments: [
            ("", "1:1: the file is empty; its first line must name the columns"),
            ("\u{FEFF}", "1:1: the file is empty; its first line must name the columns"),
            ("\nuser_id\na\n", "1:1: the first line is empty; it must name the columns"),
            ("a,b\nu\n", "2:2: 1 field where the header has 2; add the missing one"),
            ("a,b\nu,DE,x\n", "2:6: 3 fields where the header has 2; put fields that hold a comma in quotes"),
            ("a,b\n\nu,DE\n", "2:1: an empty line where the header has 2 fields; remove it"),
            ("a,\"b\nu\n", "1:3: this quote is never closed; close it, or double it if it belongs to the text"),
            ("a,b\nu,\"DE\n", "2:3: this quote is never closed; close it, or double it if it belongs to the text"),
            ("a,b\nu,\"D\"E\n", "2:6: text after a closing quote; a quote inside a quoted field is written twice"),
            ("a,b\n\"u\nv\"w,x\n", "2:1: \(closedBelow)"), ("é,\"b\nc\"d\n", "1:3: \(closedBelow)"),
            ("é,b\"\n1,2\n", "1:4: \(quoteInside)"), ("a,b\n\u{1F986},D\"E\n", "2:4: \(quoteInside)"),
            (
                "a,b\nu,DE\rv,US\n",
                "2:5: a carriage return without a line feed; end lines with LF or CRLF, or put the field in quotes"
            ),
            ("a,b\r\n\"u\r\nv\",DE\r\nw\r\n", "4:2: 1 field where the header has 2; add the missing one"),
        ])
    func malformedRows(text: String, message: String) throws {
        for chunkSize in [1, ChunkReader.defaultChunkSize] {
            let error = #expect(throws: CSVError.self) {
                var rows = try CSVRows(InputFile(text), chunkSize: chunkSize)
                while try rows.next() {}
            }
            #expect(error?.description == "in.csv:\(message)")
        }
    }

    @Test("Columns are found by name")
    func columnsByName() throws {
        let header = try CSVHeader(Array("id,country,id,caf\u{E9}".utf8).span)
        #expect(try header.index(of: "country", in: "in.csv") == 1)
        #expect(try header.indexIfPresent(of: "cafe\u{301}", in: "in.csv") == nil)
        for (name, option, message) in [
            ("x", nil, #"in.csv has no column "x"; it has "id", "country", "id", "café""#),
            ("x", "--by", #"in.csv has no column "x" for --by; it has "id", "country", "id", "café""#),
            ("id", nil, #"in.csv: the columns 1 and 3 are both named "id"; rename one of them"#),
        ] as [(String, String?, String)] {
            #expect(throws: BatchError(description: message)) { try header.index(of: name, in: "in.csv", for: option) }
        }
    }
}
