import AllotConfiguration
import AllotCore
import AllotDefinitions

/// The names in definitions, for test files.
struct TestNames: Sendable {
    let plan: Plan
    let settings: [DeclaredSetting]

    init(_ loaded: LoadedDefinitions) { (plan, settings) = (loaded.plan, loaded.settings) }

    /// The index of an experiment. Reports an error if there is none of this name.
    func experiment(_ key: String, at field: Field, atKey: Bool = false, _ reader: inout FileReader) -> Int? {
        if let index = plan.index(of: key) { return index }
        let hint = FileReader.hint(key, plan.experiments.map(\.key), what: "the experiments are")
        reader.error("unknown experiment \(QuotedText(key)); \(hint)", at: field, atKey: atKey)
        return nil
    }

    func layer(_ name: String, at field: Field, _ reader: inout FileReader) -> Int? {
        Self.index(of: name, "layer", among: plan.layers.map(\.name), "the layers are", at: field, &reader)
    }

    func holdout(_ name: String, at field: Field, _ reader: inout FileReader) -> Int? {
        Self.index(of: name, "holdout", among: plan.holdouts.map(\.name), "the holdouts are", at: field, &reader)
    }

    private static func index(
        of name: String, _ kind: String, among known: [String], _ list: String, at field: Field,
        _ reader: inout FileReader
    ) -> Int? {
        if let index = known.firstIndex(where: { UTF8Order.areEqual($0, name) }) { return index }
        reader.error(
            "unknown \(kind) \(QuotedText(name)); \(FileReader.hint(name, known, what: list))", at: field, atKey: true)
        return nil
    }

    /// The index of a variant, `.some(nil)` for `none` unless that is a variant. Reports an error for an unknown one.
    func variant(
        _ key: String, of experiment: Int, prefersVariant: Bool = false, at field: Field, atKey: Bool = false,
        _ reader: inout FileReader
    ) -> Int?? {
        let keys = plan.experiments[experiment].variants.map(\.key)
        if key == "none" {
            guard keys.contains("none") else { return .some(nil) }
            guard prefersVariant else {
                reader.error(
                    "\(plan.experiments[experiment].key) has a variant named none; write { variant: none } for it, or "
                        + "{ not: [\(keys.joined(separator: ", "))] } for no variant", at: field, atKey: atKey)
                return nil
            }
        }
        if let index = keys.firstIndex(where: { UTF8Order.areEqual($0, key) }) { return .some(index) }
        let hint = FileReader.hint(key, keys + ["none"], what: "the variants are")
        reader.error(
            "\(plan.experiments[experiment].key) has no variant \(QuotedText(key)); \(hint)", at: field, atKey: atKey)
        return nil
    }

    /// The section and the name of a setting. Reports an error if the base does not declare it.
    func setting(_ path: String, at field: Field, _ reader: inout FileReader) -> (section: String, name: String)? {
        let known = settings.map { SettingPath.text([$0.section, $0.name]) }
        return Self.index(of: path, "setting", among: known, "the base declares", at: field, &reader).map {
            (settings[$0].section, settings[$0].name)
        }
    }

    /// Reports an attribute that no experiment reads: an error if its name is almost that of another, else a warning.
    func checkAttribute(_ name: String, at field: Field, atKey: Bool = true, _ reader: inout FileReader) {
        let known = plan.attributes.names
        guard !known.contains(where: { UTF8Order.areEqual($0, name) || $0.hasPrefix(name + ".") }) else { return }
        if let hint = NearestName.hint(for: name, among: known) {
            reader.error(
                "no experiment reads the attribute \(QuotedText(name)); did you mean \"\(hint)\"?", at: field,
                atKey: atKey)
        } else {
            reader.warning(
                "no experiment reads the attribute \(QuotedText(name)), so it changes nothing; remove it", at: field)
        }
    }
}
