public import AllotConfiguration

/// A type that a setting can be read as.
///
/// The conforming types document what they accept. An app's own enumeration of texts or numbers conforms without any
/// code:
///
/// ```swift
/// enum Layout: String, SettingValue { case list, grid }
///
/// let layout = Configuration.empty.value("Search", "Layout", default: Layout.list)
/// ```
public protocol SettingValue: Sendable {
    /// The expected value, for messages: `a whole number`.
    static var expectation: String { get }

    /// Converts a JSON value that has the type.
    ///
    /// - Throws: ``SettingValueError`` for any other value.
    init(strict json: JSONValue) throws(SettingValueError)

    /// Converts a JSON value that has the type, or can be converted in exactly one sensible way. Returns `nil` for any
    /// other.
    ///
    /// Accepts what ``init(strict:)`` accepts unless a type documents more.
    init?(lenient json: JSONValue)

    /// The value as JSON, which ``init(strict:)`` converts back; null if JSON cannot represent it, such as an infinity.
    var json: JSONValue { get }
}

extension SettingValue {
    /// The error for a value of another type.
    static func mismatch(_ found: JSONValue?) -> SettingValueError {
        SettingValueError(expected: expectation, found: found)
    }

    /// Converts a value that is inside another one.
    init(strict json: JSONValue, at step: SettingValueError.Step) throws(SettingValueError) {
        do throws(SettingValueError) {
            try self.init(strict: json)
        } catch {
            throw error.inside(step)
        }
    }

    /// Converts a JSON value that has the type. Returns `nil` for any other.
    public init?(lenient json: JSONValue) {
        guard let value = try? Self(strict: json) else { return nil }
        self = value
    }
}

extension SettingValue where Self: RawRepresentable, RawValue: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String {
        "a value of \(Self.self), which is \(RawValue.expectation)"
    }

    /// Accepts one of the type's raw values.
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard let raw = try? RawValue(strict: json), let value = Self(exactly: raw) else { throw Self.mismatch(json) }
        self = value
    }

    /// Also accepts what converts leniently to one of the type's raw values.
    public init?(lenient json: JSONValue) {
        guard let raw = RawValue(lenient: json), let value = Self(exactly: raw) else { return nil }
        self = value
    }

    /// The raw value as JSON.
    public var json: JSONValue { rawValue.json }

    private init?(exactly raw: RawValue) {
        // Swift finds an enumeration's case by canonical equivalence; here texts are equal if their bytes are.
        guard let value = Self(rawValue: raw), value.rawValue.json.isEquivalent(to: raw.json) else { return nil }
        self = value
    }
}

extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String {
        let shown = allCases.prefix(20).map { $0.rawValue.json.canonicalText }
        return "one of \(shown.joined(separator: ", "))\(allCases.count > shown.count ? ", …" : "")"
    }
}
