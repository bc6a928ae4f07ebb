internal import CByteMarks

/// Finds the bytes that matter in 64 at a time.
enum ByteBlock {
    static let size = 64

    /// Bit *i* is set when byte *i* from `offset` on is a comma, a quote, a line feed, a carriage return, or another
    /// control character up to 13, which the reader of the marks passes over; and whether any byte is not ASCII.
    /// Complexity: O(1).
    @inline(__always)
    static func fieldMarks(_ bytes: Span<UInt8>, at offset: Int) -> (marks: UInt64, hasHighBit: Bool) {
        let found = withBlock(bytes, at: offset, allot_find_field_marks)
        return (found.marks, found.has_high_bit)
    }

    /// Bit *i* is set when byte *i* from `offset` on is a quote or a line feed. Complexity: O(1).
    @inline(__always)
    static func recordMarks(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        withBlock(bytes, at: offset, allot_find_record_marks)
    }

    /// Gives the bytes from `offset`, filled up with spaces when there are fewer than 64.
    @inline(__always)
    private static func withBlock<Marks>(
        _ bytes: Span<UInt8>, at offset: Int, _ body: (UnsafePointer<UInt8>) -> Marks
    ) -> Marks {
        if offset &+ size <= bytes.count {
            return bytes.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped + offset) }
        }
        var last = InlineArray<64, UInt8>(repeating: UInt8(ascii: " "))
        for index in 0..<bytes.count - offset { last[index] = bytes[offset + index] }
        return last.span.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }
}
