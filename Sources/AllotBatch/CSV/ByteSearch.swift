import AllotFiles
internal import CByteMarks

/// Finds the bytes that matter in blocks of 64.
enum ByteBlock {
    static let size = 64
    /// Whether this processor has vector instructions for a whole block.
    static let isWide = allot_has_wide_blocks()

    /// The marked bytes from `offset` on: bit *i* is set if byte *i* is the delimiter, a quote, a line feed, a carriage
    /// return, or another control character up to 13, which the reader of the marks skips; and whether any byte is not
    /// ASCII. Complexity: O(1).
    @inline(__always)
    static func fieldMarks(
        _ bytes: Span<UInt8>, at offset: Int, delimiter: UInt8
    ) -> (marks: UInt64, hasHighBit: Bool) {
        let found = withBlock(bytes, at: offset) { allot_find_field_marks($0, delimiter) }
        return (found.marks, found.has_high_bit)
    }

    /// The marked bytes from `offset` on: bit *i* is set if byte *i* is a quote or a line feed. Complexity: O(1).
    @inline(__always)
    static func recordMarks(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        withBlock(bytes, at: offset, allot_find_record_marks)
    }

    /// Passes the bytes from `offset` on to `body`, padded with spaces if there are fewer than 64.
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

enum ByteSearch {
    static func first(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { pointer in
            guard start < pointer.count, let base = pointer.baseAddress else { return nil }
            guard let found = memchr(base + start, Int32(byte), pointer.count - start) else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    /// The offset of the last `byte` at or after `start`. (`memrchr` is a GNU function, which Swift does not import.)
    static func last(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
        var end = bytes.count
        while end > start {
            end -= 1
            if bytes[end] == byte { return end }
        }
        return nil
    }
}

enum LineFeeds {
    /// The number of line feeds in `bytes`. Complexity: O(*n*), several bytes at a time.
    static func count(in bytes: Span<UInt8>, isWide: Bool = ByteBlock.isWide) -> Int {
        guard !isWide else {
            return bytes.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { allot_count_line_feeds_wide($0, bytes.count) } ?? 0
            }
        }
        var total = 0
        var index = 0
        while index < bytes.count {
            // Sums of at most 255 ones fit in a byte, so that the compiler can add whole vectors of them.
            let end = min(index + 255, bytes.count)
            var sum: UInt8 = 0
            while index < end {
                sum &+= bytes[index] == CSVByte.lineFeed ? 1 : 0
                index += 1
            }
            total += Int(sum)
        }
        return total
    }
}
