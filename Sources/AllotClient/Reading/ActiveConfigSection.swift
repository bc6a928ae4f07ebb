public import AllotConfiguration

public import struct Foundation.URL

extension ConfigurationSection {
    /// The section with MSActiveConfig's getters, which convert as it does, doubt or not.
    public var activeConfig: ActiveConfigSection {
        ActiveConfigSection(section: self)
    }
}

/// MSActiveConfig's getters of a section, for apps that come from there.
///
/// A value of a type that a getter does not take reads as a setting that is absent: as `nil`, 0 or false. Reading a setting
/// that exists reports the exposure to the experiments that set it, whether its value can be taken or not.
public struct ActiveConfigSection: Sendable, Hashable {
    /// The section.
    public let section: ConfigurationSection

    /// Text; `nil` for any other value.
    public func string(_ setting: String) -> String? {
        section.read(setting) { if case .string(let text) = $0 { text } else { nil } }
    }

    /// An array; `nil` for any other value.
    public func array(_ setting: String) -> [JSONValue]? {
        section.read(setting) { if case .array(let values) = $0 { values } else { nil } }
    }

    /// An object; `nil` for any other value.
    public func dictionary(_ setting: String) -> JSONObject? {
        section.read(setting) { if case .object(let object) = $0 { object } else { nil } }
    }

    /// An array of texts; `nil` for any other value, and for an array with an element that is no text.
    public func stringArray(_ setting: String) -> [String]? {
        section.read(setting) { try? [String](strict: $0) }
    }

    /// An address, from text whose characters are escaped where they must be; `nil` for any other value, and for a
    /// setting that is absent, where MSActiveConfig raises.
    public func url(_ setting: String) -> URL? {
        section.read(setting) { if case .string(let text) = $0 { URL(string: text) } else { nil } }
    }

    /// A whole number: a number without its fraction (a number that has one by that of the nearest `Double`), text from its
    /// leading whole number ("45 items" is 45, "abc" is 0), true as 1, and 0 for anything else. Held at the ends of `Int`,
    /// where MSActiveConfig has 32 bits.
    public func integer(_ setting: String) -> Int {
        section.read(setting) { value in
            switch value {
            case .number(let number): Int(exactly: number) ?? Self.truncated(number)
            case .string(let text): LeadingNumber.integer(text)
            case .boolean(let flag): flag ? 1 : 0
            default: nil
            }
        } ?? 0
    }

    /// A number: text from its leading number ("1.5 m" is 1.5, "abc" is 0), true as 1, and 0 for anything else.
    /// Infinite beyond the type's range.
    public func double(_ setting: String) -> Double {
        section.read(setting) { value in
            switch value {
            case .number(let number): number.double
            case .string(let text): LeadingNumber.double(text)
            case .boolean(let flag): flag ? 1 : 0
            default: nil
            }
        } ?? 0
    }

    /// The nearest to ``double(_:)``.
    public func float(_ setting: String) -> Float {
        Float(double(setting))
    }

    /// Whether a number is not 0, or a text has `Y`, `y`, `T`, `t` or a digit from 1 to 9 behind blanks, a sign and
    /// zeros; false for anything else.
    public func bool(_ setting: String) -> Bool {
        section.read(setting) { value in
            switch value {
            case .number(let number): number.double != 0
            case .string(let text): LeadingNumber.bool(text)
            case .boolean(let flag): flag
            default: nil
            }
        } ?? false
    }

    private static func truncated(_ number: JSONNumber) -> Int {
        // Of a whole number only the sign matters: it is out of range. Any other is told from it by its double.
        let value = number.double.rounded(.towardZero)
        return Int(exactly: value) ?? (value < 0 ? .min : .max)
    }
}

extension ConfigurationSection {
    /// What can be made of a setting's value; the user is exposed to whoever set it, if nothing can as well.
    func read<Value>(_ setting: String, _ convert: (JSONValue) -> Value?) -> Value? {
        entry(setting).map(configuration.read).flatMap(convert)
    }
}
