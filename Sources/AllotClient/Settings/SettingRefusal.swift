public import AllotConfiguration

/// A value that a setting does not take, and why.
public struct SettingRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting's section.
    public let section: String
    /// The setting's name.
    public let setting: String
    /// The value that was refused.
    public let value: JSONValue
    /// Where the value comes from; `nil` for one that is not in a configuration.
    public let source: ValueSource?
    /// What is wrong with it; never empty.
    public let violations: [SettingViolation]

    /// `Checkout.MaxItems is 101, above the maximum 100`
    public var description: String {
        "\(section).\(setting) \(violations.map(\.message).joined(separator: ", and "))"
    }
}
