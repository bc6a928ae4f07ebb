/// A setting's value, and where it comes from.
public struct SettingReading<Value: SettingValue>: Sendable {
    /// The value.
    public let value: Value
    /// Where it comes from; ``ValueSource/default`` when the caller's default had to be used.
    public let source: ValueSource
    /// The assignments whose variants set the setting, also when the caller's default had to be used in its place.
    public let assignments: [Assignment]
    /// Why the caller's default had to be used.
    public let problem: SettingError?
}

extension SettingReading: Equatable where Value: Equatable {}
extension SettingReading: Hashable where Value: Hashable {}
