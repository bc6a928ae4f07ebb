/// The reason why a signature, a key or something signed is refused. `Sendable`.
public struct SignatureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A class of refusals, for programs that act on it.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `mismatch`.
        public let description: String

        /// The text is not a signature or signed token in an accepted form.
        public static let malformed = Code(description: "malformed")
        /// The signature names an algorithm that is not accepted, such as `none` or `HS256`.
        public static let unsupportedAlgorithm = Code(description: "unsupportedAlgorithm")
        /// None of the pinned keys has the ID that the signature names.
        public static let unknownKey = Code(description: "unknownKey")
        /// The signature names another algorithm than the key's.
        public static let algorithmMismatch = Code(description: "algorithmMismatch")
        /// The signature is not the key's signature of these bytes.
        public static let mismatch = Code(description: "mismatch")
        /// A text or a file does not contain a key that can be used.
        public static let unusableKey = Code(description: "unusableKey")
        /// The system's cryptography failed.
        public static let failed = Code(description: "failed")
    }

    /// The class of refusal.
    public let code: Code
    /// The fault and its fix.
    public let message: String

    /// Creates a refusal, for verifiers and signers of your own.
    public init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
    /// The message.
    public var description: String { message }

    package static func unusable(_ name: String, _ problem: String) -> SignatureError {
        SignatureError(.unusableKey, "\(name): \(problem)")
    }

    package static func mismatch(key: String) -> SignatureError {
        SignatureError(
            .mismatch,
            "the signature is not that of the key \(key) for these bytes: they were changed, or signed "
                + "with another key; do not use them, and fetch them again")
    }
}
