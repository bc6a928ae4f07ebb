import AllotConfiguration

/// Splits a chunk of whole records into fields, by the bytes that `ByteBlock` marks, and allocates nothing per record.
///
/// The fields of malformed records are defined too: a quote that opens nothing counts as text, and after a closing
/// quote and text the field goes on unquoted. The first malformation by offset is reported; else bytes that are not
/// UTF-8; else a wrong number of fields.
package struct CSVRecordParser: Sendable {
    package let columnCount: Int
    package let delimiter: CSVDelimiter
    private let delimiterByte: UInt8
    /// The fields found: one for each column and one more, which tells where a surplus begins.
    private var fields: [CSVField]
    package private(set) var fieldCount = 0
    package private(set) var recordStart = 0
    package private(set) var recordEnd = 0
    package private(set) var malformation: CSVProblem?
    /// The byte that is malformed.
    package private(set) var malformationOffset = 0

    /// The quoted fields of very many lines in well-formed records of the chunk so far.
    private(set) var longFields = LongFields()

    /// Where the next record starts.
    private(set) var position = 0
    // The latest block of the chunk, and its marks that have not been used yet.
    private var blockStart = -ByteBlock.size
    private var blockMarks: UInt64 = 0
    private var blockHasHighBit = false

    /// Creates a parser of records of `columnCount` fields, at least 1.
    package init(columnCount: Int, delimiter: CSVDelimiter = .comma) {
        self.columnCount = columnCount
        self.delimiter = delimiter
        delimiterByte = delimiter.byte
        fields = Array(repeating: CSVField(start: 0, end: 0), count: columnCount + 1)
    }

    /// The field of a column, from 0. A field of a record with a problem has no meaning.
    package subscript(column: Int) -> CSVField { fields[column] }

    package mutating func start() {
        resume(at: 0)
        longFields = LongFields()
    }

    package var problem: RowProblem? {
        malformation.map { RowProblem($0, offset: malformationOffset, delimiter: delimiter) }
    }

    /// The bytes of the record as they were, without its LF or CRLF.
    package var record: Range<Int> { recordStart..<recordEnd }

    /// Moves to the next record of the chunk. Returns `false` at its end. Every call until the next `start()` must pass
    /// the same chunk. Complexity: O(length of the record), without allocation.
    package mutating func next(in chunk: Span<UInt8>) -> Bool {
        guard position < chunk.count else { return false }
        precondition(chunk.count < CSVField.offsetLimit, "a chunk must be smaller than 1 GiB")
        recordStart = position
        let hasHighBit = split(chunk)
        if malformation == nil, hasHighBit { validate(chunk) }
        if malformation == nil, fieldCount != columnCount { noteFieldCount(chunk) }
        return true
    }

    /// Moves to where a record starts, past those that ``PlainRecords`` found.
    @inline(__always)
    mutating func resume(at position: Int) {
        self.position = position
        blockStart = position &- ByteBlock.size
        blockMarks = 0
        blockHasHighBit = false
    }

    mutating func next(in chunk: borrowing [UInt8]) -> Bool { next(in: chunk.span) }

    /// Finds the fields of one record. Returns whether one of its bytes may not be ASCII.
    private mutating func split(_ chunk: Span<UInt8>) -> Bool {
        let delimiter = delimiterByte
        var first = FirstProblem()
        var blockStart = blockStart
        var marks = blockMarks
        var isLastHigh = blockHasHighBit
        var hasHighBit = isLastHigh
        var field = FieldScan(start: position)
        var count = 0
        var end = chunk.count
        var next = chunk.count
        var long = longFields
        var slots = fields.mutableSpan

        scan: while true {
            while marks == 0 {
                blockStart &+= ByteBlock.size
                guard blockStart < chunk.count else {
                    // The last record of the file, without a line feed.
                    field.finish(chunk, noting: &first)
                    break scan
                }
                (marks, isLastHigh) = ByteBlock.fieldMarks(chunk, at: blockStart, delimiter: delimiter)
                hasHighBit = hasHighBit || isLastHigh
            }
            let offset = blockStart &+ marks.trailingZeroBitCount
            marks &= marks &- 1
            let byte = chunk[offset]

            if byte == delimiter, field.quoting == .none {
                if count < slots.count { slots[count] = CSVField(start: field.start, end: offset) }
                count &+= 1
                field.start = offset &+ 1
            } else if byte == CSVByte.lineFeed, field.quoting == .none {
                end = offset
                next = offset &+ 1
                break
            } else if field.endsWith(byte, at: offset, in: chunk, delimiter: delimiter, noting: &first) {
                if byte == CSVByte.lineFeed {
                    end = offset
                    next = offset &+ 1
                    break
                }
                if count < slots.count { slots[count] = field.ended(at: offset) }
                count &+= 1
                long.note(place: field.start, lineFeeds: field.lineFeeds)
                field = FieldScan(start: offset &+ 1)
            }
        }

        if next > end, end > field.start, chunk[end &- 1] == CSVByte.carriageReturn { end &-= 1 }
        if count < slots.count { slots[count] = field.ended(at: end) }
        count &+= 1
        long.note(place: field.start, lineFeeds: field.lineFeeds)
        if first.problem == nil, count == columnCount { longFields = long }
        fieldCount = count
        recordEnd = end
        position = next
        self.blockStart = blockStart
        blockMarks = marks
        blockHasHighBit = isLastHigh
        malformation = first.problem
        malformationOffset = first.offset
        return hasHighBit
    }

    private mutating func noteFieldCount(_ chunk: Span<UInt8>) {
        for field in fields.prefix(fieldCount) where field.isQuoted {
            let lines = LineFeeds.count(in: chunk.extracting(field.range))
            guard lines > 0 else { continue }
            malformation = .fieldCountBelow(expected: columnCount, found: fieldCount, lines: lines)
            malformationOffset = field.writtenRange.lowerBound
            return
        }
        let isEmpty = recordStart == recordEnd
        malformation =
            isEmpty ? .emptyLine(expected: columnCount) : .fieldCount(expected: columnCount, found: fieldCount)
        malformationOffset = fieldCount > columnCount ? fields[columnCount].writtenRange.lowerBound : recordEnd
    }

    private mutating func validate(_ chunk: Span<UInt8>) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: chunk.extracting(recordStart..<recordEnd))
        } catch {
            malformation = .invalidUTF8
            malformationOffset = recordStart + error.byteOffsets.lowerBound
        }
    }
}

