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
/// by the values of their variants. The projected value (`$`) has everything else. Complexity: O(1) to read, a few
/// nanoseconds.
@propertyWrapper
public struct Setting<Value: SettingValue>: Sendable {
    /// The value; reading it here reports no exposure.
    public let value: Value
    @usableFromInline let exposure: SettingExposure?
    let state: SettingState<Value>

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
    ///   - title: the setting's name for people.
    ///   - description: the purpose of the setting.
    ///   - unit: the unit of a number, such as `hours`.
    ///   - control: what menus edit the setting with; `nil` for what fits its type.
    ///   - icons: the pictures at the ends of a slider.
    ///   - requiresRestart: whether menus say that the app uses a new value only after it starts again; the client
    ///     provides each value at once.
    public init(
        wrappedValue: Value, _ key: String, choices: SettingChoices<Value>? = nil,
        suggestions: SettingChoices<Value> = [], matching pattern: String? = nil, title: String? = nil,
        description: String? = nil, unit: String? = nil, control: SettingControl? = nil, icons: SettingIcons? = nil,
        requiresRestart: Bool = false
    ) {
        self.init(
            key, default: wrappedValue,
            constraints: SettingConstraints(
                pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
            presentation: SettingPresentation(
                title: title, description: description, unit: unit, control: control, icons: icons,
                requiresRestart: requiresRestart))
    }

    /// Declares a setting whose values are numbers in a range.
    ///
    /// - Parameters:
    ///   - wrappedValue: the default.
    ///   - key: the setting's name in its section.
    ///   - bounds: the range, such as `1...100` or `0...`.
    ///   - choices: the only permitted values.
    ///   - suggestions: values to offer; other values are permitted if they meet the other constraints.
    ///   - pattern: the pattern that the whole text must match, in ICU's syntax; empty for none. The text of 7.0 is
    ///     `7.0`.
    ///   - title: the setting's name for people.
    ///   - description: the purpose of the setting.
    ///   - unit: the unit of a number, such as `hours`.
    ///   - control: what menus edit the setting with; `nil` for what fits its type.
    ///   - icons: the pictures at the ends of a slider.
    ///   - requiresRestart: whether menus say that the app uses a new value only after it starts again; the client
    ///     provides each value at once.
    public init(
        wrappedValue: Value, _ key: String, in bounds: some SettingBounds<Value>,
        choices: SettingChoices<Value>? = nil, suggestions: SettingChoices<Value> = [],
        matching pattern: String? = nil, title: String? = nil, description: String? = nil,
        unit: String? = nil, control: SettingControl? = nil, icons: SettingIcons? = nil, requiresRestart: Bool = false
    ) where Value: Numeric {
        self.init(
            key, default: wrappedValue,
            constraints: SettingConstraints(
                bounds, pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
            presentation: SettingPresentation(
                title: title, description: description, unit: unit, control: control, icons: icons,
                requiresRestart: requiresRestart))
    }

    /// Declares a setting whose values are numbers in a range, or `nil`; see
    /// ``init(wrappedValue:_:in:choices:suggestions:matching:title:description:unit:control:icons:requiresRestart:)``.
    public init<Number: SettingValue & Numeric>(
        wrappedValue: Number?, _ key: String, in bounds: some SettingBounds<Number>,
        choices: SettingChoices<Number?>? = nil, suggestions: SettingChoices<Number?> = [],
        matching pattern: String? = nil, title: String? = nil, description: String? = nil,
        unit: String? = nil, control: SettingControl? = nil, icons: SettingIcons? = nil, requiresRestart: Bool = false
    ) where Value == Number? {
        self.init(
            key, default: wrappedValue,
            constraints: SettingConstraints(
                bounds, pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
            presentation: SettingPresentation(
                title: title, description: description, unit: unit, control: control, icons: icons,
                requiresRestart: requiresRestart))
    }

    private init(
        _ key: String, default defaultValue: Value, constraints: SettingConstraints, presentation: SettingPresentation
    ) {
        let context = SettingsContext.current
        var value = defaultValue
        var binding: SettingState<Value>.Binding?
        var violations: [SettingViolation] = []
        if let context, case .binding(let storage) = context.purpose, let entry = storage.table[context.section, key] {
            binding = SettingState.Binding(storage: storage, entry: entry)
            let resolved = constraints.resolve(entry.value, as: Value.self)
            if let taken = resolved.value { value = taken }
            violations = resolved.violations
        }
        self.value = value
        exposure = binding.flatMap { SettingExposure($0.storage, $0.entry) }
        state = SettingState(
            section: context?.section, key: key, defaultValue: defaultValue, constraints: constraints,
            presentation: presentation, binding: binding, violations: violations)
        if case .collecting(let collector)? = context?.purpose, let section = context?.section {
            collector.add(state, in: section)
        }
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
        guard let binding = state.binding, !state.violations.isEmpty else { return nil }
        return SettingRefusal(
            section: state.section ?? "", setting: state.key, value: binding.entry.value, source: binding.entry.source,
            violations: state.violations)
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
    public static func == (left: Self, right: Self) -> Bool {
        left.value.json == right.value.json
    }
}

/// The parts of a setting other than its value, which all copies share.
final class SettingState<Value: SettingValue>: Sendable {
    /// The snapshot's entry with the value of a setting.
    struct Binding: Sendable {
        let storage: ConfigurationStorage
        let entry: SettingEntry
    }

    let section: String?
    let key: String
    let defaultValue: Value
    let constraints: SettingConstraints
    let presentation: SettingPresentation
    let binding: Binding?
    let violations: [SettingViolation]

    init(
        section: String?, key: String, defaultValue: Value, constraints: SettingConstraints,
        presentation: SettingPresentation, binding: Binding?, violations: [SettingViolation]
    ) {
        self.section = section
        self.key = key
        self.defaultValue = defaultValue
        self.constraints = constraints
        self.presentation = presentation
        self.binding = binding
        self.violations = violations
    }
}
