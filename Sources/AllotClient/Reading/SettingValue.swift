public import AllotConfiguration

/// What a setting can be read as.
///
/// The types of this library that conform say in their documentation what they take. An app's own enumeration of texts
/// or numbers conforms with its name alone:
///
///     enum Layout: String, SettingValue { case list, grid }
///     let layout = configuration.value("Search", "Layout", default: Layout.list)
public protocol SettingValue: Sendable {
    /// What a value must be, for messages: `a whole number`.
    static var expectation: String { get }

    /// Takes a JSON value that is what it should be.
    ///
    /// - Throws: ``SettingValueError`` for any other.
    init(strict json: JSONValue) throws(SettingValueError)

    /// Takes a JSON value that is what it should be, or can be meant in one way only; `nil` for any other.
    ///
    /// Takes what ``init(strict:)`` takes unless a type says that it takes more.
    init?(lenient json: JSONValue)

    /// The value as JSON, such that ``init(strict:)`` gives it back; null for what JSON cannot say, such as an
    /// infinity.
    var json: JSONValue { get }
}

extension SettingValue {
    public init?(lenient json: JSONValue) {
        do throws(SettingValueError) {
            try self.init(strict: json)
        } catch {
            return nil
        }
    }
}

extension SettingValue where Self: RawRepresentable, RawValue: SettingValue {
    public static var expectation: String {
        "a value of \(Self.self), which is \(RawValue.expectation)"
    }

    /// Takes one of the type's raw values.
    public init(strict json: JSONValue) throws(SettingValueError) {
        let raw: RawValue
        do throws(SettingValueError) {
            raw = try RawValue(strict: json)
        } catch {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        guard let value = Self(exactly: raw) else {
            throw SettingValueError(expected: Self.expectation, found: json)
        }
        self = value
    }

    /// Takes what leniently is one of the type's raw values.
    public init?(lenient json: JSONValue) {
        guard let raw = RawValue(lenient: json), let value = Self(exactly: raw) else { return nil }
        self = value
    }

    public var json: JSONValue { rawValue.json }

    private init?(exactly raw: RawValue) {
        // Swift finds an enumeration's case by canonical equivalence; texts are equal when their bytes are.
        guard let value = Self(rawValue: raw), value.rawValue.json.isEquivalent(to: raw.json) else { return nil }
        self = value
    }
}

extension SettingValue where Self: RawRepresentable & CaseIterable, RawValue: SettingValue {
    public static var expectation: String {
        let shown = allCases.prefix(20).map { $0.rawValue.json.canonicalText }
        return "one of \(shown.joined(separator: ", "))\(allCases.count > shown.count ? ", …" : "")"
    }
}