private struct FirstProblem {
    private(set) var problem: CSVProblem?
    private(set) var offset = 0

    mutating func note(_ problem: CSVProblem, at offset: Int) {
        guard self.problem == nil else { return }
        self.problem = problem
        self.offset = offset
    }
}

/// A field whose end has yet to be found.
private struct FieldScan {
    enum Quoting {
        case none, open, closed
    }

    /// The offset of its first byte, which is the opening quote of a quoted field.
    var start: Int
    private(set) var quoting = Quoting.none
    private var hasEscapes = false
    private var closingQuote = 0
    private(set) var lineFeeds = 0

    @inline(__always)
    init(start: Int) { self.start = start }

    @inline(__always)
    func ended(at offset: Int) -> CSVField {
        quoting == .none
            ? CSVField(start: start, end: offset)
            : CSVField(start: start &+ 1, end: closingQuote, isQuoted: true, hasEscapes: hasEscapes)
    }

    /// Takes a marked byte. Returns `true` if it is the delimiter or line feed that ends the field.
    @inline(__always)
    mutating func endsWith(
        _ byte: UInt8, at offset: Int, in chunk: Span<UInt8>, delimiter: UInt8, noting first: inout FirstProblem
    ) -> Bool {
        switch quoting {
        case .none: break
        case .open:
            if byte == CSVByte.quote {
                quoting = .closed
                closingQuote = offset
            } else if byte == CSVByte.lineFeed {
                lineFeeds &+= 1
            }
            return false
        case .closed:
            let isNext = offset == closingQuote &+ 1
            if isNext, byte == CSVByte.quote {
                quoting = .open
                hasEscapes = true
                return false
            }
            let isEnd =
                isNext
                ? byte == delimiter || byte == CSVByte.lineFeed || byte == CSVByte.carriageReturn
                : byte == CSVByte.lineFeed && offset == closingQuote &+ 2
                    && chunk[offset &- 1] == CSVByte.carriageReturn
            if !isEnd {
                noteTextAfterClosingQuote(chunk, noting: &first)
                quoting = .none
            }
        }
        switch byte {
        case delimiter, CSVByte.lineFeed: return true
        case CSVByte.quote:
            if offset == start {
                quoting = .open
            } else {
                first.note(.quoteInUnquotedField, at: offset)
            }
        case CSVByte.carriageReturn:
            if offset &+ 1 == chunk.count || chunk[offset &+ 1] != CSVByte.lineFeed {
                first.note(.bareCarriageReturn, at: offset)
                quoting = .none
            }
        default: break
        }
        return false
    }

    /// Takes the end of the file.
    mutating func finish(_ chunk: Span<UInt8>, noting first: inout FirstProblem) {
        switch quoting {
        case .none: break
        case .open: first.note(.unclosedQuote, at: start)
        case .closed:
            if closingQuote &+ 1 != chunk.count { noteTextAfterClosingQuote(chunk, noting: &first) }
        }
    }

    /// Notes the text in a field of one line, in one of several the opening quote, which may not belong there.
    @inline(never)
    private func noteTextAfterClosingQuote(_ chunk: Span<UInt8>, noting first: inout FirstProblem) {
        let lines = LineFeeds.count(in: chunk.extracting(start..<closingQuote))
        if lines > 0 {
            first.note(.quoteClosedBelow(lines: lines), at: start)
        } else {
            first.note(.textAfterClosingQuote, at: closingQuote &+ 1)
        }
    }
}
