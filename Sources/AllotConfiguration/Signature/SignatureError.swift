/// Why something signed, a signature or a key is refused. `Sendable`.
public struct SignatureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of refusal it is, for programs that act on it.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `mismatch`.
        public let description: String

        /// The text is no signature, or no signed token, in a form that is taken.
        public static let malformed = Code(description: "malformed")
        /// The signature names an algorithm that is not taken, such as `none` or `HS256`.
        public static let unsupportedAlgorithm = Code(description: "unsupportedAlgorithm")
        /// None of the pinned keys has the ID that the signature names.
        public static let unknownKey = Code(description: "unknownKey")
        /// The key is of another kind than the algorithm that the signature names.
        public static let algorithmMismatch = Code(description: "algorithmMismatch")
        /// The signature is not this key's signature of these bytes.
        public static let mismatch = Code(description: "mismatch")
        /// A text or a file holds no key that can be used.
        public static let unusableKey = Code(description: "unusableKey")
        /// The system's cryptography failed.
        public static let failed = Code(description: "failed")
    }

    /// What kind of refusal it is.
    public let code: Code
    /// What is wrong and how to put it right.
    public let message: String

    /// Creates a refusal, for verifiers and signers of your own.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String {
        message
    }

    /// The refusal of what no pinned key signed.
    package static func unknownKey(_ id: String, pinned: [String]) -> SignatureError {
        SignatureError(
            .unknownKey,
            "no pinned key has the ID \(QuotedText(id)), which the signature names; the pinned keys are "
                + "\(pinned.joined(separator: ", ")): pin the new key, or do not trust this")
    }

    /// The refusal of a signature that names no key, where several could be meant.
    package static var missingKeyID: SignatureError {
        SignatureError(
            .unknownKey,
            "the signature names no key, and several are pinned; sign with a \"kid\" in the header, or pin one key")
    }

    /// The refusal of an algorithm that does not go with the key.
    package static func algorithmMismatch(
        _ algorithm: SignatureAlgorithm, key: String, takes: SignatureAlgorithm
    ) -> SignatureError {
        SignatureError(
            .algorithmMismatch,
            "the signature says \(algorithm.rawValue), and the key \(key) signs with \(takes.rawValue); do not trust this"
        )
    }

    /// The refusal of a signature that is wrong.
    package static func mismatch(key: String) -> SignatureError {
        SignatureError(
            .mismatch,
            "the signature is not that of the key \(key) for these bytes: they were changed, or signed by somebody else; "
                + "do not use them, and fetch them anew")
    }
}
