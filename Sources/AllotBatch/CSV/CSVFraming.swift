import Glibc

/// Finds where records end, in bytes that arrive piece by piece.
///
/// A record ends with a line feed outside quotes. A quote opens a quoted field where a field begins: behind a comma
/// or a line feed, or at the start. Any other quote outside quotes is malformed and counts as text, so that the ends
/// of records are defined for every input. Complexity: O(1) per byte, whatever the pieces.
public struct CSVFraming: Sendable, Hashable {
    /// The offset of the first record.
    private var start: Int
    /// The offset up to which everything is known.
    private var position: Int
    private var isInQuotes = false
    /// The offset behind the last complete record, `nil` when there is none yet.
    public private(set) var lastRecordEnd: Int?

    /// Begins at a byte where a record begins.
    public init(start: Int = 0) {
        self.start = start
        position = start
    }

    /// Looks at the bytes that came since the last call. `bytes` holds the earlier ones too.
    public mutating func scan(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            if isInQuotes {
                scanQuoted(bytes)
                if isInQuotes { return }
            } else {
                scanUnquoted(bytes)
            }
        }
    }

    /// Looks for the end of the first record only, as for a header.
    mutating func scanFirstRecord(_ bytes: Span<UInt8>) {
        while lastRecordEnd == nil, position < bytes.count {
            let length = bytes.withUnsafeBufferPointer { pointer in
                ByteSearch.first(CSVByte.lineFeed, in: pointer, from: position).map { $0 + 1 } ?? pointer.count
            }
            let before = position
            scan(bytes.extracting(first: length))
            // Only a quote at the very end stays open to question.
            if position == before { return }
        }
    }

    /// Forgets the bytes before `offset`, which become somebody else's chunk.
    mutating func drop(before offset: Int) {
        if let end = lastRecordEnd { lastRecordEnd = end > offset ? end - offset : nil }
        position = max(position - offset, 0)
        start = 0
    }

    /// Goes on to behind the closing quote, or to the end of the bytes.
    private mutating func scanQuoted(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { pointer in
            while let quote = ByteSearch.first(CSVByte.quote, in: pointer, from: position) {
                guard quote + 1 < pointer.count else {
                    // The byte that tells an escaped quote from a closing one has yet to come.
                    position = quote
                    return
                }
                if pointer[quote + 1] != CSVByte.quote {
                    isInQuotes = false
                    position = quote + 1
                    return
                }
                position = quote + 2
            }
            position = pointer.count
        }
    }

    /// Goes on to behind the next quote, or to the end of the bytes.
    private mutating func scanUnquoted(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { pointer in
            let quote = ByteSearch.first(CSVByte.quote, in: pointer, from: position)
            let end = quote ?? pointer.count
            if let lineFeed = ByteSearch.last(CSVByte.lineFeed, in: pointer, from: position, to: end) {
                lastRecordEnd = lineFeed + 1
            }
            position = end
            guard let quote else { return }
            position = quote + 1
            isInQuotes =
                quote == start || pointer[quote - 1] == CSVByte.comma || pointer[quote - 1] == CSVByte.lineFeed
        }
    }
}
