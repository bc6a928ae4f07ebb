/// A configuration whose settings can be read as Swift types.
///
/// The plan's document on a server and the snapshot in an app are read alike:
///
/// ```swift
/// let checkout: JSONObject = ["ButtonColor": "#1a7f37", "Steps": 3, "Fee": ["amount": 4.90]]
/// let configuration = ConfigurationDocument(sections: ["Checkout": .object(checkout)], meta: [:])
/// print(configuration.text("Checkout", "ButtonColor") ?? "blue")  // #1a7f37
/// print(try configuration.value("Checkout", "Steps", as: UInt8.self))  // 3
/// print(try configuration.decode([String: Double].self, "Checkout", "Fee"))  // ["amount": 4.9]
/// ```
///
/// A value is never converted to another type: the text `"3"` is not a number. All typed reading uses
/// ``value(_:_:)``, so that a snapshot of `AllotClient` reports the exposure, also if the value has another type.
public protocol ReadableConfiguration {
    /// The values of each section's settings: an object of objects. Reading it reports no exposure.
    var sections: JSONObject { get }

    /// The value of a setting. Returns `nil` if the setting does not exist; `null` is a value.
    func value(_ section: String, _ setting: String) -> JSONValue?

    /// Converts values that were read. By default it only calls the conversion; a snapshot of `AllotClient` lets files
    /// among the values know the client that downloads them.
    func converting<Converted, Failure: Error>(_ conversion: () throws(Failure) -> Converted) throws(Failure)
        -> Converted
}

extension ConfigurationDocument: ReadableConfiguration {}

extension ReadableConfiguration {
    /// Calls the conversion.
    public func converting<Converted, Failure: Error>(
        _ conversion: () throws(Failure) -> Converted
    ) throws(Failure) -> Converted { try conversion() }

    /// The text of a setting. Returns `nil` if the setting does not exist or has another type.
    @inlinable public func text(_ section: String, _ setting: String) -> String? { value(section, setting)?.text }

    /// The whole number of a setting, however it is written. Returns `nil` if the setting does not exist, has another
    /// type, or is out of range.
    @inlinable public func integer(_ section: String, _ setting: String) -> Int? { value(section, setting)?.integer }
    /// The number of a setting. Returns `nil` if the setting does not exist, has another type, or is out of range.
    @inlinable public func double(_ section: String, _ setting: String) -> Double? { value(section, setting)?.double }
    /// The boolean of a setting. Returns `nil` if the setting does not exist or has another type.
    @inlinable public func boolean(_ section: String, _ setting: String) -> Bool? { value(section, setting)?.boolean }

    /// The value of a setting, or a default if the setting does not exist or has another type.
    public func value<Value: SettingValue>(_ section: String, _ setting: String, default: Value) -> Value {
        guard let json = value(section, setting) else { return `default` }
        return (try? converting { () throws(SettingValueError) -> Value in try Value(json: json) }) ?? `default`
    }

    /// The value of a setting, which must exist and have the type.
    ///
    /// - Throws: ``SettingError`` if the setting does not exist, or has a value of another type or out of range.
    public func value<Value: SettingValue>(
        _ section: String, _ setting: String, as type: Value.Type
    ) throws(SettingError) -> Value {
        guard let json = value(section, setting) else { throw absence(section, setting, expected: Value.expectation) }
        do throws(SettingValueError) {
            return try converting { () throws(SettingValueError) -> Value in try Value(json: json) }
        } catch {
            throw SettingError(kind: .mismatch(error), section: section, setting: setting, expected: Value.expectation)
        }
    }
}

/// Decoding of `Decodable` types.
///
/// Members of the type are settings with the same name; settings that the type does not name are skipped. Types that
/// conform to ``SettingValue`` are converted as by ``value(_:_:as:)``. Each setting that the type reads counts as read,
/// even if decoding fails afterwards.
extension ReadableConfiguration {
    /// The whole configuration as a type whose members are sections.
    ///
    /// - Throws: `DecodingError` with the path to the faulty value; errors of the type's own initialiser.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decode(type, .object(sections), [], .configuration)
    }

    /// A section as a type whose members are its settings.
    ///
    /// - Throws: ``SettingError`` if the section does not exist; `DecodingError` with the path to the faulty value,
    ///   starting with the section; errors of the type's own initialiser.
    public func decode<Value: Decodable>(_ type: Value.Type, from section: String) throws -> Value {
        guard let settings = sections.object(section) else {
            throw absence(section, nil, expected: "one to decode as \(type)")
        }
        return try decode(type, .object(settings), [PathKey(section)], .section(section))
    }

    /// The value of a setting as a type.
    ///
    /// - Throws: ``SettingError`` if the setting does not exist; `DecodingError` with the path to the faulty value,
    ///   starting with the section; errors of the type's own initialiser.
    public func decode<Value: Decodable>(_ type: Value.Type, _ section: String, _ setting: String) throws -> Value {
        guard let json = value(section, setting) else {
            throw absence(section, setting, expected: "a value to decode as \(type)")
        }
        return try decode(type, json, [PathKey(section), PathKey(setting)], .value)
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ json: JSONValue, _ path: [PathKey], _ place: ValueDecoder.Place
    ) throws -> Value {
        let decoder = ValueDecoder(value: json, codingPath: path, place: place) { _ = self.value($0, $1) }
        return try converting { () throws -> Value in try decoder.decoded(as: type) }
    }

    private func absence(_ section: String, _ setting: String?, expected: String) -> SettingError {
        let kind: SettingError.Kind = sections.object(section) == nil ? .noSection : .noSetting
        return SettingError(kind: kind, section: section, setting: setting, expected: expected)
    }
}
