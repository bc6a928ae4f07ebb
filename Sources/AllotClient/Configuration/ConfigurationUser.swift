public import AllotConfiguration

/// Whose configuration is asked for.
///
/// A value type, `Sendable`. Two users are equal when the bytes of their IDs and their attributes are.
public struct ConfigurationUser: Sendable, Hashable {
    /// The user's ID, the `user_id` of the definitions: 1 to 1,024 bytes of UTF-8, never trimmed or folded. `nil` is the
    /// user of whom nothing is known yet, who gets the generic configuration.
    public let id: String?
    /// What else is known: `["country": "DE", "app_version": "5.1"]`.
    public let attributes: JSONObject

    /// Names a user; the empty ID is none.
    public init(_ id: String?, attributes: JSONObject = [:]) {
        self.id = id.flatMap { $0.isEmpty ? nil : $0 }
        self.attributes = attributes
    }

    /// The user of whom nothing is known.
    public static let none = ConfigurationUser(nil)

    /// Whether two are one user, whatever is known of them.
    func hasID(of other: ConfigurationUser) -> Bool {
        id.map(UTF8Key.init) == other.id.map(UTF8Key.init)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.hasID(of: right) && left.attributes == right.attributes
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id.map(UTF8Key.init))
        hasher.combine(attributes)
    }
}
