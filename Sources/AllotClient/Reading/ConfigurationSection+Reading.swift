public import AllotConfiguration

public import struct Foundation.Date
public import struct Foundation.URL

/// Values with a default at the call site, as those of ``Configuration``.
extension ConfigurationSection {
    /// The value of a setting, or a default. Complexity: O(1), and that of the conversion.
    public func value<Value: SettingValue>(_ setting: String, default: Value) -> Value {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// The same with where the value comes from, and why the default had to be used.
    public func reading<Value: SettingValue>(
        _ setting: String, default: Value
    ) -> SettingReading<Value> {
        configuration.reading(of: entry(setting), name, setting, default: `default`)
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

    /// The number of a setting, or a default.
    public func float(_ setting: String, default: Float) -> Float {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// The address of a setting, or a default.
    public func url(_ setting: String, default: URL) -> URL {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// The instant of a setting, or a default.
    public func date(_ setting: String, default: Date) -> Date {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// The texts of a setting, or a default.
    public func strings(_ setting: String, default: [String]) -> [String] {
        configuration.value(of: entry(setting), default: `default`)
    }

    /// The object of a setting, or a default.
    public func object(_ setting: String, default: JSONObject) -> JSONObject {
        configuration.value(of: entry(setting), default: `default`)
    }
}

/// Values that must be there.
extension ConfigurationSection {
    /// The value of a setting, which must be of the type itself: see the `init(strict:)` of ``SettingValue``.
    ///
    /// Reports the exposure to the experiments that set it, also if the value is refused.
    ///
    /// - Throws: ``SettingError`` when there is no such setting, and for a value of another type or out of range.
    public func value<Value: SettingValue>(
        _ setting: String, as type: Value.Type
    ) throws(SettingError) -> Value {
        try configuration.value(of: entry(setting), name, setting)
    }

    func entry(_ setting: String) -> SettingEntry? {
        settings[UTF8Key(setting)]
    }
}
