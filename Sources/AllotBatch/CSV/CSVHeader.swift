/// The first record of a file: the names of its columns.
public struct CSVHeader: Sendable, Hashable {
    /// The names in order, without quotes.
    public let names: [String]
    /// The bytes of the record as they were, without its LF or CRLF.
    public let bytes: [UInt8]
    /// The number of lines that the record takes up: more than 1 when a quoted name holds a line feed.
    public let lineCount: Int

    /// Reads one record, with its line end or without.
    ///
    /// Throws when it is malformed or empty; the offset is that of the byte in `record`.
    public init(_ record: Span<UInt8>) throws(RowProblem) {
        var commas = 0
        for index in record.indices where record[index] == CSVByte.comma { commas += 1 }
        var parser = CSVRecordParser(columnCount: commas + 1)
        guard parser.next(in: record), !parser.record.isEmpty else {
            throw RowProblem(offset: 0, message: "the first line is empty; it must name the columns")
        }
        switch parser.malformation {
        case nil, .fieldCount: break
        case let problem?: throw RowProblem(problem, offset: parser.malformationOffset)
        }
        var names: [String] = []
        for column in 0..<parser.fieldCount {
            var value: [UInt8] = []
            parser[column].appendValue(in: record, to: &value)
            names.append(String(decoding: value, as: UTF8.self))
        }
        self.names = names
        var bytes: [UInt8] = []
        for index in parser.record { bytes.append(record[index]) }
        self.bytes = bytes
        lineCount = LineFeeds.count(in: bytes.span) + 1
    }

    /// The indices of the columns with a name, compared byte by byte.
    public func indices(of name: String) -> [Int] {
        names.indices.filter { names[$0].utf8.elementsEqual(name.utf8) }
    }
}
