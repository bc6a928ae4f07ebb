import Allot
import AllotConfiguration

/// A setting as the base declares it: its value, and what overrides of it must be.
package struct DeclaredSetting: Sendable {
    package let section: String
    package let name: String
    package let value: JSONValue
    /// A type under JSON Schema's name; `nil` for the value's own.
    package let type: String?
    package let minimum: JSONNumber?
    package let maximum: JSONNumber?
    /// What has to occur somewhere in text.
    package let pattern: RegularExpression?
    /// The only values that there are; `nil` for any.
    package let allowed: [JSONValue]?
    package let description: String?

    init(_ section: String, _ name: String, _ setting: BaseFile.Setting) {
        self.section = section
        self.name = name
        value = setting.value
        type = setting.constraints.type
        minimum = setting.constraints.minimum
        maximum = setting.constraints.maximum
        pattern = setting.constraints.pattern
        allowed = setting.constraints.allowed
        description = setting.constraints.description
    }
}
