@testable import AllotBatch
@testable import AllotConfiguration

/// The size of a chunk in the first byte, then a CSV file.
///
/// The file has the same records whatever pieces it arrives in; the fields of a record, written again, are read back.
func fuzzCSV(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let csv = Array(bytes.dropFirst())
    var whole = CSVFraming()
    whole.scan(csv.span)
    var pieces = CSVFraming()
    var end = 0
    while end < csv.count {
        end = min(end + Int(first) + 1, csv.count)
        pieces.scan(csv.span.extracting(first: end))
    }
    check(whole.lastRecordEnd == pieces.lastRecordEnd, "the last record ends elsewhere in pieces")

    let records = Array(csv[..<(whole.lastRecordEnd ?? 0)])
    let columnCount = 1 + Int(first) % 4
    var parser = CSVRecordParser(columnCount: columnCount)
    var written: [UInt8] = []
    var values: [[[UInt8]]] = []
    parser.start()
    while parser.next(in: records) {
        guard parser.problem == nil else { continue }
        var record: [[UInt8]] = []
        for column in 0..<columnCount {
            var value: [UInt8] = []
            parser[column].appendValue(in: records.span, to: &value)
            record.append(value)
            if column > 0 { written.append(UInt8(ascii: ",")) }
            written.appendCSVField(value.span)
        }
        written.append(UInt8(ascii: "\n"))
        values.append(record)
    }
    var again = CSVRecordParser(columnCount: columnCount)
    again.start()
    var index = 0
    var plain = PlainRecords(columnCount: columnCount, limit: 64, isWide: first < 128)
    while true {
        plain.find(1 + Int(first), in: written.span, from: again.position)
        guard plain.count > 0 else { break }
        for record in 0..<plain.count {
            for column in 0..<columnCount {
                check(
                    Array(written[plain[record, column].range]) == values[index][column],
                    "a plain field is read as another")
            }
            index += 1
        }
        again.resume(at: plain.record(plain.count - 1).end + 1)
    }
    while again.next(in: written) {
        check(again.problem == nil, "what was written cannot be read")
        check(index < values.count, "more records are read than were written")
        for column in 0..<columnCount {
            var value: [UInt8] = []
            again[column].appendValue(in: written.span, to: &value)
            check(value == values[index][column], "a field is read as another one than was written")
        }
        index += 1
    }
    check(index == values.count, "fewer records are read than were written")
}
