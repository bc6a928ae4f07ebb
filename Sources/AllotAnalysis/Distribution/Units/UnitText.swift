/// Digits of generated unit IDs.
enum UnitText {
    /// A number, 0 or more.
    static func appendDecimal(_ number: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    /// The lowest `digits` × 4 bits, in lower case.
    static func appendHexadecimal(_ bits: UInt64, digits: Int, to bytes: inout [UInt8]) {
        var shift = UInt64(digits * 4)
        while shift > 0 {
            shift &-= 4
            let digit = UInt8(truncatingIfNeeded: bits &>> shift) & 0xF
            bytes.append(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit)
        }
    }

    /// A random UUID (RFC 9562, version 4) of 122 of these bits.
    static func appendUUID(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
        let high = high & ~0xF000 | 0x4000
        let low = low & ~(3 << 62) | 1 << 63
        appendHexadecimal(high &>> 32, digits: 8, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendHexadecimal(high &>> 16, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendHexadecimal(high, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendHexadecimal(low &>> 48, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendHexadecimal(low, digits: 12, to: &bytes)
    }
}
