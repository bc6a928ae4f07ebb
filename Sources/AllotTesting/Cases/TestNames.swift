import AllotConfiguration
import AllotCore
import AllotDefinitions

/// The names that test files may refer to.
struct TestNames: Sendable {
    let plan: Plan
    let settings: [DeclaredSetting]
    private let layers: [UTF8Key: Int]
    private let holdouts: [UTF8Key: Int]

    init(_ loaded: LoadedDefinitions) {
        plan = loaded.plan
        settings = loaded.settings
        layers = Self.indices(plan.layers.map(\.name))
        holdouts = Self.indices(plan.holdouts.map(\.name))
    }

    private static func indices(_ names: [String]) -> [UTF8Key: Int] {
        Dictionary(uniqueKeysWithValues: names.enumerated().map { (UTF8Key($1), $0) })
    }

    /// The index of an experiment. Reports an error if there is none of this name.
    func experiment(_ key: String, at field: Field, atKey: Bool = false, _ reader: inout FileReader) -> Int? {
        if let index = plan.index(of: key) { return index }
        let hint = FileReader.hint(key, plan.experiments.map(\.key), what: "the experiments are")
        reader.error("unknown experiment \(QuotedText(key)); \(hint)", at: field, atKey: atKey)
        return nil
    }

    func layer(_ name: String, at field: Field, _ reader: inout FileReader) -> Int? {
        if let index = layers[UTF8Key(name)] { return index }
        let hint = FileReader.hint(name, plan.layers.map(\.name), what: "the layers are")
        reader.error("unknown layer \(QuotedText(name)); \(hint)", at: field, atKey: true)
        return nil
    }

    func holdout(_ name: String, at field: Field, _ reader: inout FileReader) -> Int? {
        if let index = holdouts[UTF8Key(name)] { return index }
        let hint = FileReader.hint(name, plan.holdouts.map(\.name), what: "the holdouts are")
        reader.error("unknown holdout \(QuotedText(name)); \(hint)", at: field, atKey: true)
        return nil
    }

    /// The index of a variant, `.some(nil)` for `none`. Reports an error for an unknown one.
    ///
    /// - Parameter prefersVariant: whether `none` is a variant if there is one with this key.
    func variant(
        _ key: String, of experiment: Int, prefersVariant: Bool = false, at field: Field, atKey: Bool = false,
        _ reader: inout FileReader
    ) -> Int?? {
        let keys = plan.experiments[experiment].variants.map(\.key)
        if key == "none", !prefersVariant, keys.contains("none") {
            reader.error(
                "\(plan.experiments[experiment].key) has a variant named none; write { variant: none } for it, or "
                    + "{ not: [\(keys.joined(separator: ", "))] } for no variant", at: field, atKey: atKey)
            return nil
        }
        if key == "none", !prefersVariant || !keys.contains("none") { return .some(nil) }
        if let index = keys.firstIndex(where: { UTF8Order.areEqual($0, key) }) { return .some(index) }
        let hint = FileReader.hint(key, keys + ["none"], what: "the variants are")
        reader.error(
            "\(plan.experiments[experiment].key) has no variant \(QuotedText(key)); \(hint)", at: field, atKey: atKey)
        return nil
    }

    /// The section and the name of a setting. Reports an error if the base does not declare it.
    func setting(_ path: String, at field: Field, _ reader: inout FileReader) -> (section: String, name: String)? {
        let known = settings.map { SettingPath.text([$0.section, $0.name]) }
        if let index = known.firstIndex(where: { UTF8Order.areEqual($0, path) }) {
            return (settings[index].section, settings[index].name)
        }
        let hint = FileReader.hint(path, known, what: "the base declares")
        reader.error("unknown setting \(QuotedText(path)); \(hint)", at: field, atKey: true)
        return nil
    }

    /// Reports an attribute that no experiment reads: an error if its name is almost that of one that some experiment
    /// reads, else a warning.
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
