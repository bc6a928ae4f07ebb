import AllotConfiguration
@_spi(Groups) import AllotCore

/// Writes rows one after another, 16 bytes at a time, into ``room(_:)`` that was made for each piece: a write may go up
/// to ``overrun`` bytes too far, and the next write overwrites these.
struct RowWriter: ~Copyable {
    private let start: UnsafeMutableRawPointer
    private let capacity: Int
    private var count = 0

    /// The number of bytes after the end of a piece that may be read or written with it.
    static let overrun = 15

    private static let step = 16

    /// The most bytes that writing a piece of `count` bytes takes.
    @inline(__always)
    static func room(_ count: Int) -> Int { count &+ overrun }
    private init(_ start: UnsafeMutableRawPointer, capacity: Int) { (self.start, self.capacity) = (start, capacity) }

    @inline(__always)
    static func append(to output: inout [UInt8], atMost bound: Int, _ body: (inout RowWriter) -> Void) {
        output.append(addingCapacity: bound) { (span: inout OutputSpan<UInt8>) in
            span.withUnsafeMutableBufferPointer { buffer, count in
                guard let start = buffer.baseAddress else { return }
                var writer = RowWriter(start + count, capacity: buffer.count - count)
                body(&writer)
                count += writer.count
            }
        }
    }

    @inline(__always)
    mutating func write(_ byte: UInt8) {
        require(1)
        start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    @inline(__always)
    private func require(_ length: Int) {
        precondition(count &+ length <= capacity, "more was written than room was made for")
    }

    @inline(__always)
    mutating func write(_ range: Range<Int>, of bytes: Span<UInt8>) {
        let length = range.count
        guard range.lowerBound &+ length &+ Self.overrun <= bytes.count else {
            return writeSlowly(bytes.extracting(range))
        }
        require(Self.room(length))
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < length {
                let step = bytes.loadUnaligned(fromByteOffset: range.lowerBound &+ offset, as: SIMD16<UInt8>.self)
                start.storeBytes(of: step, toByteOffset: count &+ offset, as: SIMD16<UInt8>.self)
                offset &+= Self.step
            }
        }
        count &+= length
    }

    /// Writes bytes of which 16 cannot be read at once, as others' memory may follow them.
    @inline(__always)
    private mutating func writeSlowly(_ bytes: Span<UInt8>) {
        require(bytes.count)
        Self.copy(bytes, to: start + count)
        count &+= bytes.count
    }

    // What is rare is not inlined, and does not know the writer: the common case has all of it in registers.

    @inline(never)
    private static func copy(_ bytes: Span<UInt8>, to target: UnsafeMutableRawPointer) {
        for index in bytes.indices { target.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self) }
    }

    /// Writes a field with the same value, in quotes only if it needs them.
    @inline(__always)
    mutating func write(field: CSVField, of chunk: Span<UInt8>, delimiter: CSVDelimiter) {
        if field.isQuoted {
            let written = Self.rewritten(field, of: chunk, delimiter: delimiter)
            writeSlowly(written.span)
        } else {
            write(field.range, of: chunk)
        }
    }

    @inline(never)
    private static func rewritten(_ field: CSVField, of chunk: Span<UInt8>, delimiter: CSVDelimiter) -> [UInt8] {
        let value = field.value(in: chunk)
        var written: [UInt8] = []
        written.appendCSVField(value.span, delimiter: delimiter)
        return written
    }

    /// Writes a bucket in decimal digits; it takes ``room(_:)`` of as many bytes.
    @inline(__always)
    mutating func write(bucket: Int) {
        require(BucketDigits.room)
        count &+= BucketDigits.store(bucket, at: start + count)
    }
}

/// Short texts that rows are composed of, in one array, so that writing one counts no references.
struct TextPool: Sendable {
    /// The texts, followed by bytes that a writer may read too far.
    private(set) var bytes: [UInt8] = Array(repeating: 0, count: RowWriter.overrun)
    private(set) var ranges: [Range<Int>] = []
    private(set) var maximumLength = 0

    var count: Int { ranges.count }

    /// Adds a text; its index is the number of texts before it.
    mutating func add(_ text: String) {
        let start = bytes.count - RowWriter.overrun
        bytes.insert(contentsOf: text.utf8, at: start)
        ranges.append(start..<bytes.count - RowWriter.overrun)
        maximumLength = max(maximumLength, text.utf8.count)
    }
}
