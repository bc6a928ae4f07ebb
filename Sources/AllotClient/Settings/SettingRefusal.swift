public import AllotConfiguration

/// A value that a setting refuses, and the reasons.
public struct SettingRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting's section.
    public let section: String
    /// The setting's name.
    public let setting: String
    /// The value that was refused.
    public let value: JSONValue
    /// Where the value comes from; `nil` if it is not in a configuration.
    public let source: ValueSource?
    /// What is wrong with it; never empty.
    let violations: [SettingViolation]

    /// What to do about it.
    let remedy: String

    init(
        section: String, setting: String, value: JSONValue, source: ValueSource?, violations: [SettingViolation],
        remedy: String? = nil
    ) {
        self.section = section
        self.setting = setting
        self.value = value
        self.source = source
        self.violations = violations
        self.remedy = remedy ?? Self.remedy(for: source)
    }

    private static func remedy(for source: ValueSource?) -> String {
        switch source {
        case .bootstrap: "correct it in the configuration that the app bundles"
        case .override: "correct the override on this device"
        case .stored, .remote: "correct it in the definitions"
        case .default, nil: "choose another value"
        }
    }

    /// `Checkout.MaxItems: expected at most 100, found 101; correct it in the definitions`
    public var description: String {
        let found = violations.first?.found ?? value.shortened
        // Several violations usually show the same value.
        let wrong =
            violations.allSatisfy { UTF8Order.areEqual($0.found, found) }
            ? "expected \(violations.map(\.expected).joined(separator: " and ")), found \(found)"
            : violations.map(\.description).joined(separator: ", and ")
        return "\(PrintableText("\(section).\(setting)")): \(wrong); \(remedy)"
    }
}
