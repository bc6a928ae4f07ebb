import AllotCore

/// The place of one field of a record in its chunk.
package struct CSVField: Sendable, Hashable {
    /// Offsets must be below this: 2^30, 1 GiB.
    static let offsetLimit = 1 << 30

    // Eight bytes, which are stored at once: the parser writes one of these per field.
    private let startBits: UInt32
    private let endBits: UInt32

    @inline(__always)
    init(start: Int, end: Int, isQuoted: Bool = false, hasEscapes: Bool = false) {
        startBits = UInt32(truncatingIfNeeded: start)
        endBits = UInt32(truncatingIfNeeded: end) &<< 2 | (isQuoted ? 1 : 0) | (hasEscapes ? 2 : 0)
    }

    /// The offset of the first byte of the value: after the opening quote of a quoted field.
    package var start: Int { Int(startBits) }
    /// The offset after the last byte of the value: at the closing quote of a quoted field.
    package var end: Int { Int(endBits &>> 2) }
    var length: Int { end &- start }
    package var isQuoted: Bool { endBits & 1 != 0 }
    /// Whether the value contains doubled quotes, so that its bytes are not its text.
    package var hasEscapes: Bool { endBits & 2 != 0 }
    package var range: Range<Int> { start..<end }
    package var writtenRange: Range<Int> { isQuoted ? start - 1..<end + 1 : range }
    package var isEmpty: Bool { start == end }

    package func appendValue(in chunk: Span<UInt8>, to bytes: inout [UInt8]) {
        var index = start
        while index < end {
            let byte = chunk[index]
            bytes.append(byte)
            index += hasEscapes && byte == CSVByte.quote ? 2 : 1
        }
    }

    /// The value with each doubled quote as a single one. Complexity: O(length of the field).
    package func value(in chunk: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        appendValue(in: chunk, to: &bytes)
        return bytes
    }

    func text(in chunk: Span<UInt8>) -> String { String(decoding: value(in: chunk), as: UTF8.self) }

    /// A hash of the value as a unit ID. Returns `nil` for other values, and for a word that means a missing one.
    func unitHash(in chunk: Span<UInt8>, missing words: NullWords) -> UInt64? {
        func hash(_ id: Span<UInt8>) -> UInt64? {
            UnitID.isValidLength(id.count) && !words.contains(id) ? ByteHash.hash(id) : nil
        }
        guard hasEscapes else { return hash(chunk.extracting(range)) }
        let bytes = value(in: chunk)
        return hash(bytes.span)
    }
}
