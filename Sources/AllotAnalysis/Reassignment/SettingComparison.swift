import Allot
import AllotConfiguration

/// Compares the values that units get before and after, setting by setting.
struct SettingComparison {
    let oldBase: JSONObject
    let newBase: JSONObject

    /// The settings whose base value changed: for all units to which no variant gives another value.
    var ofBase: [SettingChange] {
        paths(oldBase, newBase).compactMap { section, setting in
            let (before, after) = (value(oldBase, section, setting), value(newBase, section, setting))
            guard before != after else { return nil }
            return SettingChange(
                setting: SettingPath.text([section, setting]), before: before, after: after, transitions: [])
        }
    }

    /// The settings that change for the units of an experiment by its overrides; changes of the base alone are left
    /// out.
    func changes(
        _ transitions: [ExperimentReassignment.Transition], old: ExperimentDefinition?, new: ExperimentDefinition?
    ) -> [SettingChange] {
        struct Change: Hashable {
            let setting: String
            let before: JSONValue?
            let after: JSONValue?
        }
        var found: [Change: [ExperimentReassignment.Transition]] = [:]
        for transition in transitions {
            let before = overrides(old, transition.from)
            let after = overrides(new, transition.to)
            for (section, setting) in paths(before, after) {
                let values = (
                    merged(oldBase, before, section, setting), merged(newBase, after, section, setting)
                )
                let isOverridden = (
                    value(before, section, setting) != nil, value(after, section, setting) != nil
                )
                guard values.0 != values.1, isOverridden.0 || isOverridden.1 else { continue }
                found[
                    Change(setting: SettingPath.text([section, setting]), before: values.0, after: values.1),
                    default: []
                ].append(transition)
            }
        }
        return found.map { change, transitions in
            SettingChange(
                setting: change.setting, before: change.before, after: change.after, transitions: transitions)
        }
        .sorted { left, right in
            guard UTF8Order.areEqual(left.setting, right.setting) else {
                return UTF8Order.precedes(left.setting, right.setting)
            }
            return left.share == right.share
                ? left.sortKey.lexicographicallyPrecedes(right.sortKey) : right.share < left.share
        }
    }

    private func overrides(_ experiment: ExperimentDefinition?, _ variant: String?) -> JSONObject {
        experiment?.variants.first { $0.key == variant }?.overrides ?? [:]
    }

    private func merged(
        _ base: JSONObject, _ overrides: JSONObject, _ section: String, _ setting: String
    ) -> JSONValue? {
        let plain = value(base, section, setting)
        guard let override = value(overrides, section, setting) else { return plain }
        return plain?.merging(override) ?? override
    }

    private func value(_ sections: JSONObject, _ section: String, _ setting: String) -> JSONValue? {
        guard case .object(let settings)? = sections[section] else { return nil }
        return settings[setting]
    }

    /// Every section and setting of either, in byte order.
    private func paths(_ left: JSONObject, _ right: JSONObject) -> [(section: String, setting: String)] {
        var paths: [UTF8Key: (section: String, setting: String)] = [:]
        for sections in [left, right] {
            for section in sections.members {
                guard case .object(let settings) = section.value else { continue }
                for setting in settings.members {
                    paths[UTF8Key(SettingPath.text([section.key, setting.key]))] = (section.key, setting.key)
                }
            }
        }
        return paths.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension SettingChange {
    /// The values before and after, to have an order among equal shares.
    fileprivate var sortKey: [UInt8] {
        [before, after].flatMap { ($0?.canonicalBytes ?? []) + [0] }
    }
}
