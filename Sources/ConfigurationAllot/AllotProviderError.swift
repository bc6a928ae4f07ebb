import AllotConfiguration
import Configuration

/// Why a provider has no answer. Its message shows names and types, and never a value, which may be a secret.
public struct AllotProviderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Sendable, Hashable {
        /// The value has another type than the one asked for.
        case typeMismatch
        /// The key's context asks for a user who is not in force.
        case otherUser
        /// The key's context names the user by something that is no ID.
        case invalidUser
        /// The user in force was changed while the server was asked.
        case userChanged
    }

    /// What went wrong.
    public let kind: Kind
    /// The components of the key that was asked for.
    public let components: [String]
    /// What happened, and what to do.
    public let message: String

    private init(_ kind: Kind, _ path: SettingLocation, _ message: String) {
        self.kind = kind
        components = [path.section, path.setting] + path.members
        self.message = message
    }

    /// Where, what happened, and what to do.
    public var description: String {
        "\(QuotedText(SettingLocation.encoded(components))): \(message)"
    }

    static func typeMismatch(_ path: SettingLocation, _ type: ConfigType, _ mismatch: ContentMismatch) -> Self {
        let place = mismatch.index.map { " at index \($0)" } ?? ""
        return Self(
            .typeMismatch, path,
            "expected \(type.nameInMessages), found \(mismatch.found)\(place); "
                + "ask for the type that the setting has, or correct the setting")
    }

    static func otherUser(_ path: SettingLocation, asked: String, inForce: String?) -> Self {
        let user = inForce.map { "user \(QuotedText($0))" } ?? "no user"
        return Self(
            .otherUser, path,
            "the configuration in force is that of \(user), and the key asks for user \(QuotedText(asked)); "
                + "change the client's user first, or leave \(AllotSnapshot.userKey) out of the key's context")
    }

    static func invalidUser(_ path: SettingLocation) -> Self {
        Self(
            .invalidUser, path,
            "\(AllotSnapshot.userKey) in the key's context is neither a string nor an int; "
                + "give the user's ID as a string")
    }

    static func userChanged(_ path: SettingLocation) -> Self {
        Self(.userChanged, path, "the client's user was changed while the server was asked; fetch again")
    }
}

extension ConfigType {
    fileprivate var nameInMessages: String {
        switch self {
        case .string: "a string"
        case .int: "an int"
        case .double: "a double"
        case .bool: "a bool"
        case .bytes: "bytes as base64"
        case .stringArray: "an array of strings"
        case .intArray: "an array of ints"
        case .doubleArray: "an array of doubles"
        case .boolArray: "an array of bools"
        case .byteChunkArray: "an array of bytes as base64"
        }
    }
}
