import AllotConfiguration
import TestSupport
import Testing

@testable import AllotBatch

struct CSVRecordParserTests {
    /// What the parser finds in a chunk, in the oracle's terms.
    ///
    /// - Parameters:
    ///   - plainLimit: the most records that are taken at once as plain ones, before each of the parser's own.
    ///   - isWide: whether these are found by this processor's vector instructions.
    private func parse(
        _ bytes: [UInt8], columnCount: Int, plainLimit: Int = 0, isWide: Bool = true,
        delimiter: CSVDelimiter = .comma
    ) -> [ReferenceCSV.Record] {
        var parser = CSVRecordParser(columnCount: columnCount, delimiter: delimiter)
        var records: [ReferenceCSV.Record] = []
        parser.start()
        while true {
            if plainLimit > 0 { records += takePlain(plainLimit, from: &parser, bytes, columnCount, isWide: isWide) }
            guard parser.next(in: bytes.span) else { break }
            var record = ReferenceCSV.Record(range: parser.record)
            record.problem = parser.malformation
            record.problemOffset = parser.malformation == nil ? 0 : parser.malformationOffset
            if parser.malformation == nil {
                for column in 0..<columnCount {
                    let field = parser[column]
                    var value: [UInt8] = []
                    field.appendValue(in: bytes.span, to: &value)
                    record.fields.append(ReferenceCSV.Field(value: value, isQuoted: field.isQuoted))
                }
            }
            records.append(record)
        }
        return records
    }

    /// The plain records that come next.
    private func takePlain(
        _ limit: Int, from parser: inout CSVRecordParser, _ bytes: [UInt8], _ columnCount: Int, isWide: Bool
    ) -> [ReferenceCSV.Record] {
        var plain = PlainRecords(columnCount: columnCount, delimiter: parser.delimiter, limit: 64, isWide: isWide)
        var records: [ReferenceCSV.Record] = []
        while records.count < limit {
            plain.find(limit - records.count, in: bytes.span, from: parser.position)
            guard plain.count > 0 else { break }
            for index in 0..<plain.count {
                var record = ReferenceCSV.Record(range: plain.record(index).range)
                for column in 0..<columnCount {
                    record.fields.append(
                        ReferenceCSV.Field(value: Array(bytes[plain[index, column].range]), isQuoted: false))
                }
                records.append(record)
            }
            parser.resume(at: plain.record(plain.count - 1).end + 1)
        }
        return records
    }

    /// The oracle's records, without what only it knows.
    private func expected(
        _ bytes: [UInt8], columnCount: Int, delimiter: CSVDelimiter = .comma
    ) -> [ReferenceCSV.Record] {
        ReferenceCSV.records(bytes, columnCount: columnCount, delimiter: delimiter.byte).map { record in
            var record = record
            record.next = 0
            if record.problem != nil { record.fields = [] }
            return record
        }
    }

    /// Commas and other delimiters stand in the text as well.
    @Test(
        "Random text with any delimiter is parsed as by the reference parser", arguments: CSVDelimiter.allCases, 0..<20)
    func agreesWithTheReference(delimiter: CSVDelimiter, seed: Int) {
        var generator = SeededGenerator(seed: seed)
        for style in NastyCSV.Style.allCases {
            for _ in 0..<20 {
                let length = Int.random(in: 0...200, using: &generator)
                let bytes = NastyCSV.bytes(using: &generator, style: style, length: length).map { byte in
                    byte == UInt8(ascii: ",") && Int.random(in: 0..<8, using: &generator) > 0 ? delimiter.byte : byte
                }
                for count in 1...4 {
                    let expected = expected(bytes, columnCount: count, delimiter: delimiter)
                    for limit in [0, 1, 3, .max] {
                        for isWide in limit == 0 ? [true] : [false, true] {
                            let found = parse(
                                bytes, columnCount: count, plainLimit: limit, isWide: isWide, delimiter: delimiter)
                            #expect(found == expected)
                        }
                    }
                }
            }
        }
    }

