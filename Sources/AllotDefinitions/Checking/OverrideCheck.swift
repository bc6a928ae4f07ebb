import Allot
import AllotConfiguration

/// Checks the overrides of variants against the base: each setting is declared, and each value has its type and
/// satisfies its constraints.
struct OverrideCheck {
    let base: BaseFile

    /// The problems of one experiment's overrides.
    func problems(of experiment: ExperimentFile) -> [DefinitionProblem] {
        var reader = FileReader(file: experiment.file)
        for (index, variant) in experiment.definition.variants.enumerated() {
            guard index < experiment.places.overrides.count else { break }
            let places = experiment.places.overrides[index]
            // A section without settings changes nothing, but its name may still be misspelt.
            for (path, field) in places where path.count == 1 {
                if let message = undeclared(path[0].text) { reader.error(message, at: field, atKey: true) }
            }
            for section in variant.overrides.members {
                guard case .object(let settings) = section.value, undeclared(section.key) == nil else { continue }
                for setting in settings.members {
                    let path = [section.key, setting.key]
                    check(setting.value, of: path, places, &reader)
                }
            }
        }
        return reader.problems.problems
    }

    private func check(
        _ value: JSONValue, of path: [String], _ places: [[UTF8Key]: Field], _ reader: inout FileReader
    ) {
        guard let field = places[path.map(UTF8Key.init)], !base.isBroken(path[0], path[1]) else { return }
        let name = SettingPath.text(path)
        guard let setting = base.setting(path[0], path[1]) else {
            reader.error(undeclared(path[0], path[1]), at: field, atKey: true)
            return
        }
        let merged = setting.value.merging(value)
        if let violation = setting.typeViolation(of: value) {
            reader.error("\(name) \(violation)", at: field)
            return
        }
        let violations = setting.violations(of: merged)
        for violation in violations { reader.error("\(name) \(violation)", at: field) }
        if violations.isEmpty, merged.isEquivalent(to: setting.value) {
            reader.warning("\(name) is overridden with its base value; leave the override out", at: field)
        }
        warnOfMembers(value, setting.value, path, places, &reader)
    }

    /// The message for a section that the base does not declare. Returns nil if it does.
    func undeclared(_ section: String) -> String? {
        if base.settings[UTF8Key(section)] != nil || base.isBroken(section) { return nil }
        let name = QuotedText(section)
        guard base.isGiven else {
            return "the section \(name) is not declared, as there is no base file; add base.yaml"
        }
        let parts = section.split(separator: ".", maxSplits: 1).map(String.init)
        if parts.count == 2, base.setting(parts[0], parts[1]) != nil {
            return "the base declares no section \(name); write { \(parts[0]): { \(parts[1]): value } }"
        }
        let sections = base.settings.keys.sorted().map(\.text)
        return "the base declares no section \(name); \(FileReader.hint(section, sections, what: "its sections are"))"
    }

    func undeclared(_ section: String, _ name: String) -> String {
        let settings = (base.settings[UTF8Key(section)] ?? [:]).keys.sorted().map(\.text)
        return "the base declares no setting \(SettingPath.text([section, name])); "
            + FileReader.hint(name, settings, what: "the section has")
    }

    /// Warns of members of object values that change their type, which is allowed but seldom intended.
    private func warnOfMembers(
        _ value: JSONValue, _ base: JSONValue, _ path: [String], _ places: [[UTF8Key]: Field],
        _ reader: inout FileReader
    ) {
        guard case .object(let override) = value, case .object(let original) = base else { return }
        for member in override.members {
            let path = path + [member.key]
            guard let old = original[member.key], let field = places[path.map(UTF8Key.init)] else { continue }
            if case .object = old, case .object = member.value {
                warnOfMembers(member.value, old, path, places, &reader)
            } else if old != .null, member.value != .null, !DeclaredSetting.isType(member.value, old.typeName),
                !DeclaredSetting.isType(old, member.value.typeName)
            {
                let name = SettingPath.text(path)
                reader.warning(
                    "\(name) is \(member.value.described), and of type \(old.typeName) in the base", at: field)
            }
        }
    }
}
