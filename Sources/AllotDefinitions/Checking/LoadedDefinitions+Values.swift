import AllotConfiguration
import AllotCore

extension LoadedDefinitions {
    /// The problems of values, by section and setting, that would replace those of the base: undeclared settings, other
    /// types, violated constraints.
    package func problems(ofValues values: JSONObject) -> [String] {
        let check = OverrideCheck(base: base)
        var found: [String] = []
        for section in values.members {
            if let message = check.undeclared(section.key) {
                found.append(message)
                continue
            }
            guard case .object(let settings) = section.value else { continue }
            for member in settings.members {
                guard let setting = base.setting(section.key, member.key) else {
                    found.append(check.undeclared(section.key, member.key))
                    continue
                }
                let name = SettingPath.text([section.key, member.key])
                found += setting.violations(byOverride: member.value).map { "\(name) \($0)" }
            }
        }
        return found
    }

    /// The problems of a choice of variants by experiment: unknown experiments and unknown variants.
    package func problems(ofVariants variants: JSONObject) -> [String] {
        variants.members.compactMap { member in
            guard case .string(let variant) = member.value else { return nil }
            guard let experiment = plan.experiments.first(where: { UTF8Order.areEqual($0.key, member.key) }) else {
                let known = plan.experiments.map(\.key)
                return "unknown experiment \(QuotedText(member.key)); "
                    + FileReader.hint(member.key, known, what: "the experiments are")
            }
            let known = experiment.variants.map(\.key)
            if known.contains(where: { UTF8Order.areEqual($0, variant) }) { return nil }
            return "\(experiment.key) has no variant \(QuotedText(variant)); "
                + FileReader.hint(variant, known, what: "its variants are")
        }
    }
}
