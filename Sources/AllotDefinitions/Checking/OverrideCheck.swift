import AllotConfiguration
import AllotCore

/// Checks the overrides of variants against the base: each setting is declared, and each value has its type and
/// satisfies its constraints.
struct OverrideCheck {
    let base: BaseFile

    func problems(of experiment: ExperimentFile) -> [DefinitionProblem] {
        var reader = FileReader(file: experiment.file)
        for (index, variant) in experiment.definition.variants.enumerated() {
            // A section without settings changes nothing, but its name may still be misspelt.
            for (name, field) in experiment.places.overrides[index]?.entries ?? [] {
                guard case .map = field.node.content, let message = undeclared(name) else { continue }
                reader.error(message, at: field, atKey: true)
            }
            for section in variant.overrides.members where undeclared(section.key) == nil {
                for setting in section.value.asObject?.members ?? [] {
                    check(setting.value, of: [section.key, setting.key], &reader) {
                        experiment.places.override($0, variant: index)
                    }
                }
            }
        }
        return reader.problems.problems
    }

    /// - Parameter place: where the value of a path stands, for problems.
    private func check(_ value: JSONValue, of path: [String], _ reader: inout FileReader, _ place: ([String]) -> Field)
    {
        guard !base.isBroken(path[0], path[1]) else { return }
        var name: String { SettingPath.text(path) }
        guard let setting = base.setting(path[0], path[1]) else {
            reader.error(undeclared(path[0], path[1]), at: place(path), atKey: true)
            return
        }
        // A value of a format is one thing: no file has the URL of one and the hash of another.
        let merged = setting.format == nil ? setting.value.merging(value) : value
        if let violation = setting.typeViolation(of: value) {
            reader.error("\(name) \(violation)", at: place(path))
            return
        }
        let violations = setting.violations(of: merged)
        for violation in violations { reader.error("\(name) \(violation)", at: place(path)) }
        if violations.isEmpty, merged.isEquivalent(to: setting.value) {
            reader.warning("\(name) is overridden with its base value; leave the override out", at: place(path))
        }
        if !setting.namesTexts { reader.checkWords(in: place(path)) }
        if setting.format == nil { warnOfMembers(value, setting.value, path, &reader, place) }
    }

    /// The message for a section that the base does not declare. Returns `nil` if it does.
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

    /// The fix for a member that the base value does not have; `nil` for one that may be meant.
    private func fix(forNew name: String, in override: JSONObject, _ original: JSONObject) -> String? {
        let letters = name.withoutSpelling
        if let twin = original.members.first(where: { $0.key.withoutSpelling == letters }) {
            return "write \(QuotedText(twin.key)) if that is meant"
        }
        guard let known = original.members.first?.key,
            name.hasPrefix("$") || (name == "value" && override.members.count == 1)
        else { return nil }
        return "write its members without \(QuotedText(name)), as in { \(QuotedText(known)): … }"
    }

    /// Warns of members of object values that change their type, which is allowed but seldom intended.
    private func warnOfMembers(
        _ value: JSONValue, _ base: JSONValue, _ path: [String], _ reader: inout FileReader,
        _ place: ([String]) -> Field
    ) {
        guard case .object(let override) = value, case .object(let original) = base else { return }
        for member in override.members {
            let path = path + [member.key]
            guard let old = original[member.key] else {
                if let fix = fix(forNew: member.key, in: override, original) {
                    reader.warning(
                        "the base value has no member \(QuotedText(member.key)), which is added to it; \(fix)",
                        at: place(path), atKey: true)
                }
                continue
            }
            if case .object = old, case .object = member.value {
                warnOfMembers(member.value, old, path, &reader, place)
            } else if old != .null, member.value != .null, !DeclaredSetting.isType(member.value, old.typeName),
                !DeclaredSetting.isType(old, member.value.typeName)
            {
                let name = SettingPath.text(path)
                reader.warning(
                    "\(name) is \(member.value.described), and of type \(old.typeName) in the base", at: place(path))
            }
        }
    }
}
