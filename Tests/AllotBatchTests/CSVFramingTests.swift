import TestSupport
import Testing

@testable import AllotBatch

struct CSVFramingTests {
    /// Where records end with a line feed, according to the oracle.
    private func recordEnds(_ bytes: [UInt8]) -> [Int] {
        ReferenceCSV.records(bytes, columnCount: nil).filter { $0.next > $0.range.upperBound }.map(\.next)
    }

    @Test("The last end of a record is found wherever the bytes are split", arguments: 0..<40)
    func findsTheLastRecordEndAtEverySplit(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        for style in NastyCSV.Style.allCases {
            let bytes = NastyCSV.bytes(using: &generator, style: style, length: 150)
            let ends = recordEnds(bytes)
            for split in 0...bytes.count {
                var framing = CSVFraming()
                framing.scan(bytes.span.extracting(first: split))
                #expect(framing.lastRecordEnd == ends.last { $0 <= split })
                framing.scan(bytes.span)
                #expect(framing.lastRecordEnd == ends.last)
            }
        }
    }

    @Test("Ends of records are found byte by byte, and after bytes are dropped", arguments: 0..<40)
    func findsRecordEndsByteByByteAndAfterDropping(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        let bytes = NastyCSV.bytes(using: &generator, style: .wild, length: 150)
        let ends = recordEnds(bytes)
        var framing = CSVFraming()
        var dropped = 0
        for count in 0...bytes.count {
            framing.scan(bytes[dropped..<count].span)
            if let end = framing.lastRecordEnd {
                #expect(ends.contains(dropped + end))
                framing.drop(before: end)
                dropped += end
            }
            #expect(dropped == ends.last { $0 <= count } ?? 0)
        }
    }

    @Test("The end of the first record is found")
    func findsTheFirstRecord() {
        var framing = CSVFraming()
        framing.scanFirstRecord(Array("\"a\nb\",c\nd\n\"".utf8).span)
        #expect(framing.lastRecordEnd == 8)
    }
}
