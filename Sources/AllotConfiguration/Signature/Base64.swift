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