    @Test("Every short text is parsed as by the reference parser")
    func everyShortTextAgreesWithTheReference() {
        // All texts of up to 6 of the bytes that matter.
        let alphabet = Array("a,\"\r\n".utf8)
        for length in 0...6 {
            var count = 1
            for _ in 0..<length { count *= alphabet.count }
            for number in 0..<count {
                var rest = number
                var bytes: [UInt8] = []
                for _ in 0..<length {
                    bytes.append(alphabet[rest % alphabet.count])
                    rest /= alphabet.count
                }
                let expected = expected(bytes, columnCount: 2)
                if [0, 1, .max].contains(where: { parse(bytes, columnCount: 2, plainLimit: $0) != expected }) {
                    Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription)")
                }
            }
        }
    }

    @Test("Special bytes are found at every distance from a block")
    func findsSpecialBytesAtEveryDistanceFromABlock() {
        for prefix in 0..<140 {
            let text = String(repeating: "x", count: prefix) + ",\"y, \"\"z\"\"\"\r\nlast," + "é\n"
            let bytes = Array(text.utf8)
            #expect(parse(bytes, columnCount: 2) == expected(bytes, columnCount: 2))
            #expect(parse(bytes, columnCount: 2, plainLimit: 1) == expected(bytes, columnCount: 2))
        }
    }

    @Test("Only a comma, a quote and a line end have a meaning")
    func everyByteIsTakenForWhatItIs() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<9 {
                var bytes = Array(repeating: UInt8(ascii: "x"), count: 70)
                bytes[place] = byte
                bytes[69] = UInt8(ascii: "\n")
                #expect(parse(bytes, columnCount: 1) == expected(bytes, columnCount: 1))
                #expect(parse(bytes, columnCount: 1, plainLimit: 2) == expected(bytes, columnCount: 1))
            }
        }
    }

    @Test(
        "Well-formed records have the expected fields",
        arguments: [
            ("a,b", "a|b"), ("a,b\n", "a|b"), ("a,b\r\n", "a|b"), (",", "|"), ("\"a\",\"b\"", "a|b"),
            ("\"a\"\"b\",\"\"", "a\"b|"), ("\"a\nb\",\"c,d\"", "a\nb|c,d"), ("\"\"\"\",é", "\"|é"),
            (" a , b ", " a | b "),
        ])
    func readsWellFormedRecords(text: String, values: String) {
        let records = parse(Array(text.utf8), columnCount: 2)
        #expect(records.count == 1)
        #expect(records.first?.problem == nil)
        let found = records.first?.fields.map { String(decoding: $0.value, as: UTF8.self) }.joined(separator: "|")
        #expect(found == values)
    }

    @Test(
        "A malformed record is reported with its first problem",
        arguments: [
            ("a\"b,c", CSVProblem.quoteInUnquotedField, 1), ("\"a\"b,c", .textAfterClosingQuote, 3),
            ("a\rb,c", .bareCarriageReturn, 1), ("a,\"b", .unclosedQuote, 2), ("a,b\r", .bareCarriageReturn, 3),
            ("a", .fieldCount(expected: 2, found: 1), 1), ("a,b,c,d", .fieldCount(expected: 2, found: 4), 4),
            ("\n", .emptyLine(expected: 2), 0), ("\r\n", .emptyLine(expected: 2), 0),
            // Of quotes with lines between them the opening one is named.
            ("a,\"b\nc,d\ne,\"f,g\"\n", .quoteClosedBelow(lines: 2), 2),
            ("a,\"b\nc\"d", .quoteClosedBelow(lines: 1), 2),
            ("\"a\"\"\n\"b", .quoteClosedBelow(lines: 1), 0), ("a,\"b\n\n\nc,d\n", .unclosedQuote, 2),
            ("a,\"b\nc\",d\n", .fieldCountBelow(expected: 2, found: 3, lines: 1), 2),
            ("\"a\nb\n\"\n", .fieldCountBelow(expected: 2, found: 1, lines: 2), 0),
        ])
    func tellsWhatIsMalformed(text: String, problem: CSVProblem, offset: Int) {
        let records = parse(Array(text.utf8), columnCount: 2)
        #expect(records.first?.problem == problem)
        #expect(records.first?.problemOffset == offset)
    }

    @Test("All plain records are found, and none after another one", arguments: [false, true])
    func findsAllPlainRecords(isWide: Bool) {
        let plain = String(repeating: "user-1,DE\n,\n", count: 100) + String(repeating: "x", count: 64) + ",y\n"
        // Bytes that are not plain end it at the first record of their block, others at their own.
        for (other, count) in [
            ("\"a\",b\n", 200), ("é,b\n", 200), ("a,b\r\n", 200), ("a\n", 201), ("a,b,c\n", 201), ("a,b", 201),
            (String(repeating: "x", count: 64) + "é,b\n", 201),
        ] {
            let bytes = Array((plain + other).utf8)
            var parser = CSVRecordParser(columnCount: 2)
            parser.start()
            #expect(takePlain(.max, from: &parser, bytes, 2, isWide: isWide).count == count, "\(other)")
            #expect(parse(bytes, columnCount: 2, plainLimit: 7, isWide: isWide) == expected(bytes, columnCount: 2))
        }
    }

    @Test("Plain records of many fields are found, as well as short ones", arguments: [false, true])
    func findsPlainRecordsOfManyFields(isWide: Bool) {
        var generator = SeededGenerator(seed: 1)
        for columnCount in [1, 2, 5, 16, 17, 31, 63, 64, 65, 127, 128, 129, 200, 5000] {
            var text = ""
            let lineCount = columnCount > 1000 ? 3 : 70
            for index in 0..<columnCount * lineCount {
                text += String(repeating: "x", count: Int.random(in: 0...3, using: &generator))
                text += (index + 1).isMultiple(of: columnCount) ? "\n" : ","
            }
            let bytes = Array(text.utf8)
            var parser = CSVRecordParser(columnCount: columnCount)
            parser.start()
            let found = takePlain(.max, from: &parser, bytes, columnCount, isWide: isWide)
            #expect(found == expected(bytes, columnCount: columnCount), "\(columnCount)")
            // A line feed in the place of a comma, and the reverse.
            for line in [lineCount / 2, lineCount - 2] {
                let end = found[line].range.upperBound
                let comma = found[line].range.lowerBound + found[line].fields[0].value.count
                for (place, byte) in [(end, UInt8(ascii: ",")), (comma, UInt8(ascii: "\n"))]
                where bytes[place] != byte {
                    var changed = bytes
                    changed[place] = byte
                    parser.start()
                    let count = takePlain(.max, from: &parser, changed, columnCount, isWide: isWide).count
                    #expect(count == line, "\(columnCount)")
                }
            }
        }
    }

    @Test("Parsing can start over anywhere in a chunk")
    func canBeginAnewAnywhere() {
        var parser = CSVRecordParser(columnCount: 1)
        let first = Array("é\nfirst\n".utf8)
        let second = Array("second\n".utf8)
        parser.start()
        let hasFirst = parser.next(in: first.span)
        parser.start()
        let hasSecond = parser.next(in: second.span)
        #expect(hasFirst)
        #expect(hasSecond)
        #expect(parser.record == 0..<6)
        let hasThird = parser.next(in: second.span)
        #expect(!hasThird)
    }
}
