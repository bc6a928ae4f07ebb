import AllotConfiguration

/// A property of a ``SettingsSection`` that has the value of a setting, or else its default.
///
/// ```swift
/// struct CheckoutSettings: SettingsSection {
///     static let section = "Checkout"
///     @Setting("MaxItems", in: 1...100) var maxItems = 42
/// }
///
/// let checkout = Configuration.empty.settings(CheckoutSettings.self)
/// print(checkout.maxItems)  // 42
/// print(checkout.$maxItems.source)  // default
/// ```
///
/// The property's initial value is the default. The configuration's value is converted strictly and checked; if it is
/// refused, the default is used, and ``refusal`` says why. Reading the property reports the exposure to the experiments
/// that compare the setting, once for each snapshot, even if the value was refused: the compared groups must not differ
/// by the values of their variants. The projected value (`$`) has everything else. Complexity: O(1) to read.
@propertyWrapper
public struct Setting<Value: SettingValue>: Sendable {
    /// The value; reading it here reports no exposure.
    public let value: Value
    @usableFromInline let exposure: SettingBinding?
    let state: SettingState

    /// The value. Reading it reports the exposure to the experiments that compare the setting.
    @inlinable public var wrappedValue: Value {
        exposure?.noteReading()
        return value
    }

    /// The setting itself: its source, its constraints, why its value was refused.
    public var projectedValue: Setting<Value> { self }

    /// Declares a setting.
    ///
    /// - Parameters:
    ///   - wrappedValue: the default.
    ///   - key: the setting's name in its section.
    ///   - choices: the only permitted values.
    ///   - suggestions: values to offer; other values are permitted if they meet the other constraints.
    ///   - pattern: the pattern that the whole text must match, in ICU's syntax; empty for none.
    ///   - title: the setting's name for people; this and the others are described at ``SettingDeclaration``.
    public init(
        wrappedValue: Value, _ key: String, choices: SettingChoices<Value>? = nil,
        suggestions: SettingChoices<Value> = [], matching pattern: String? = nil, title: String? = nil,
        description: String? = nil, unit: String? = nil, control: SettingControl? = nil, icons: SettingIcons? = nil,
        requiresRestart: Bool = false
    ) {
        self.init(
            default: wrappedValue,
            SettingDeclaration(
                setting: key, typedDefault: wrappedValue,
                constraints: SettingConstraints(
                    pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
                title: title, description: description, unit: unit, control: control, icons: icons,
                requiresRestart: requiresRestart))
    }

    /// Declares a setting whose values are numbers in a range, such as `1...100` or `0...`; see
    /// ``init(wrappedValue:_:choices:suggestions:matching:title:description:unit:control:icons:requiresRestart:)``.
    /// The text of 7.0, for a pattern, is `7.0`.
    public init(
        wrappedValue: Value, _ key: String, in bounds: some SettingBounds<Value>,
        choices: SettingChoices<Value>? = nil, suggestions: SettingChoices<Value> = [],
        matching pattern: String? = nil, title: String? = nil, description: String? = nil,
        unit: String? = nil, control: SettingControl? = nil, icons: SettingIcons? = nil, requiresRestart: Bool = false
    ) where Value: Numeric {
        self.init(
            default: wrappedValue,
            SettingDeclaration(
                setting: key, typedDefault: wrappedValue,
                constraints: SettingConstraints(
                    bounds, pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
                title: title, description: description, unit: unit, control: control, icons: icons,
                requiresRestart: requiresRestart))
    }

    /// Declares a setting whose values are numbers in a range, or `nil`.
    public init<Number: SettingValue & Numeric>(
        wrappedValue: Number?, _ key: String, in bounds: some SettingBounds<Number>,
        choices: SettingChoices<Number?>? = nil, suggestions: SettingChoices<Number?> = [],
        matching pattern: String? = nil, title: String? = nil, description: String? = nil,
        unit: String? = nil, control: SettingControl? = nil, icons: SettingIcons? = nil, requiresRestart: Bool = false
    ) where Value == Number? {
        self.init(
            default: wrappedValue,
            SettingDeclaration(
                setting: key, typedDefault: wrappedValue,
                constraints: SettingConstraints(
                    bounds, pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
                title: title, description: description, unit: unit, control: control, icons: icons,
                requiresRestart: requiresRestart))
    }

    private init(default defaultValue: Value, _ declaration: SettingDeclaration) {
        var value = defaultValue
        var binding: SettingBinding?
        var violations: [SettingViolation] = []
        let purpose = SettingsContext.current?.purpose
        if case .binding(let storage)? = purpose,
            let entry = storage.entries[SettingName(declaration.section, declaration.setting)]
        {
            binding = SettingBinding(storage, entry)
            let resolved = declaration.constraints.resolve(entry.value, as: Value.self)
            if let taken = resolved.value { value = taken }
            violations = resolved.violations
        }
        self.value = value
        exposure = binding.flatMap { $0.entry.assignments.isEmpty ? nil : $0 }
        state = SettingState(declaration, binding, violations)
        if case .collecting(let collector)? = purpose { collector.add(state) }
    }
}

extension Setting {
    /// The source of the value.
    public var source: ValueSource {
        guard let binding = state.binding, state.violations.isEmpty else { return .default }
        return binding.entry.source
    }

    /// The refusal of the configuration's value; `nil` if it is, or does not exist.
    public var refusal: SettingRefusal? {
        state.binding.flatMap { state.declaration.refusal(of: $0.entry, state.violations) }
    }

    /// The assignments whose experiments compare the setting. Several may each set members of an object.
    public var assignments: [ExperimentAssignment] {
        guard let binding = state.binding else { return [] }
        return binding.entry.assignments.map { binding.storage.assignments[$0] }
    }
}

extension Setting: Equatable {
    /// Whether two settings have the same value, wherever it comes from: whether their JSON has the same bytes. Texts
    /// are compared by their bytes, instants to the millisecond; 0.0 and -0.0 differ; values that JSON cannot represent
    /// are equal.
    public static func == (left: Self, right: Self) -> Bool { left.value.json == right.value.json }
}

/// The parts of a setting other than its value, which all copies share.
final class SettingState: Sendable {
    let declaration: SettingDeclaration
    let binding: SettingBinding?
    let violations: [SettingViolation]

    init(_ declaration: SettingDeclaration, _ binding: SettingBinding?, _ violations: [SettingViolation]) {
        (self.declaration, self.binding, self.violations) = (declaration, binding, violations)
    }
}

/// The snapshot's entry with the value of a setting.
@usableFromInline final class SettingBinding: Sendable {
    let storage: ConfigurationStorage
    let entry: SettingEntry

    init(_ storage: ConfigurationStorage, _ entry: SettingEntry) { (self.storage, self.entry) = (storage, entry) }

    @usableFromInline func noteReading() { storage.noteReading(of: entry) }
}
