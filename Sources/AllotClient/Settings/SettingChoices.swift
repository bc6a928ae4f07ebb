public import AllotConfiguration

/// One of the values that a setting offers.
public struct SettingChoice: Sendable, Hashable {
    /// What people read in place of the value; `nil` for the value itself.
    public let label: String?
    /// The value.
    public let value: JSONValue
}

/// The values that a setting offers: `["list", "grid"]`, or with labels `["Low": 10, "High": 95]`.
public struct SettingChoices<Value: SettingValue>: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    let choices: [SettingChoice]

    /// Offers values.
    public init(_ values: some Sequence<Value>) {
        choices = values.map { SettingChoice(label: nil, value: $0.json) }
    }

    /// Offers values, each under a label.
    public init(labelled values: some Sequence<(label: String, value: Value)>) {
        choices = values.map { SettingChoice(label: $0.label, value: $0.value.json) }
    }

    public init(arrayLiteral values: Value...) {
        self.init(values)
    }

    public init(dictionaryLiteral values: (String, Value)...) {
        self.init(labelled: values.map { (label: $0.0, value: $0.1) })
    }
}
