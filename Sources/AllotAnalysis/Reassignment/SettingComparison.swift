import AllotConfiguration
import AllotCore

struct SettingComparison {
    private let oldBase: [UTF8Key: JSONValue]
    private let newBase: [UTF8Key: JSONValue]

    init(oldBase: JSONObject, newBase: JSONObject) {
        self.oldBase = oldBase.settingsByPath
        self.newBase = newBase.settingsByPath
    }

    /// The settings whose base value changed: for all units to which no variant gives another value.
    var ofBase: [SettingChange] {
        BeforeAndAfter.pairs(oldBase, newBase).filter { $0.before != $0.after }.map {
            SettingChange(setting: $0.name, before: $0.before, after: $0.after)
        }
    }

    /// The settings that change for the units of an experiment by its overrides; changes of the base alone are left
    /// out.
    func changes(
        _ transitions: [ExperimentReassignment.Transition], old: ExperimentDefinition?, new: ExperimentDefinition?
    ) -> [SettingChange] {
        var found: [SettingChange: [ExperimentReassignment.Transition]] = [:]
        for transition in transitions {
            let (former, latter) = (Self.overrides(old, transition.from), Self.overrides(new, transition.to))
            for setting in BeforeAndAfter.pairs(former, latter) {
                let key = UTF8Key(setting.name)
                let before = Self.merged(oldBase[key], setting.before)
                let after = Self.merged(newBase[key], setting.after)
                guard before != after else { continue }
                let change = SettingChange(setting: setting.name, before: before, after: after)
                found[change, default: []].append(transition)
            }
        }
        return found.map {
            SettingChange(setting: $0.setting, before: $0.before, after: $0.after, transitions: $1)
        }.sorted { left, right in
            if !UTF8Order.areEqual(left.setting, right.setting) {
                return UTF8Order.precedes(left.setting, right.setting)
            }
            return left.share == right.share
                ? left.sortKey.lexicographicallyPrecedes(right.sortKey) : right.share < left.share
        }
    }

    /// The variants that have buckets before and after, and whose units get another value of a setting that a variant
    /// of the experiment overrides. A setting that the base begins or ceases to declare counts with its one value.
    func changedVariants(_ old: ExperimentDefinition, _ new: ExperimentDefinition) -> [String] {
        let compared = Set((old.variants + new.variants).flatMap { $0.overrides.settingsByPath.keys })
        return old.variants.filter { variant in
            guard !variant.buckets.isEmpty,
                new.variants.contains(where: { $0.key == variant.key && !$0.buckets.isEmpty })
            else { return false }
            let (former, latter) = (variant.overrides.settingsByPath, Self.overrides(new, variant.key))
            return compared.contains { setting in
                Self.merged(oldBase[setting] ?? newBase[setting], former[setting])
                    != Self.merged(newBase[setting] ?? oldBase[setting], latter[setting])
            }
        }.map(\.key)
    }

    private static func overrides(_ experiment: ExperimentDefinition?, _ variant: String?) -> [UTF8Key: JSONValue] {
        experiment?.variants.first { $0.key == variant }?.overrides.settingsByPath ?? [:]
    }

    private static func merged(_ base: JSONValue?, _ override: JSONValue?) -> JSONValue? {
        override.map { base?.merging($0) ?? $0 } ?? base
    }
}

extension JSONObject {
    fileprivate var settingsByPath: [UTF8Key: JSONValue] {
        Dictionary(
            byName: members.flatMap { section -> [(String, JSONValue)] in
                guard case .object(let settings) = section.value else { return [] }
                return settings.members.map { (SettingPath.text([section.key, $0.key]), $0.value) }
            })
    }
}

extension SettingChange {
    fileprivate var sortKey: [UInt8] { [before, after].flatMap { ($0?.canonicalBytes ?? []) + [0] } }
}
