import AllotCore

struct HoldoutsFile: SharedFile {
    private(set) var holdouts: [Positioned<HoldoutDefinition>] = []
    /// The names of the experiments and layers that holdouts cover, as they are written.
    private(set) var experiments: [Positioned<String>] = []
    private(set) var layers: [Positioned<String>] = []
    private static let keys = ["share", "description", "hash", "salt", "resolution", "unit", "experiments", "layers"]

    init() {}

    static var unreadable: HoldoutsFile { HoldoutsFile() }

    init(_ root: SourceNode, reader: inout FileReader) {
        guard let fields = reader.fields(Field(root), of: "the holdouts file", form: "NAME: { share: 2% }") else {
            return
        }
        reader.checkCase(of: "holdouts", fields)
        for (name, field) in fields.entries {
            if let holdout = readHoldout(name, field, &reader) {
                holdouts.append(Positioned(value: holdout, file: reader.file, field: field))
            }
        }
    }

    private mutating func readHoldout(_ name: String, _ field: Field, _ reader: inout FileReader) -> HoldoutDefinition?
    {
        let isNamed = reader.isName(name, "the holdout name", at: field, atKey: true)
        guard let body = reader.fields(field, of: "a holdout", form: "{ share: 2% }", known: Self.keys) else {
            return nil
        }
        let description = reader.text(body, "description")
        let unit = reader.unit(body)
        let reading = reader.hash(body, default: name)
        var experiments: [Positioned<String>]?
        var layers: [Positioned<String>]?
        let hasLists = reader.isFaultless { reader in
            experiments = Self.mentions(body, "experiments", &reader)
            layers = Self.mentions(body, "layers", &reader)
        }
        self.experiments += experiments ?? []
        self.layers += layers ?? []
        guard let share = body["share"] else {
            reader.error("the holdout has no share; add one, such as share: 2%", at: field)
            return nil
        }
        guard let buckets = reader.share(share, of: reading.scale), let hash = reading.hash, isNamed else { return nil }
        let scope = HoldoutDefinition.Scope(
            experiments: (experiments ?? []).map(\.value), layers: (layers ?? []).map(\.value))
        let coversAll = experiments == nil && layers == nil
        if hasLists, !coversAll, (experiments ?? []).isEmpty, (layers ?? []).isEmpty {
            reader.warning(
                "the holdout covers nothing; list experiments or layers, or neither to cover all experiments on "
                    + unit, at: field)
        }
        return HoldoutDefinition(
            name: name, hash: hash, unit: unit, share: buckets, scope: coversAll ? nil : scope,
            description: description)
    }

    /// The names in the list under a key. Returns `nil` if the key is missing.
    private static func mentions(_ body: Fields, _ key: String, _ reader: inout FileReader) -> [Positioned<String>]? {
        guard let field = body[key] else { return nil }
        guard let elements = reader.elements(field, of: key, form: "[NAME]") else { return [] }
        return elements.compactMap { element in
            reader.text(element, "a name in \(key)").map { Positioned(value: $0, file: reader.file, field: element) }
        }
    }
}
