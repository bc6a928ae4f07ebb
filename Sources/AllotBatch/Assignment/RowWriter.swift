import Allot

/// Writes rows behind each other into room that was made for all of them, 16 bytes at a time.
///
/// Whoever makes the room counts ``room(_:)`` for each piece: a write may go up to ``overrun`` bytes too far, over what
/// the next one writes.
struct RowWriter: ~Copyable {
    private let room: UnsafeMutableRawBufferPointer
    /// The number of bytes written.
    private var count = 0

    /// How many bytes behind its last a piece may touch, where it is written and where it is read.
    static let overrun = 15

    private static let step = 16

    /// The most bytes that writing a piece of `count` bytes takes.
    @inline(__always)
    static func room(_ count: Int) -> Int {
        count &+ overrun
    }

    private init(room: UnsafeMutableRawBufferPointer) {
        self.room = room
    }

    /// Appends what `body` writes, at most `bound` bytes.
    @inline(__always)
    static func append(to output: inout [UInt8], atMost bound: Int, _ body: (inout RowWriter) -> Void) {
        output.append(addingCapacity: bound) { (span: inout OutputSpan<UInt8>) in
            span.withUnsafeMutableBufferPointer { buffer, count in
                let start = count
                var writer = RowWriter(
                    room: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[start...])))
                body(&writer)
                count = start + writer.count
            }
        }
    }

    /// Writes one byte.
    @inline(__always)
    mutating func write(_ byte: UInt8) {
        room[count] = byte
        count &+= 1
    }

    /// Writes a part of `bytes`.
    @inline(__always)
    mutating func write(_ range: Range<Int>, of bytes: Span<UInt8>) {
        let length = range.count
        guard range.lowerBound &+ length &+ Self.overrun <= bytes.count else {
            return writeSlowly(range, of: bytes)
        }
        precondition(count &+ length &+ Self.overrun <= room.count, "more was written than room was made for")
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < length {
                let step = bytes.loadUnaligned(
                    fromByteOffset: range.lowerBound &+ offset, as: SIMD16<UInt8>.self)
                room.storeBytes(of: step, toByteOffset: count &+ offset, as: SIMD16<UInt8>.self)
                offset &+= Self.step
            }
        }
        count &+= length
    }

    /// Writes a part so near the end of `bytes` that 16 of them cannot be read. Not inlined, as is what follows for
    /// quotes: they are rare, and would take registers from what is not.
    @inline(never)
    private mutating func writeSlowly(_ range: Range<Int>, of bytes: Span<UInt8>) {
        for index in range { write(bytes[index]) }
    }

    /// Writes a field as one of the same value, in quotes only where it needs them.
    @inline(__always)
    mutating func write(field: CSVField, of chunk: Span<UInt8>) {
        if field.isQuoted { writeQuoted(field, of: chunk) } else { write(field.range, of: chunk) }
    }

    @inline(never)
    private mutating func writeQuoted(_ field: CSVField, of chunk: Span<UInt8>) {
        var value: [UInt8] = []
        field.appendValue(in: chunk, to: &value)
        var written: [UInt8] = []
        written.appendCSV(value.span)
        for byte in written { write(byte) }
    }

    /// Writes a bucket, 0 to 999999, in decimal digits; it takes ``room(_:)`` of 6 bytes.
    @inline(__always)
    mutating func write(bucket: Int) {
        let digits = BucketDigits.of(bucket)
        precondition(count &+ 8 <= room.count, "more was written than room was made for")
        room.storeBytes(of: digits.text.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= digits.count
    }
}
