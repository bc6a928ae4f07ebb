import AllotFiles

/// The files that `allot sign` and `allot verify` read.
enum SigningInput {
    /// All bytes of a file; `-` is standard input.
    static func bytes(_ path: String) throws(FileError) -> [UInt8] {
        try InputFile(path: path).readAll(limit: .max) ?? []
    }

    /// More bytes than any token or signature has.
    private static let textLimit = 1 << 20

    /// The text of an option, or of the file that it names after `@`, without white space around it.
    static func text(_ argument: String) throws -> String {
        guard argument.hasPrefix("@") else { return argument }
        let path = String(argument.dropFirst())
        guard let bytes = try InputFile(path: path).readAll(limit: textLimit) else {
            throw CommandFailure("\(path) has more than \(textLimit) bytes; it is not a token or a signature")
        }
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end].drop(while: isSpace), as: UTF8.self)
    }
}
