import AllotConfiguration
import AllotCore

/// The settings of one unit's configuration, with their base values and the experiments that set them.
struct UnitSettings {
    struct Setting {
        let name: String
        let value: JSONValue
        let base: JSONValue?
        /// The experiments whose variants override it, or may do so, with what the unit gets there.
        let sources: [(experiment: String, outcome: String)]
        var isChanged: Bool { !sources.isEmpty }
    }

    /// In the order of the configuration: by section, then by name.
    private(set) var settings: [Setting] = []

    /// Reads the settings of a configuration. Any variant of an open experiment may set what it overrides.
    init(_ configuration: JSONValue, _ plan: Plan, open: [Explanation.Experiment]) {
        var sources: [UTF8Key: [(experiment: String, outcome: String)]] = [:]
        let isOpen = Set(open.map { UTF8Key($0.assignment.experiment) })
        for member in configuration[["meta", "assignments"]]?.asObject?.members ?? []
        where !isOpen.contains(UTF8Key(member.key)) {
            guard case .string(let variant)? = member.value[["variant"]] else { continue }
            for case .string(let setting) in member.value[["settings"]]?.asArray ?? [] {
                sources[UTF8Key(setting), default: []].append((member.key, variant))
            }
        }
        for experiment in open {
            let key = experiment.assignment.experiment
            let settings = plan.index(of: key).map { plan.experiments[$0].variants.flatMap(\.settings) } ?? []
            for setting in Set(settings.map(UTF8Key.init)) {
                sources[setting, default: []].append((key, experiment.outcome))
            }
        }
        let base = JSONValue.object(plan.definitions.base)
        for section in configuration[["config_sections"]]?.asObject?.members ?? [] {
            for setting in section.value[["settings"]]?.asObject?.members ?? [] {
                let path = [section.key, setting.key]
                let name = SettingPath.text(path)
                settings.append(
                    Setting(
                        name: name, value: setting.value[["value"]] ?? .null, base: base[path],
                        sources: sources[UTF8Key(name)] ?? []))
            }
        }
    }
}

extension UnitPage.Answer {
    var holdouts: [String] {
        (configuration[["meta", "holdouts"]]?.asArray ?? []).compactMap {
            if case .string(let name) = $0 { name } else { nil }
        }
    }
}

extension Explanation.Experiment {
    /// The outcome in a few words: `no variant`, or `loud if it has no orders` if it rests on what was not given.
    var outcome: String { (assignment.variant ?? "no variant") + (absence.map { " if it has \($0)" } ?? "") }
}
