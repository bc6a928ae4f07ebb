/// A type that a setting can be read as.
///
/// The conforming types document what they accept; each accepts its own JSON type only. An app's own enumeration of
/// texts or numbers conforms without any code:
///
/// ```swift
/// enum Layout: String, SettingValue { case list, grid }
///
/// let document = ConfigurationDocument(sections: ["Search": ["Layout": "grid"]], meta: [:])
/// print(document.value("Search", "Layout", default: Layout.list))  // grid
/// ```
public protocol SettingValue: Sendable {
    /// The expected value, for messages: `a whole number`.
    static var expectation: String { get }

    /// Converts a JSON value that has the type.
    ///
    /// - Throws: ``SettingValueError`` for any other value.
    init(json: JSONValue) throws(SettingValueError)

    /// The value as JSON, which ``init(json:)`` converts back; null if JSON cannot represent it, such as an infinity.
    var json: JSONValue { get }
}

extension SettingValue {
    /// Creates the value of a constant in source code, such as a default: `Date(constant: "2026-11-21")`.
    ///
    /// - Precondition: ``init(json:)``, which is for any other value, accepts the constant.
    public init(constant json: JSONValue) {
        do throws(SettingValueError) {
            self = try Self(json: json)
        } catch { preconditionFailure("the constant is not valid: \(error)") }
    }

    package static func mismatch(_ found: JSONValue?) -> SettingValueError {
        SettingValueError(expected: expectation, found: found)
    }

    package init(json: JSONValue, at step: SettingValueError.Step) throws(SettingValueError) {
        do throws(SettingValueError) {
            try self.init(json: json)
        } catch { throw error.inside(step) }
    }
}

extension SettingValue where Self: RawRepresentable, RawValue: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "a value of \(Self.self), which is \(RawValue.expectation)" }

    /// Accepts one of the type's raw values.
    public init(json: JSONValue) throws(SettingValueError) {
        // Swift finds an enumeration's case by canonical equivalence; here texts are equal if their bytes are.
        guard let raw = try? RawValue(json: json), let value = Self(rawValue: raw),
            value.rawValue.json.isEquivalent(to: raw.json)
        else { throw Self.mismatch(json) }
        self = value
    }

    /// The raw value as JSON.
    public var json: JSONValue { rawValue.json }
}

extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String {
        let shown = allCases.prefix(20).map { $0.rawValue.json.canonicalText }
        return "one of \(shown.joined(separator: ", "))\(allCases.count > shown.count ? ", …" : "")"
    }
}
