public import AllotConfiguration

public import struct Foundation.URL

extension Configuration {
    /// A section with MSActiveConfig's getters, whether it exists or not: without it, all its settings are absent.
    public func activeConfig(_ section: String) -> ActiveConfigSection {
        ActiveConfigSection(section: sectionOrEmpty(section))
    }
}

/// MSActiveConfig's getters of a section, for apps that migrate from it.
///
/// A value of a type that a getter does not convert reads like an absent setting: as `nil`, 0 or false. Reading a
/// setting that exists reports the exposure to the experiments that compare it, whether its value can be converted or
/// not.
public struct ActiveConfigSection: Sendable, Equatable {
    let section: ConfigurationSection

    /// Text; `nil` for any other value.
    public func string(_ setting: String) -> String? { section[setting]?.text }
    /// An array; `nil` for any other value.
    public func array(_ setting: String) -> [JSONValue]? { section[setting]?.asArray }
    /// An object; `nil` for any other value.
    public func dictionary(_ setting: String) -> JSONObject? { section[setting]?.asObject }
    /// An array of texts; `nil` for any other value, and for an array with another element.
    public func stringArray(_ setting: String) -> [String]? { section[setting].flatMap { try? [String](json: $0) } }

    /// A URL, from text whose characters are escaped where necessary; `nil` for any other value, and for an absent
    /// setting, for which MSActiveConfig raises an exception.
    public func url(_ setting: String) -> URL? { section[setting]?.text.flatMap(URL.init(string:)) }

    /// A whole number: a number without its fraction (one that has a fraction is first rounded to a `Double`), the
    /// whole number at the beginning of a text ("45 items" is 45, "abc" is 0), 1 for true, and 0 for anything else.
    /// Limited to the range of `Int`; MSActiveConfig has 32 bits.
    public func integer(_ setting: String) -> Int {
        converted(setting, { Int(exactly: $0) ?? Self.truncated($0) }, LeadingNumber.integer, { $0 ? 1 : 0 }) ?? 0
    }

    /// A number: also the number at the beginning of a text ("1.5 m" is 1.5, "abc" is 0), 1 for true, and 0 for
    /// anything else. Infinite beyond the type's range.
    public func double(_ setting: String) -> Double {
        converted(setting, \.double, LeadingNumber.double, { $0 ? 1 : 0 }) ?? 0
    }

    /// The value of ``double(_:)``, rounded.
    public func float(_ setting: String) -> Float { Float(double(setting)) }

    /// Whether a number is not 0, or a text has `Y`, `y`, `T`, `t` or a digit from 1 to 9 after blanks, a sign and
    /// zeros; false for anything else.
    public func bool(_ setting: String) -> Bool {
        converted(setting, { $0.double != 0 }, LeadingNumber.bool, { $0 }) ?? false
    }

    private func converted<Value>(
        _ setting: String, _ number: (JSONNumber) -> Value, _ text: (String) -> Value, _ flag: (Bool) -> Value
    ) -> Value? {
        switch section[setting] {
        case .number(let found)?: number(found)
        case .string(let found)?: text(found)
        case .boolean(let found)?: flag(found)
        case .null?, .array?, .object?, nil: nil
        }
    }

    private static func truncated(_ number: JSONNumber) -> Int {
        // A whole number is out of range here, so that only its sign matters.
        let value = number.double.rounded(.towardZero)
        return Int(exactly: value) ?? (value < 0 ? .min : .max)
    }
}
