import Allot
import AllotConfiguration

/// The settings of one unit's configuration, with their base values and the experiments that set them.
struct UnitSettings {
    struct Setting {
        let name: String
        let value: JSONValue
        let base: JSONValue?
        /// The experiments whose variants override it, with the variants.
        let sources: [(experiment: String, variant: String)]

        var isChanged: Bool { !sources.isEmpty }

        func values(_ frame: PageFrame) -> PageValues {
            [
                "name": name, "value": ShownValue(value).values, "base": ShownValue(base).values,
                "sources": sources.map { source in
                    [
                        "key": source.experiment, "variant": source.variant,
                        "link": frame.hasSite ? frame.links.to(.experiment(source.experiment)) : nil,
                    ] as PageValues
                },
            ]
        }
    }

    /// In the order of the configuration: by section, then by name.
    private(set) var settings: [Setting] = []

    /// - Parameter configuration: as it is served.
    init(_ configuration: JSONValue, _ plan: Plan) {
        var sources: [UTF8Key: [(experiment: String, variant: String)]] = [:]
        for (key, assignment) in configuration["meta"]["assignments"].members {
            guard case .string(let variant) = assignment["variant"] else { continue }
            for case .string(let setting) in assignment["settings"].elements {
                sources[UTF8Key(setting), default: []].append((key, variant))
            }
        }
        let base = JSONValue.object(plan.definitions.base)
        for (section, content) in configuration["config_sections"].members {
            for (name, setting) in content["settings"].members {
                let path = SettingPath.text([section, name])
                settings.append(
                    Setting(
                        name: path, value: setting["value"], base: base[section][name],
                        sources: sources[UTF8Key(path)] ?? []))
            }
        }
    }
}

extension JSONValue {
    /// The value of a member; null if there is none.
    fileprivate subscript(key: String) -> JSONValue {
        if case .object(let object) = self { object[key] ?? .null } else { .null }
    }

    fileprivate var members: [(key: String, value: JSONValue)] {
        if case .object(let object) = self { object.members.map { ($0.key, $0.value) } } else { [] }
    }

    fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
