public import AllotConfiguration

/// The user whose configuration is requested.
///
/// A value type, `Sendable`. Two users are equal if the bytes of their IDs and their attributes are.
public struct ConfigurationUser: Sendable, Hashable {
    /// The user's ID, the `user_id` of the definitions: 1 to 1,024 bytes of UTF-8, never trimmed or folded. `nil` is
    /// the unknown user, who gets the generic configuration.
    public var id: String? { key?.text }
    /// The user's attributes: `["country": "DE", "app_version": "5.1"]`.
    ///
    /// Attributes that are all text have no type for the server, as in CSV: `"12"` also equals the number 12, and an
    /// empty text is ignored. As soon as one has another value, such as a number or `true`, all have the types
    /// that they have here: `"12"` equals text only. Give attributes that definitions compare with numbers as numbers.
    public let attributes: JSONObject
    private let key: UTF8Key?

    /// Creates a user; an empty ID is the same as none.
    public init(_ id: String?, attributes: JSONObject = [:]) {
        key = id.flatMap { $0.isEmpty ? nil : UTF8Key($0) }
        self.attributes = attributes
    }

    /// The unknown user.
    public static let none = ConfigurationUser(nil)

    func hasID(of other: ConfigurationUser) -> Bool { key == other.key }
}
