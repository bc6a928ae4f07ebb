import AllotConfiguration

/// Bytes as PEM (RFC 7468).
enum PEMText {
    private static let lineLength = 64

    static func text(label: String, _ bytes: [UInt8]) -> String {
        var symbols = Base64URL.encoded(bytes).map { symbol in
            switch symbol {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: symbol
            }
        }
        while !symbols.count.isMultiple(of: 4) { symbols.append(UInt8(ascii: "=")) }
        var text = "-----BEGIN \(label)-----\n"
        for start in stride(from: 0, to: symbols.count, by: lineLength) {
            text += String(decoding: symbols[start..<min(start + lineLength, symbols.count)], as: UTF8.self) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }
}
