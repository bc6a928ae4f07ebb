import AllotConfiguration

/// The bytes with a meaning in CSV (RFC 4180), besides the delimiter.
enum CSVByte {
    static let quote = UInt8(ascii: "\"")
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
}

/// Finds where records end, in bytes that arrive piece by piece: at a line feed outside quotes. A quote opens a field
/// after a delimiter or a line feed, or at the start; any other one outside quotes counts as text. Complexity: O(1) per
/// byte.
package struct CSVFraming: Sendable, Hashable {
    /// The offset after the last complete record; `nil` if there is none yet.
    package private(set) var lastRecordEnd: Int?
    /// The offset up to which the bytes have been scanned.
    private var position = 0
    private var isInQuotes = false
    /// The offset of the quote that closed the last quoted field, unless a second quote follows it.
    private var closingQuote = -2
    private let delimiter: UInt8

    /// Begins where a record begins, at offset 0.
    package init(delimiter: CSVDelimiter = .comma) { self.delimiter = delimiter.byte }

    /// Scans the bytes that were added since the last call. `bytes` has the earlier ones too.
    package mutating func scan(_ bytes: Span<UInt8>) {
        guard position < bytes.count else { return }
        if !isInQuotes, ByteSearch.first(CSVByte.quote, in: bytes, from: position) == nil {
            if let lineFeed = ByteSearch.last(CSVByte.lineFeed, in: bytes, from: position) {
                lastRecordEnd = lineFeed + 1
            }
        } else {
            scanQuotes(bytes)
        }
        position = bytes.count
    }

    mutating func scanFirstRecord(_ bytes: Span<UInt8>) {
        while lastRecordEnd == nil, position < bytes.count {
            let lineFeed = ByteSearch.first(CSVByte.lineFeed, in: bytes, from: position)
            scan(bytes.extracting(first: lineFeed.map { $0 + 1 } ?? bytes.count))
        }
    }

    /// Drops the bytes before `offset`, which are now in a chunk.
    mutating func drop(before offset: Int) {
        if let end = lastRecordEnd { lastRecordEnd = end > offset ? end - offset : nil }
        position -= offset
        closingQuote = max(closingQuote - offset, -2)
    }

    private mutating func scanQuotes(_ bytes: Span<UInt8>) {
        let delimiter = delimiter
        var isInQuotes = isInQuotes
        var closingQuote = closingQuote
        var recordEnd = lastRecordEnd ?? -1
        var start = position
        while start < bytes.count {
            var marks = ByteBlock.recordMarks(bytes, at: start)
            while marks != 0 {
                let offset = start &+ marks.trailingZeroBitCount
                marks &= marks &- 1
                if bytes[offset] == CSVByte.lineFeed {
                    if !isInQuotes { recordEnd = offset &+ 1 }
                } else if isInQuotes {
                    isInQuotes = false
                    closingQuote = offset
                } else {
                    isInQuotes =
                        offset == closingQuote &+ 1 || offset == 0 || bytes[offset &- 1] == delimiter
                        || bytes[offset &- 1] == CSVByte.lineFeed
                }
            }
            start &+= ByteBlock.size
        }
        self.isInQuotes = isInQuotes
        self.closingQuote = closingQuote
        lastRecordEnd = recordEnd < 0 ? nil : recordEnd
    }
}
