import AllotConfiguration

/// A property of a ``SettingsSection`` whose value is a setting's, or its default.
///
/// The property's initial value is the default. What the configuration has is converted strictly and checked; a value that
/// is refused leaves the default in force, and ``refusal`` says why. Reading the property reports the exposure to the
/// experiments that set the value, once for each snapshot; also when the value was refused, since the groups that are
/// compared must not differ by what their variants hold. Behind `$` is everything else:
///
///     checkout.maxItems             // 42
///     checkout.$maxItems.source     // .remote
///
/// Complexity: O(1) to read, a few nanoseconds.
@propertyWrapper
public struct Setting<Value: SettingValue>: Sendable {
    /// The value, read without reporting an exposure.
    public let value: Value
    @usableFromInline let exposure: SettingExposure?
    let state: SettingState<Value>

    /// The value. Reading it reports the exposure to the experiments that set it.
    @inlinable public var wrappedValue: Value {
        exposure?.noteReading()
        return value
    }

    /// The setting itself: its source, its constraints, why a value was refused.
    public var projectedValue: Setting<Value> { self }

    /// Declares a setting.
    ///
    /// - Parameters:
    ///   - wrappedValue: the default.
    ///   - key: the setting's name in its section.
    ///   - choices: the only values that there are.
    ///   - suggestions: values to offer, beside which any other will do that meets the rest.
    ///   - pattern: what the whole text must match, in ICU's syntax; empty for none.
    ///   - description: what the setting is for.
    ///   - requiresRestart: whether a new value takes effect only when the app starts again.
    public init(
        wrappedValue: Value, _ key: String, choices: SettingChoices<Value>? = nil,
        suggestions: SettingChoices<Value> = [], matching pattern: String? = nil, description: String? = nil,
        requiresRestart: Bool = false
    ) {
        self.init(
            key, default: wrappedValue,
            constraints: SettingConstraints(
                pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
            description: description, requiresRestart: requiresRestart)
    }

    /// Declares a setting whose values are numbers of a range.
    ///
    /// - Parameters:
    ///   - wrappedValue: the default.
    ///   - key: the setting's name in its section.
    ///   - bounds: the range, such as `1...100` or `0...`.
    ///   - choices: the only values that there are.
    ///   - suggestions: values to offer, beside which any other will do that meets the rest.
    ///   - pattern: what the whole text must match, in ICU's syntax; empty for none. The text of 7.0 is `7.0`.
    ///   - description: what the setting is for.
    ///   - requiresRestart: whether a new value takes effect only when the app starts again.
    public init(
        wrappedValue: Value, _ key: String, in bounds: some SettingBounds<Value>,
        choices: SettingChoices<Value>? = nil, suggestions: SettingChoices<Value> = [],
        matching pattern: String? = nil, description: String? = nil, requiresRestart: Bool = false
    ) where Value: Numeric {
        self.init(
            key, default: wrappedValue,
            constraints: SettingConstraints(
                bounds, pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
            description: description, requiresRestart: requiresRestart)
    }

    /// Declares a setting whose values are numbers of a range, or `nil`; see
    /// ``init(wrappedValue:_:in:choices:suggestions:matching:description:requiresRestart:)``.
    public init<Number: SettingValue & Numeric>(
        wrappedValue: Number?, _ key: String, in bounds: some SettingBounds<Number>,
        choices: SettingChoices<Number?>? = nil, suggestions: SettingChoices<Number?> = [],
        matching pattern: String? = nil, description: String? = nil, requiresRestart: Bool = false
    ) where Value == Number? {
        self.init(
            key, default: wrappedValue,
            constraints: SettingConstraints(
                bounds, pattern: pattern, choices: choices?.choices, suggestions: suggestions.choices),
            description: description, requiresRestart: requiresRestart)
    }

    private init(
        _ key: String, default defaultValue: Value, constraints: SettingConstraints, description: String?,
        requiresRestart: Bool
    ) {
        let context = SettingsContext.current
        var value = defaultValue
        var binding: SettingState<Value>.Binding?
        var violations: [SettingViolation] = []
        if case .binding(let storage, let entries)? = context?.purpose, let entry = entries[UTF8Key(key)] {
            binding = SettingState.Binding(storage: storage, entry: entry)
            let resolved = constraints.resolve(entry.value, as: Value.self)
            if let taken = resolved.value { value = taken }
            violations = resolved.violations
        }
        self.value = value
        exposure = binding.flatMap { SettingExposure($0.storage, $0.entry) }
        state = SettingState(
            section: context?.section, key: key, defaultValue: defaultValue, constraints: constraints,
            description: description, requiresRestart: requiresRestart, binding: binding, violations: violations)
        if case .collecting(let collector)? = context?.purpose, let section = context?.section {
            collector.add(state, in: section)
        }
    }
}

extension Setting {
    /// The name of the section; `nil` outside of one.
    public var section: String? { state.section }
    /// The setting's name in its section.
    public var key: String { state.key }
    /// The default.
    public var defaultValue: Value { state.defaultValue }
    /// What values must be beside their type.
    public var constraints: SettingConstraints { state.constraints }
    /// What the setting is for.
    public var description: String? { state.description }
    /// Whether a new value takes effect only when the app starts again.
    public var requiresRestart: Bool { state.requiresRestart }

    /// Where the value comes from.
    public var source: ValueSource {
        guard let binding = state.binding, state.violations.isEmpty else { return .default }
        return binding.entry.source
    }

    /// Why the default is in force though the configuration has a value; `nil` when it is not, or has none.
    public var refusal: SettingRefusal? {
        guard let binding = state.binding, !state.violations.isEmpty else { return nil }
        return SettingRefusal(
            section: state.section ?? "", setting: state.key, value: binding.entry.value, source: binding.entry.source,
            violations: state.violations)
    }

    /// The assignments whose variants set the value. Several may each set members of an object.
    public var assignments: [ExperimentAssignment] {
        guard let binding = state.binding else { return [] }
        return binding.entry.assignments.map { binding.storage.assignments[$0] }
    }

    /// The assignment whose variant set the value, the first if there are several; `nil` for none.
    public var assignment: ExperimentAssignment? { assignments.first }
}

extension Setting: Hashable {
    /// Whether two have the same value, wherever it comes from: whether their JSON has the same bytes. Texts are compared by
    /// their bytes, instants to the millisecond; 0.0 and -0.0 differ, and values that JSON cannot say are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.value.json == right.value.json
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(value.json)
    }
}

/// What a setting has beside its value; shared by all copies.
final class SettingState<Value: SettingValue>: Sendable {
    /// The snapshot's entry that a setting took its value from.
    struct Binding: Sendable {
        let storage: ConfigurationStorage
        let entry: SettingEntry
    }

    let section: String?
    let key: String
    let defaultValue: Value
    let constraints: SettingConstraints
    let description: String?
    let requiresRestart: Bool
    let binding: Binding?
    let violations: [SettingViolation]

    init(
        section: String?, key: String, defaultValue: Value, constraints: SettingConstraints, description: String?,
        requiresRestart: Bool, binding: Binding?, violations: [SettingViolation]
    ) {
        self.section = section
        self.key = key
        self.defaultValue = defaultValue
        self.constraints = constraints
        self.description = description
        self.requiresRestart = requiresRestart
        self.binding = binding
        self.violations = violations
    }
}
