/// Base 64 with the alphabet for URLs and without padding (RFC 4648, section 5; RFC 7515, appendix C), read strictly.
package enum Base64URL {
    private static let symbols = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let values = Dictionary(uniqueKeysWithValues: zip(symbols, UInt32(0)...))

    package static func encode(_ bytes: [UInt8]) -> String { String(decoding: encoded(bytes), as: UTF8.self) }

    package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0) }
            for offset in 0...count { text.append(symbols[Int(group >> UInt32(18 - 6 * offset) & 63)]) }
            index += 3
        }
        return text
    }

    /// The bytes of a text. Returns `nil` for padding, white space, another alphabet, an impossible length, and bits
    /// after the last byte that are not zero: each sequence of bytes has exactly one text.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let count = text.count
        guard count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 3 / 4)
        var group: UInt32 = 0
        var bits = 0
        for symbol in text {
            guard let value = values[symbol] else { return nil }
            group = (group << 6 | value) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        return group & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
    }
}

/// Base 64 with the usual alphabet and with padding (RFC 4648, section 4), read strictly.
package enum Base64 {
    /// The symbols that differ from those of base 64 for URLs, and those.
    private static let (symbols, urlSymbols) = (Array("+/".utf8), Array("-_".utf8))

    /// The bytes of a text. Returns `nil` for white space, another alphabet, and text that is cut off.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        let count = text.count
        var text = text
        while text.last == UInt8(ascii: "="), count - text.count < 2 { text.removeLast() }
        guard count.isMultiple(of: 4), !text.contains(where: urlSymbols.contains) else { return nil }
        return Base64URL.decode(
            text.lazy.map { symbol in symbols.firstIndex(of: symbol).map { urlSymbols[$0] } ?? symbol })
    }
}
