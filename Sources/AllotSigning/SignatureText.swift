internal import AllotFiles

/// The text of a token, a signature or a read-out as people pass it on: itself, or `@` and the file that contains it.
package enum SignatureText {
    /// More bytes than any of them has.
    private static let limit = 1 << 20

    package struct TooLarge: Error, CustomStringConvertible {
        package let description: String
    }

    /// The text, or that of the file, without white space around it. Messages name its kind.
    package static func read(_ argument: String, of kind: String = "a token or a signature") throws -> String {
        guard argument.hasPrefix("@") else { return argument }
        let path = String(argument.dropFirst())
        guard let bytes = try InputFile(path: path).readAll(limit: limit)
        else { throw TooLarge(description: "\(path) has more than \(limit) bytes; it is not \(kind)") }
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end].drop(while: isSpace), as: UTF8.self)
    }
}
