import AllotConfiguration

/// The text that makes one randomisation independent of another: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`.
///
/// ```swift
/// let salt = Salt("checkout-button")
/// let invalid = Salt("a:b")  // nil: a ":" separates salt and unit ID
/// ```
public struct Salt: Sendable, Hashable, CustomStringConvertible {
    /// The salt as written.
    public let text: String

    /// Creates a salt from text. Returns `nil` if the text does not match ``pattern``.
    public init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        self.text = text
    }

    /// The regular expression of salts, and of keys that serve as salts.
    public static let pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,\(maximumLength - 1)}"
    package static let maximumLength = 64

    /// The form of salts and of keys in words, for messages: what they have.
    package static let form =
        "1 to \(maximumLength) letters, digits, \".\", \"_\" and \"-\", the first a letter or digit"

    /// Whether text matches ``pattern``.
    public static func isValid(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetterOrDigit, text.utf8.count <= maximumLength else { return false }
        return text.utf8.allSatisfy { byte in
            byte.isOfPlainName || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
    }

    /// The salt as written.
    public var description: String { text }
}
