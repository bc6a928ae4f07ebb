import AllotConfiguration

/// Values with a default at the call site.
///
/// The default is used if the setting does not exist, and if its value cannot be converted to the type in exactly one
/// sensible way. Each type documents what it accepts: see the `init(lenient:)` of ``SettingValue``.
///
/// | type      | accepts, in addition to its own JSON type                                                          |
/// |-----------|----------------------------------------------------------------------------------------------------|
/// | `Bool`    | 1 and 0; the texts `true`, `yes`, `1`, `false`, `no`, `0` in any case                              |
/// | `Int` …   | 10.0 and 1e1, not 10.5; texts that are such a number; never out of range                           |
/// | `Double` …| texts that are a number; never an infinity                                                         |
/// | `String`  | numbers as their digits, true and false as these words                                             |
/// | `URL`     | texts whose characters need escaping; always with a scheme; `{"__type": "File", …}`                |
/// | `Date`    | texts of RFC 3339; `{"__type": "Date", …}`                                                         |
/// | `Data`    | texts in Base64; `{"__type": "Bytes", …}`                                                          |
/// | arrays, objects | those whose elements can all be converted                                                    |
///
/// Reading a setting that exists reports the exposure to the experiments that compare it, even if its value could not
/// be used: the compared groups must not differ by the values of their variants. Reading an absent one reports none.
extension Configuration {
    /// The value of a setting, or a default. Complexity: O(1), plus the conversion.
    public func value<Value: SettingValue>(_ section: String, _ setting: String, default: Value) -> Value {
        value(of: entry(section, setting), default: `default`)
    }

    /// The value of a setting, or a default, with where it comes from and why the default was used.
    public func reading<Value: SettingValue>(
        _ section: String, _ setting: String, default: Value
    ) -> SettingReading<Value> {
        guard let entry = entry(section, setting) else {
            let problem = absence(section, setting, expected: Value.expectation)
            return SettingReading(value: `default`, source: .default, assignments: [], problem: problem)
        }
        let json = read(entry)
        let setters = entry.assignments.map { assignments[$0] }
        if let value = Value(lenient: json) {
            return SettingReading(value: value, source: entry.source, assignments: setters, problem: nil)
        }
        var mismatch = Value.mismatch(json)
        do throws(SettingValueError) { _ = try Value(strict: json) } catch { mismatch = error }
        let problem = SettingError(
            .mismatch(mismatch), section: section, setting: setting, expected: Value.expectation)
        return SettingReading(value: `default`, source: .default, assignments: setters, problem: problem)
    }

    /// The text of a setting, or a default.
    public func string(_ section: String, _ setting: String, default: String) -> String {
        value(of: entry(section, setting), default: `default`)
    }

    /// Whether a setting is on, or a default.
    public func bool(_ section: String, _ setting: String, default: Bool) -> Bool {
        value(of: entry(section, setting), default: `default`)
    }

    /// The whole number of a setting, or a default.
    public func integer(_ section: String, _ setting: String, default: Int) -> Int {
        value(of: entry(section, setting), default: `default`)
    }

    /// The number of a setting, or a default.
    public func double(_ section: String, _ setting: String, default: Double) -> Double {
        value(of: entry(section, setting), default: `default`)
    }
}

/// Values that must exist.
extension Configuration {
    /// The value of a setting, which must have the type: see the `init(strict:)` of ``SettingValue``.
    ///
    /// Reports the exposure to the experiments that compare it, even if the value is refused.
    ///
    /// - Throws: ``SettingError`` if the setting does not exist, or has a value of another type or out of range.
    public func value<Value: SettingValue>(
        _ section: String, _ setting: String, as type: Value.Type
    ) throws(SettingError) -> Value {
        try value(of: entry(section, setting), section, setting)
    }
}

extension Configuration {
    func value<Value: SettingValue>(of entry: SettingEntry?, default: Value) -> Value {
        guard let entry else { return `default` }
        return Value(lenient: read(entry)) ?? `default`
    }

    func value<Value: SettingValue>(
        of entry: SettingEntry?, _ section: String, _ setting: String
    ) throws(SettingError) -> Value {
        guard let entry else { throw absence(section, setting, expected: Value.expectation) }
        do throws(SettingValueError) {
            return try Value(strict: read(entry))
        } catch {
            throw SettingError(.mismatch(error), section: section, setting: setting, expected: Value.expectation)
        }
    }

    /// Whether a setting has the same value, set by the same variants, in two snapshots, or is in neither. Reports no
    /// exposure.
    package func hasSame(_ section: String, _ setting: String, as other: Configuration) -> Bool {
        ConfigurationSetting(self, section, setting) == ConfigurationSetting(other, section, setting)
    }

    func absence(_ section: String, _ setting: String?, expected: String) -> SettingError {
        let hasSection = document.sections.object(section) != nil
        return SettingError(
            hasSection ? .noSetting : .noSection, section: section, setting: setting, expected: expected)
    }
}

/// Values with a default at the call site, as for ``Configuration``.
extension ConfigurationSection {
    /// The value of a setting, or a default. Complexity: O(1), plus the conversion.
    public func value<Value: SettingValue>(_ setting: String, default: Value) -> Value {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// The text of a setting, or a default.
    public func string(_ setting: String, default: String) -> String {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// Whether a setting is on, or a default.
    public func bool(_ setting: String, default: Bool) -> Bool {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// The whole number of a setting, or a default.
    public func integer(_ setting: String, default: Int) -> Int {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// The number of a setting, or a default.
    public func double(_ setting: String, default: Double) -> Double {
        configuration.value(of: entry(setting), default: `default`)
    }
}

/// Values that must exist.
extension ConfigurationSection {
    /// The value of a setting, which must have the type: see the `init(strict:)` of ``SettingValue``.
    ///
    /// Reports the exposure to the experiments that compare it, even if the value is refused.
    ///
    /// - Throws: ``SettingError`` if the setting does not exist, or has a value of another type or out of range.
    public func value<Value: SettingValue>(
        _ setting: String, as type: Value.Type
    ) throws(SettingError) -> Value {
        try configuration.value(of: entry(setting), name, setting)
    }

    func entry(_ setting: String) -> SettingEntry? {
        configuration.entry(name, setting)
    }
}

/// A setting's value, and where it comes from; see ``Configuration/reading(_:_:default:)``.
public struct SettingReading<Value: SettingValue>: Sendable {
    /// The value.
    public let value: Value
    /// Where it comes from; ``ValueSource/default`` if the caller's default was used.
    public let source: ValueSource
    /// The assignments whose experiments compare the setting, even if the caller's default was used.
    let assignments: [ExperimentAssignment]
    /// Why the caller's default was used.
    public let problem: SettingError?
}

extension SettingReading: Equatable where Value: Equatable {}
