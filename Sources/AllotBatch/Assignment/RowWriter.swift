@_spi(Groups) import Allot

/// Writes rows one after another into room that was made for all of them, 16 bytes at a time.
///
/// The caller makes ``room(_:)`` for each piece: a write may go up to ``overrun`` bytes too far, and the next write
/// overwrites these.
struct RowWriter: ~Copyable {
    private let room: UnsafeMutableRawBufferPointer
    /// The number of bytes written.
    private var count = 0

    /// The number of bytes after the end of a piece that may be read or written with it.
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

    /// Appends the bytes that `body` writes, at most `bound`.
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
        precondition(count < room.count, "more was written than room was made for")
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

    /// Writes a part so near the end of `bytes` that 16 of them cannot be read. This and `writeQuoted` are not inlined:
    /// they are rare, and would take registers from the common case.
    @inline(never)
    private mutating func writeSlowly(_ range: Range<Int>, of bytes: Span<UInt8>) {
        for index in range { write(bytes[index]) }
    }

    /// Writes a field with the same value, in quotes only if it needs them.
    @inline(__always)
    mutating func write(field: CSVField, of chunk: Span<UInt8>) {
        if field.isQuoted { writeQuoted(field, of: chunk) } else { write(field.range, of: chunk) }
    }

    @inline(never)
    private mutating func writeQuoted(_ field: CSVField, of chunk: Span<UInt8>) {
        var value: [UInt8] = []
        field.appendValue(in: chunk, to: &value)
        var written: [UInt8] = []
        written.appendCSVField(value.span)
        for byte in written { write(byte) }
    }

    /// Writes a bucket in decimal digits; it takes ``room(_:)`` of as many bytes.
    @inline(__always)
    mutating func write(bucket: Int) {
        if bucket >= Bucketing.bucketCount { return writeLong(bucket) }
        let digits = BucketDigits.of(bucket)
        precondition(count &+ 8 <= room.count, "more was written than room was made for")
        room.storeBytes(of: digits.text.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= digits.count
    }

    /// Writes a bucket of another system's hash.
    @inline(never)
    private mutating func writeLong(_ bucket: Int) {
        write(bucket: bucket / Bucketing.bucketCount)
        precondition(count &+ 8 <= room.count, "more was written than room was made for")
        room.storeBytes(of: BucketDigits.lastSix(of: bucket).littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= 6
    }
}

/// Short texts that rows are composed of, in one array, so that writing one counts no references.
struct TextPool: Sendable {
    /// The texts, followed by bytes that a writer may read too far.
    private(set) var bytes: [UInt8] = Array(repeating: 0, count: RowWriter.overrun)
    /// By index the range of a text.
    private(set) var ranges: [Range<Int>] = []
    /// The length of the longest text.
    private(set) var maximumLength = 0

    /// The number of texts.
    var count: Int { ranges.count }

    /// Adds a text; its index is the number of texts before it.
    mutating func add(_ text: String) {
        let start = bytes.count - RowWriter.overrun
        bytes.insert(contentsOf: text.utf8, at: start)
        ranges.append(start..<bytes.count - RowWriter.overrun)
        maximumLength = max(maximumLength, text.utf8.count)
    }
}
