import AllotConfiguration

/// The texts of a group of rows, in memory that is used again.
struct ByteStore {
    /// All bytes, with what was left from earlier groups after ``count``. The texts in it are UTF-8.
    private(set) var bytes: [UInt8]
    private(set) var count = 0

    /// The number of bytes after the last text, so that evaluation reads short texts in two words.
    private static let padding = 16

    init() { bytes = Array(repeating: 0, count: 4096) }
    mutating func removeAll(after count: Int) { self.count = count }
    @inline(__always)
    private mutating func reserve(_ more: Int) { if count &+ more &+ Self.padding > bytes.count { grow(more) } }

    /// Makes at least twice as much room. The new bytes may have any value, and debug builds are fast at copies.
    @inline(never)
    private mutating func grow(_ more: Int) { while count + more + Self.padding > bytes.count { bytes += bytes } }

    @inline(__always)
    mutating func append(_ start: UnsafeRawPointer, _ length: Int) -> Int {
        reserve(length)
        let place = count
        bytes.withUnsafeMutableBytes { bytes in
            bytes.baseAddress?.advanced(by: place).copyMemory(from: start, byteCount: length)
        }
        count &+= length
        return place
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count &+= 1
    }

    mutating func append(_ isTrue: Bool) {
        reserve(5)
        for byte in (isTrue ? "true" : "false").utf8 { append(byte) }
    }

    /// Appends the text of a UUID of 16 bytes, in lower case.
    mutating func append(uuid: UnsafeRawPointer) {
        reserve(36)
        let start = count
        bytes.withUnsafeMutableBytes { bytes in
            func digit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10) }
            var place = start
            for index in 0..<16 {
                let byte = uuid.load(fromByteOffset: index, as: UInt8.self)
                (bytes[place], bytes[place &+ 1]) = (digit(byte &>> 4), digit(byte & 15))
                place &+= 2
                if index == 3 || index == 5 || index == 7 || index == 9 {
                    bytes[place] = UInt8(ascii: "-")
                    place &+= 1
                }
            }
        }
        count &+= 36
    }

    mutating func append(_ number: WholeNumber) {
        reserve(20)
        if number.isNegative, number.magnitude > 0 { append(UInt8(ascii: "-")) }
        appendDigits(number.magnitude, atLeast: 1)
    }

    private mutating func appendDigits(_ number: UInt64, atLeast width: Int) {
        var digits = width
        var bound = width == 1 ? 10 : UInt64.max
        if width == 1 {
            while number >= bound {
                digits += 1
                let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
                if overflow { break }
                bound = next
            }
        }
        var rest = number
        for position in stride(from: count &+ digits &- 1, through: count, by: -1) {
            bytes[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count &+= digits
    }

    /// Appends an instant of the years 0 to 9999 as `Instant.description` writes it.
    mutating func append(_ instant: Instant) {
        reserve(32)
        let (day, second) = instant.seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSince1970: Int(day))
        func two(_ number: some BinaryInteger, _ mark: Unicode.Scalar, _ store: inout ByteStore) {
            store.appendDigits(UInt64(number), atLeast: 2)
            store.append(UInt8(ascii: mark))
        }
        appendDigits(UInt64(date.year), atLeast: 4)
        append(UInt8(ascii: "-"))
        two(date.month, "-", &self)
        two(date.day, "T", &self)
        two(second / 3600, ":", &self)
        two(second / 60 % 60, ":", &self)
        appendDigits(UInt64(second % 60), atLeast: 2)
        if instant.nanoseconds > 0 {
            append(UInt8(ascii: "."))
            appendDigits(UInt64(instant.nanoseconds), atLeast: 9)
            while bytes[count &- 1] == UInt8(ascii: "0") { count &-= 1 }
        }
        append(UInt8(ascii: "Z"))
    }

    /// Whether a text is UTF-8. Most are ASCII, of which eight bytes are looked at together.
    @inline(__always)
    func isUTF8(_ start: Int, _ length: Int) -> Bool {
        let isASCII = bytes.withUnsafeBytes { bytes in
            var bits: UInt64 = 0
            var index = start
            let end = start &+ length
            while index &+ 8 <= end {
                bits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                index &+= 8
            }
            while index < end {
                bits |= UInt64(bytes[index])
                index &+= 1
            }
            return bits & 0x8080_8080_8080_8080 == 0
        }
        return isASCII || isUnicode(start, length)
    }

    @inline(never)
    private func isUnicode(_ start: Int, _ length: Int) -> Bool {
        (try? UTF8Span(validating: bytes.span.extracting(start..<start + length))) != nil
    }
}
