/// An address of the Internet Protocol, version 4 or 6. The text forms are strict: an IPv4 address is four decimal
/// numbers without leading zeros, an IPv6 address follows RFC 4291, section 2.2, including `::` and a dotted end, and
/// has no zone. An IPv4-mapped address such as `::ffff:192.0.2.1` is the IPv4 address that it contains, because servers
/// that listen to both versions report the addresses of IPv4 clients in this form.
package struct IPAddress: Sendable, Hashable, Comparable {
    /// The 128 bits of an IPv6 address, or those of the IPv4-mapped address.
    package let bits: UInt128
    /// The longest text of an address: six groups of four digits, and four numbers of three digits.
    private static let maximumTextLength = 45
    /// The bits of all IPv4 addresses.
    package static let mapped: ClosedRange<UInt128> = 0xFFFF_0000_0000...0xFFFF_FFFF_FFFF

    package init(bits: UInt128) { self.bits = bits }

    package var isIPv4: Bool { Self.mapped.contains(bits) }

    /// Reads the text form of an address. Returns `nil` for any other text. Never allocates.
    package init?(utf8 bytes: Span<UInt8>) {
        guard bytes.count <= Self.maximumTextLength else { return nil }
        var hasColon = false
        for index in bytes.indices where bytes[index] == UInt8(ascii: ":") { hasColon = true }
        if hasColon {
            guard let bits = Self.bits(ofIPv6: bytes) else { return nil }
            self.bits = bits
        } else {
            guard let bits = Self.bits(ofIPv4: bytes) else { return nil }
            self.bits = Self.mapped.lowerBound | UInt128(bits)
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// The bits of four numbers from 0 to 255 with dots between them.
    private static func bits(ofIPv4 bytes: Span<UInt8>) -> UInt32? {
        var bits: UInt32 = 0
        var index = 0
        for part in 0..<4 {
            if part > 0 {
                guard index < bytes.count, bytes[index] == UInt8(ascii: ".") else { return nil }
                index += 1
            }
            let start = index
            var number: UInt32 = 0
            while index < bytes.count, index < start + 3, bytes[index] &- UInt8(ascii: "0") < 10 {
                number = number * 10 + UInt32(bytes[index] - UInt8(ascii: "0"))
                index += 1
            }
            let hasLeadingZero = index > start + 1 && bytes[start] == UInt8(ascii: "0")
            guard index > start, number < 256, !hasLeadingZero else { return nil }
            bits = bits << 8 | number
        }
        return index == bytes.count ? bits : nil
    }

    /// The bits of groups of up to four hexadecimal digits with colons between them.
    private static func bits(ofIPv6 bytes: Span<UInt8>) -> UInt128? {
        // The groups so far, as if there were no gap, and the number of groups before the gap.
        var bits: UInt128 = 0
        var groupCount = 0
        var countBeforeGap: Int?
        var index = 0
        if bytes[0] == UInt8(ascii: ":") {
            guard bytes.count > 1, bytes[1] == UInt8(ascii: ":") else { return nil }
            countBeforeGap = 0
            index = 2
        }
        while index < bytes.count {
            let start = index
            var group: UInt128 = 0
            while index < bytes.count, index < start + 4, let digit = hexDigit(bytes[index]) {
                group = group << 4 | UInt128(digit)
                index += 1
            }
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
                guard groupCount <= 6, let end = self.bits(ofIPv4: bytes.extracting(start..<bytes.count)) else {
                    return nil
                }
                bits = bits << 32 | UInt128(end)
                groupCount += 2
                break
            }
            guard index > start, groupCount < 8 else { return nil }
            bits = bits << 16 | group
            groupCount += 1
            guard index < bytes.count else { break }
            guard bytes[index] == UInt8(ascii: ":"), index + 1 < bytes.count else { return nil }
            index += 1
            if bytes[index] == UInt8(ascii: ":") {
                guard countBeforeGap == nil else { return nil }
                countBeforeGap = groupCount
                index += 1
            }
        }
        guard let countBeforeGap else { return groupCount == 8 ? bits : nil }
        // The gap stands for at least one group.
        guard groupCount < 8 else { return nil }
        let lengthAfterGap = 16 * (groupCount - countBeforeGap)
        let before = countBeforeGap == 0 ? 0 : (bits >> lengthAfterGap) << (128 - 16 * countBeforeGap)
        return before | (bits & ((1 << lengthAfterGap) - 1))
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        let decimal = byte &- UInt8(ascii: "0")
        if decimal < 10 { return decimal }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as RFC 5952 recommends: in lower case, with `::` for the longest run of zeros.
    package var description: String {
        if isIPv4 { return (0..<4).map { String((bits >> (24 - 8 * $0)) & 0xFF) }.joined(separator: ".") }
        let groups = (0..<8).map { (bits >> (112 - 16 * $0)) & 0xFFFF }
        func text(_ range: Range<Int>) -> String { groups[range].map { String($0, radix: 16) }.joined(separator: ":") }
        var gap = 0..<0
        for start in groups.indices {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.endIndex
            if end - start > max(gap.count, 1) { gap = start..<end }
        }
        return gap.isEmpty ? text(0..<8) : "\(text(0..<gap.lowerBound))::\(text(gap.upperBound..<8))"
    }
}
