import AllotConfiguration

/// The name of a record's file.
///
/// ASCII in lower case, since file systems fold case and normalise what is beyond: what is neither a letter in lower
/// case, a digit, "-" nor "_" is escaped. An ID whose name would be too long is hashed; the client checks whose a
/// record is, so that a collision costs a miss.
enum StoreFileName {
    /// The most bytes of an escaped ID. Names and those of temporary files stay below 143 bytes, which is all that
    /// encrypted file systems have.
    static let longestEscapedID = 96

    /// The name of a record. An escaped ID has no ".", so that the name without one is no user's.
    static func name(_ record: StoreRecord) -> String {
        guard let user = record.user else { return record.kind.rawValue }
        let escaped = escaped(user)
        return escaped.utf8.count <= longestEscapedID
            ? "\(record.kind.rawValue).user-\(escaped)" : "\(record.kind.rawValue).hash-\(hashed(user))"
    }

    /// The ID with all that is not plain as `%xx`.
    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexDigits[Int(byte >> 4)])
                bytes.append(hexDigits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// FNV-1a of 128 bits, in 32 hex digits.
    static func hashed(_ text: String) -> String {
        String(decoding: ExposureKey(text.utf8).digits, as: UTF8.self)
    }

    /// A new name for a file that is being written.
    static func temporary() -> String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return ".\(String(repeating: "0", count: 16 - digits.count))\(digits)\(temporarySuffix)"
    }

    /// Whether a name is one that ``temporary()`` makes.
    static func isTemporary(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.count == 17 + temporarySuffix.utf8.count && bytes[0] == UInt8(ascii: ".")
            && bytes[1..<17].allSatisfy(hexDigits.contains) && bytes[17...].elementsEqual(temporarySuffix.utf8)
    }

    private static let temporarySuffix = ".temporary"
}
