import AllotBatch
import AllotConfiguration
import AllotFiles
import AllotSigning

/// What `allot sign` and `allot verify` read.
enum SigningInput {
    /// All bytes of a file; `-` is standard input.
    static func bytes(_ path: String) throws -> [UInt8] {
        do {
            return try InputFile(path: path).readAll(limit: .max) ?? []
        } catch {
            throw CommandFailure(error.message)
        }
    }

    /// More bytes than any token or signature has.
    private static let textLimit = 1 << 20

    /// The text that an option gives, or that stands in the file behind `@`, without white space around it.
    static func text(_ argument: String) throws -> String {
        guard argument.hasPrefix("@") else { return argument }
        let path = String(argument.dropFirst())
        let bytes: [UInt8]?
        do {
            bytes = try InputFile(path: path).readAll(limit: textLimit)
        } catch {
            throw CommandFailure(error.message)
        }
        guard let bytes else {
            throw CommandFailure("\(path) has more than \(textLimit) bytes; it is not a token or a signature")
        }
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end].drop(while: isSpace), as: UTF8.self)
    }

    static func key(_ path: String) throws -> SigningKey {
        try refusing { () throws(SignatureError) in try SigningKey(contentsOf: path) }
    }

    /// The keys of files, pinned.
    static func verifier(_ paths: [String]) throws -> PublicKeyVerifier {
        try refusing { () throws(SignatureError) in
            var keys: [PublicKey] = []
            for path in paths { keys += try PublicKey.keys(pem: try KeyFile(path: path).text, name: path) }
            return try PublicKeyVerifier(keys)
        }
    }

    /// Turns refusals into failures of the command.
    static func refusing<Result>(_ body: () throws(SignatureError) -> Result) throws -> Result {
        do throws(SignatureError) {
            return try body()
        } catch {
            throw CommandFailure(error.message)
        }
    }
}
