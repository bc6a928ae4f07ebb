import AllotBatch
import AllotConfiguration
import AllotSigning

/// What `allot sign` and `allot verify` read.
enum SigningInput {
    /// All bytes of a file; `-` is standard input.
    static func bytes(_ path: String) throws -> [UInt8] {
        do {
            return try InputFile(path: path).readAll()
        } catch {
            throw CommandFailure(error.message)
        }
    }

    /// The text that an option gives, or that stands in the file behind `@`, without white space around it.
    static func text(_ argument: String) throws -> String {
        guard argument.hasPrefix("@") else { return argument }
        let text = String(decoding: try bytes(String(argument.dropFirst())), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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
