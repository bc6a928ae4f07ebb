import Allot
import AllotConfiguration

/// Checks the overrides of variants against the base: declared, of the right type, within the constraints.
struct OverrideCheck {
    let base: BaseFile
    /// Whether there is a base file at all.
    let hasBase: Bool

    func check(_ experiment: ExperimentFile, reader: inout FileReader) {
        for (index, variant) in experiment.definition.variants.enumerated() {
            guard index < experiment.places.overrides.count else { break }
            let places = experiment.places.overrides[index]
            for section in variant.overrides.members {
                guard case .object(let settings) = section.value else { continue }
                for setting in settings.members {
                    let path = [section.key, setting.key]
                    check(setting.value, of: path, places, &reader)
                }
            }
        }
    }

    private func check(
        _ value: JSONValue, of path: [String], _ places: [[UTF8Key]: Field], _ reader: inout FileReader
    ) {
        guard let field = places[path.map(UTF8Key.init)] else { return }
        let name = SettingPath.text(path)
        guard let setting = base.setting(path[0], path[1]) else {
            reader.error(undeclared(path), atKeyOf: field)
            return
        }
        let merged = setting.value.merging(value)
        if let violation = setting.constraints.typeViolation(of: value, base: setting.value) {
            reader.error("\(name) \(violation)", at: field)
            return
        }
        let violations = setting.constraints.violations(of: merged)
        for violation in violations { reader.error("\(name) \(violation)", at: field) }
        if violations.isEmpty, merged.isEquivalent(to: setting.value) {
            reader.warning("\(name) is overridden by its base value; leave the override out", at: field)
        }
        warnOfMembers(value, setting.value, path, places, &reader)
    }

    private func undeclared(_ path: [String]) -> String {
        let name = SettingPath.text(path)
        guard hasBase else { return "\(name) is not declared, as there is no base file; add base.yaml" }
        let sections = base.settings.keys.map(\.text)
        if let settings = base.settings[UTF8Key(path[0])] {
            let known = settings.keys.map(\.text)
            return "the base declares no setting \(name); \(FileReader.hint(path[1], known, what: "the section has"))"
        }
        return "the base declares no section \(QuotedText(path[0])); \(FileReader.hint(path[0], sections, what: "it has"))"
    }

    /// A member of an object value that changes its type is allowed, and seldom meant.
    private func warnOfMembers(
        _ value: JSONValue, _ base: JSONValue, _ path: [String], _ places: [[UTF8Key]: Field], _ reader: inout FileReader
    ) {
        guard case .object(let override) = value, case .object(let original) = base else { return }
        for member in override.members {
            let path = path + [member.key]
            guard let old = original[member.key], let field = places[path.map(UTF8Key.init)] else { continue }
            if case .object = old, case .object = member.value {
                warnOfMembers(member.value, old, path, places, &reader)
            } else if old != .null, member.value != .null, !Constraints.isType(member.value, old.typeName),
                !Constraints.isType(old, member.value.typeName)
            {
                let name = SettingPath.text(path)
                reader.warning("\(name) is \(member.value.described), and of type \(old.typeName) in the base", at: field)
            }
        }
    }
}
