import AllotConfiguration

/// The first record of a file: the names of its columns.
package struct CSVHeader: Sendable, Hashable {
    package let names: [String]
    /// The bytes of the record as they were, without its LF or CRLF.
    package let bytes: [UInt8]
    /// The number of lines of the record: more than 1 if a quoted name contains a line feed.
    package let lineCount: Int
    package let delimiter: CSVDelimiter

    /// Reads one record, with or without its line end. Throws if it is malformed or empty, or has another delimiter.
    package init(_ record: Span<UInt8>, delimiter: CSVDelimiter = .comma) throws(RowProblem) {
        if let found = Self.otherDelimiter(of: record, than: delimiter) {
            throw RowProblem(found: found, expected: delimiter)
        }
        var delimiters = 0
        for index in record.indices where record[index] == delimiter.byte { delimiters += 1 }
        var parser = CSVRecordParser(columnCount: delimiters + 1, delimiter: delimiter)
        guard parser.next(in: record), !parser.record.isEmpty else {
            throw RowProblem(offset: 0, message: "the first line is empty; it must name the columns")
        }
        switch parser.malformation {
        case nil, .fieldCount, .fieldCountBelow: break
        case let problem?: throw RowProblem(problem, offset: parser.malformationOffset, delimiter: delimiter)
        }
        var names: [String] = []
        for column in 0..<parser.fieldCount { names.append(parser[column].text(in: record)) }
        self.names = names
        self.delimiter = delimiter
        let bytes = CSVField(start: parser.recordStart, end: parser.recordEnd).value(in: record)
        self.bytes = bytes
        lineCount = LineFeeds.count(in: bytes.span) + 1
    }

    /// The first delimiter outside quotes in a record. Returns `nil` if `expected` is among them, or if there is none.
    private static func otherDelimiter(of record: Span<UInt8>, than expected: CSVDelimiter) -> CSVDelimiter? {
        var isQuoted = false
        var found: CSVDelimiter?
        for index in record.indices {
            let byte = record[index]
            if byte == CSVByte.quote { isQuoted.toggle() }
            guard !isQuoted, let delimiter = CSVDelimiter.allCases.first(where: { $0.byte == byte }) else { continue }
            if delimiter == expected { return nil }
            found = found ?? delimiter
        }
        return found
    }

    package func indices(of name: String) -> [Int] { names.indices.filter { names[$0].utf8.elementsEqual(name.utf8) } }

    /// The indices of the columns whose name no other has.
    package var unambiguousColumns: [Int] { names.indices.filter { indices(of: names[$0]).count == 1 } }
}

extension CSVHeader {
    /// The index of the one column with a name; `BatchError` if no column has it, or several have it.
    package func index(of name: String, in file: String, for purpose: String? = nil) throws(BatchError) -> Int {
        guard let index = try indexIfPresent(of: name, in: file) else {
            let use = purpose.map { " for \($0)" } ?? ""
            throw BatchError(description: "\(file) has no column \(QuotedText(name))\(use); it has \(listedNames)")
        }
        return index
    }

    /// The index of the column with a name; `nil` if no column has it, `BatchError` if several have it.
    package func indexIfPresent(of name: String, in file: String) throws(BatchError) -> Int? {
        let indices = indices(of: name)
        guard indices.count < 2 else { throw Self.error(in: file, bothNamed: name, indices[0], indices[1]) }
        return indices.first
    }

    static func error(in file: String, bothNamed name: String, _ first: Int, _ second: Int) -> BatchError {
        BatchError(
            description:
                "\(file): the columns \(first + 1) and \(second + 1) are both named \(QuotedText(name)); rename one of "
                + "them")
    }

    package var listedNames: String {
        let shown = names.prefix(12).map { QuotedText($0).description }.joined(separator: ", ")
        return names.count > 12 ? "\(shown), … (\(names.count) in all)" : shown
    }
}
