import AllotConfiguration

/// A setting as the base declares it: its value, and the constraints that overrides of it must satisfy.
public struct DeclaredSetting: Sendable {
    package let section: String
    package let name: String
    package let value: JSONValue
    /// The name of the type in JSON Schema; `nil` for the type of the value.
    package let type: String?
    /// The format of every value; `nil` for any value of the type.
    package let format: SettingFormat?
    package let minimum: JSONNumber?
    package let maximum: JSONNumber?
    package let pattern: RegularExpression?
    package let allowed: [JSONValue]?
    package let presentation: SettingPresentation

    package init(
        section: String, name: String, value: JSONValue, type: String?, format: SettingFormat? = nil,
        minimum: JSONNumber?, maximum: JSONNumber?, pattern: RegularExpression?, allowed: [JSONValue]?,
        presentation: SettingPresentation = SettingPresentation()
    ) {
        (self.section, self.name, self.value, self.type) = (section, name, value, type)
        (self.format, self.minimum, self.maximum, self.pattern) = (format, minimum, maximum, pattern)
        (self.allowed, self.presentation) = (allowed, presentation)
    }

    package var path: String { SettingPath.text([section, name]) }
}

/// Paths of settings: section, setting, and members of object values.
package enum SettingPath {
    /// Whether one path is the beginning of the other: setting an object sets its members.
    package static func overlap(_ left: [String], _ right: [String]) -> Bool {
        zip(left, right).allSatisfy { UTF8Order.areEqual($0, $1) }
    }

    /// A path as people write it: `Checkout.Layout.padding.top`.
    package static func text(_ path: [String]) -> String { path.joined(separator: ".") }
}

extension JSONObject {
    /// The values of an object of sections, which are objects of settings.
    package var settings: [(section: String, name: String, value: JSONValue)] {
        members.flatMap { section in (section.value.asObject?.members ?? []).map { (section.key, $0.key, $0.value) } }
    }
}
