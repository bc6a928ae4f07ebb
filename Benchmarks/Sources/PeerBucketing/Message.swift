extension [UInt8] {
    /// Adds a part of a message.
    @inline(__always)
    mutating func append(_ part: Span<UInt8>) {
        part.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Adds a fixed part of a message.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
