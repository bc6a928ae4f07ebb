import AllotConfiguration

/// Texts in one array, from which longer texts are composed without counting references.
struct TextStore: Sendable {
    private var bytes: [UInt8] = []

    mutating func add(_ parts: [UInt8]...) -> Range<Int> {
        let start = bytes.count
        for part in parts { bytes.append(contentsOf: part) }
        return start..<bytes.count
    }

    mutating func add(_ text: String) -> Range<Int> { add(Array(text.utf8)) }
    mutating func add(_ value: JSONValue) -> Range<Int> { add(value.canonicalBytes) }

    /// Calls `body` to write into `room`; returns the number of bytes that it wrote.
    @inline(__always) func write(into room: UnsafeMutableRawBufferPointer, _ body: (inout Writer) -> Void) -> Int {
        bytes.withUnsafeBytes { texts in
            var writer = Writer(texts: texts, room: room)
            body(&writer)
            return writer.count
        }
    }

    /// Writes texts one after another into memory that has room for all of them.
    struct Writer: ~Copyable {
        fileprivate let texts: UnsafeRawBufferPointer
        fileprivate let room: UnsafeMutableRawBufferPointer
        fileprivate(set) var count = 0

        fileprivate init(texts: UnsafeRawBufferPointer, room: UnsafeMutableRawBufferPointer) {
            (self.texts, self.room) = (texts, room)
        }

        @inline(__always) mutating func write(_ range: Range<Int>) {
            precondition(
                range.upperBound <= texts.count && count &+ range.count <= room.count,
                "more was written than room was made for")
            guard let source = texts.baseAddress, let target = room.baseAddress else { return }
            target.advanced(by: count).copyMemory(from: source + range.lowerBound, byteCount: range.count)
            count &+= range.count
        }

        mutating func write(bytes: [UInt8]) { for byte in bytes { write(byte) } }

        @inline(__always) mutating func write(_ byte: UInt8) {
            precondition(count < room.count, "more was written than room was made for")
            room[count] = byte
            count &+= 1
        }

        /// Writes a bucket, which needs room for `BucketDigits.room` bytes.
        @inline(__always) mutating func write(bucket: Int) {
            precondition(count &+ BucketDigits.room <= room.count, "more was written than room was made for")
            guard let target = room.baseAddress else { return }
            count &+= BucketDigits.store(bucket, at: target + count)
        }
    }
}
