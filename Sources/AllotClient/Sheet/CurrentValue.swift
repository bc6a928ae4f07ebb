import AllotConfiguration

struct CurrentValue {
    struct Change {
        /// The value that the setting would have without the override, or else the app's default.
        let before: String
        /// The author: `by the server`.
        let author: String
    }

    let json: JSONValue
    /// The refusal of the configuration's value, in place of which the app uses its default.
    let refusal: SettingRefusal?
    let change: Change?
    /// Whether it is overridden by itself, not by a chosen variant.
    let isOverridden: Bool

    init(_ declaration: SettingDeclaration, _ configuration: Configuration) {
        let entry = configuration.entry(declaration.section, declaration.setting)
        let refusal = entry.flatMap { declaration.refusal(of: $0) }
        isOverridden = configuration.overrides.values.object(declaration.section)?[declaration.setting] != nil
        self.refusal = refusal
        guard let entry, refusal == nil else {
            (json, change) = (declaration.defaultValue, nil)
            return
        }
        let value = declaration.written(entry.value)?.json ?? entry.value
        // A day stays one, for the control that edits it.
        let isDay = declaration.format == .dateTime && SettingFormat.date.fault(of: entry.value) == nil
        json = isDay && declaration.constraints.choices == nil ? entry.value : value
        let isDefault = value.isEquivalent(to: declaration.defaultValue)
        guard entry.source == .override || !isDefault else {
            change = nil
            return
        }
        var before = declaration.defaultValue
        if entry.source == .override,
            let served = configuration.storage.original.value(declaration.section, declaration.setting),
            declaration.violations(of: served).isEmpty
        {
            before = served
        }
        change = Change(
            before: declaration.written(before)?.text ?? before.canonicalText,
            author: Self.author(declaration, entry, configuration, isOverridden: isOverridden))
    }

    private static func author(
        _ declaration: SettingDeclaration, _ entry: SettingEntry, _ configuration: Configuration, isOverridden: Bool
    ) -> String {
        switch entry.source {
        case .override:
            if isOverridden { return "on this device" }
            // The last experiment wins.
            let chosen = configuration.overrides.variants.sorted { UTF8Order.precedes($0.key, $1.key) }
                .last { $0.value.values.object(declaration.section)?[declaration.setting] != nil }
            return chosen.map { "by the variant \($0.value.variant) of \($0.key), chosen on this device" }
                ?? "on this device"
        case .stored, .remote:
            let authors = entry.assignments.map { configuration.assignments[$0] }
                .filter { $0.settings.contains { UTF8Order.areEqual($0, declaration.path) } }
            if authors.isEmpty { return "by the server" }
            return authors.map { "by the variant \($0.variant) of \($0.experiment)" }.joined(separator: ", ")
        case .bootstrap: return "by the configuration that the app bundles"
        case .default: return "by the app"
        }
    }
}
