import AllotConfiguration
internal import CByteMarks

/// Finds plain records: of ASCII without quotes and control characters, with the right number of fields and a line
/// feed. Most files have no others. Many are found at once, without a branch on the length of a field, which is hard to
/// guess.
struct PlainRecords: Sendable {
    let columnCount: Int
    private(set) var count = 0
    /// The offset before the first record, then record after record that of the byte after each field.
    private var marks: [UInt32]
    private let delimiter: UInt8
    private let isWide: Bool

    /// The most records that are found at once, and next time.
    private let limit: Int
    private var reach: Int

    /// The most fields that are found at once, unless one record has more: their list stays in the nearest cache.
    private static let fieldLimit = 4096

    /// At most `limit` records are found at once. `isWide` is `false` for the code that runs on every processor.
    init(columnCount: Int, delimiter: CSVDelimiter = .comma, limit: Int, isWide: Bool = true) {
        self.columnCount = columnCount
        self.delimiter = delimiter.byte
        self.isWide = isWide && ByteBlock.isWide
        self.limit = min(limit, max(Self.fieldLimit / columnCount, 1))
        reach = self.limit
        // Room for the marks of a whole block after the last record.
        marks = Array(repeating: 0, count: 1 + self.limit * columnCount + ByteBlock.size)
    }

    /// Finds at most `most` of the records that start at `position`, if any at least one, but none that ends in the
    /// same 64 bytes, counted from `position`, as a byte that is not plain.
    @inline(__always)
    mutating func find(_ most: Int, in chunk: Span<UInt8>, from position: Int) {
        precondition(chunk.count < CSVField.offsetLimit, "a chunk must be smaller than 1 GiB")
        let limit = min(most, reach)
        reach = min(reach &* 2, self.limit)
        marks[0] = UInt32(truncatingIfNeeded: position &- 1)
        let (columnCount, delimiter, isWide) = (columnCount, delimiter, isWide)
        count = marks.withUnsafeMutableBufferPointer { marks in
            chunk.withUnsafeBufferPointer { chunk in
                guard let bytes = chunk.baseAddress, let ends = marks.baseAddress, position < chunk.count else {
                    return 0
                }
                let find = isWide ? allot_find_plain_records_wide : allot_find_plain_records
                return find(bytes, position, chunk.count, delimiter, columnCount, limit, ends + 1)
            }
        }
    }

    /// Finds a single record next time, and then twice as many each time, for callers that do not use all of them.
    mutating func startSmall() { reach = 1 }
    subscript(record: Int, column: Int) -> CSVField { bytes(record, column..<column + 1) }
    func record(_ record: Int) -> CSVField { bytes(record, 0..<columnCount) }

    private func bytes(_ record: Int, _ columns: Range<Int>) -> CSVField {
        var bytes = CSVField(start: 0, end: 0)
        forEach(record..<record + 1, columns) { bytes = $1 }
        return bytes
    }

    /// Calls `body` for each record with the bytes from its first to its last field of some columns.
    @inline(__always)
    func forEach(_ records: Range<Int>, _ columns: Range<Int>, _ body: (_ record: Int, _ field: CSVField) -> Void) {
        // So every place below is valid, and the loop needs no checks.
        precondition(records.lowerBound >= 0 && records.upperBound <= count)
        precondition(columns.lowerBound >= 0 && columns.upperBound <= columnCount && !columns.isEmpty)
        let marks = marks.span
        var place = records.lowerBound &* columnCount
        for record in records {
            let start = Int(marks[unchecked: place &+ columns.lowerBound] &+ 1)
            body(record, CSVField(start: start, end: Int(marks[unchecked: place &+ columns.upperBound])))
            place &+= columnCount
        }
    }
}
