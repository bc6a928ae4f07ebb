import AllotConfiguration
import Configuration

/// A failure of a provider to return a value. Its message contains names and types, but no values, which may be secret.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct AllotProviderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The value does not have the requested type.
        case typeMismatch
        /// The key's context names another user than the current one.
        case otherUser
        /// The key's context names the user by something other than an ID.
        case invalidUser
        /// The user changed while the request was in flight.
        case userChanged
    }

    /// The kind of failure.
    public let kind: Kind
    package let components: [String]
    package let message: String

    private init(_ kind: Kind, _ path: SettingLocation, _ message: String) {
        self.kind = kind
        components = [path.section, path.setting] + path.members
        self.message = message
    }

    /// Where, what happened, and what to do.
    public var description: String { "\(QuotedText(SettingLocation.encoded(components))): \(message)" }

    static func typeMismatch(_ path: SettingLocation, _ type: ConfigType, _ mismatch: SettingValueError) -> Self {
        let place = if case .element(let index)? = mismatch.path.first { " at index \(index)" } else { "" }
        return Self(
            .typeMismatch, path,
            "expected \(type.nameInMessages), found \(type.nameOfMismatch(mismatch))\(place); "
                + "request the type that the setting has, or correct the setting")
    }

    static func otherUser(_ path: SettingLocation, asked: String, current: String?) -> Self {
        let user = current.map { "user \(QuotedText($0))" } ?? "no user"
        return Self(
            .otherUser, path,
            "the current configuration belongs to \(user), but the key names user \(QuotedText(asked)); "
                + "change the client's user first, or leave \(AllotSnapshot.userKey) out of the key's context")
    }

    static func invalidUser(_ path: SettingLocation) -> Self {
        Self(
            .invalidUser, path,
            "\(AllotSnapshot.userKey) in the key's context is neither a string nor an int; "
                + "give the user's ID as a string")
    }

    static func userChanged(_ path: SettingLocation) -> Self {
        Self(.userChanged, path, "the client's user changed while the request was in flight; fetch again")
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
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

    fileprivate func nameOfMismatch(_ mismatch: SettingValueError) -> String {
        let isElement = if case .element? = mismatch.path.first { true } else { false }
        switch (mismatch.found, self) {
        case (.number(let number)?, .int),
            (.number(let number)?, .intArray) where isElement:
            return number.decimal.isWhole ? "a whole number beyond an int's range" : "a number with a fraction"
        case (.number?, .double),
            (.number?, .doubleArray) where isElement:
            return "a number beyond a double's range"
        case (.string?, .bytes),
            (.string?, .byteChunkArray) where isElement:
            return "a string that is not base64"
        case (.null?, _), (nil, _): return "null"
        case (.boolean?, _): return "a boolean"
        case (.number?, _): return "a number"
        case (.string?, _): return "a string"
        case (.array?, _): return "an array"
        case (.object?, _): return "an object"
        }
    }
}
