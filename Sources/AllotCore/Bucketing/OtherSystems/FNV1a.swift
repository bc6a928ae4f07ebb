/// FNV-1a in 32 bits (Fowler, Noll and Vo, draft-eastlake-fnv) of the UTF-16 code units of texts: exclusive or with
/// each unit, then times a prime. One multiplication for each unit, and nothing at the end: what the last ones change
/// reaches the other bits a few positions at a time. GrowthBook's first hash version puts the salt there.
struct FNV1a: Sendable {
    /// The hash of what was added so far.
    private(set) var value: UInt32 = 0x811C_9DC5

    @inline(__always) private mutating func add(_ unit: UInt32) { value = (value ^ unit) &* 0x0100_0193 }

    /// Adds a text in valid UTF-8.
    mutating func add(_ text: Span<UInt8>) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            index &+= 1
            if byte < 0x80 { add(UInt32(byte)) } else { index = add(scalarFrom: byte, text, index) }
        }
    }

    /// Adds a scalar of several bytes, and returns the index after it.
    private mutating func add(scalarFrom lead: UInt8, _ text: Span<UInt8>, _ index: Int) -> Int {
        let length = (~lead).leadingZeroBitCount
        let end = min(index + length - 1, text.count)
        var scalar = UInt32(lead & 0x7F >> UInt8(length))
        for index in index..<end { scalar = scalar << 6 | UInt32(text[index] & 0x3F) }
        if scalar > 0xFFFF {
            add(0xD800 + (scalar - 0x1_0000) >> 10)
            add(0xDC00 + (scalar & 0x3FF))
        } else {
            add(scalar)
        }
        return end
    }

    mutating func add(digitsOf number: UInt32) {
        var divisor: UInt32 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            add(UInt32(UInt8(ascii: "0")) + number / divisor % 10)
            divisor /= 10
        }
    }
}
