/// Where one field of a record stands in its chunk.
public struct CSVField: Sendable, Hashable {
    /// The offset of the first byte of the value: behind the opening quote of a quoted field.
    public let start: Int
    /// The offset behind the last byte of the value: at the closing quote of a quoted field.
    public let end: Int
    /// Whether the field is written in quotes.
    public let isQuoted: Bool
    /// Whether the value holds doubled quotes, so that its bytes are not yet its text.
    public let hasEscapes: Bool

    @inline(__always)
    init(start: Int, end: Int, isQuoted: Bool = false, hasEscapes: Bool = false) {
        self.start = start
        self.end = end
        self.isQuoted = isQuoted
        self.hasEscapes = hasEscapes
    }

    /// Where the value stands, still escaped.
    public var range: Range<Int> {
        start..<end
    }

    /// Whether the value is empty, in quotes or not.
    public var isEmpty: Bool {
        start == end
    }

    /// Appends the value with doubled quotes made single. Complexity: O(length of the field).
    public func appendValue(in chunk: Span<UInt8>, to bytes: inout [UInt8]) {
        var index = start
        while index < end {
            let byte = chunk[index]
            bytes.append(byte)
            index += hasEscapes && byte == CSVByte.quote ? 2 : 1
        }
    }
}
