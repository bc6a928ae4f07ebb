import Allot

/// Reads the `holdouts` file.
enum HoldoutsFile {
    private static let keys = ["share", "description", "salt", "unit", "experiments", "layers"]

    static func read(_ root: SourceNode, file: String, reader: inout FileReader) -> [Located<HoldoutDefinition>] {
        guard let fields = reader.fields(Field(root), of: "the holdouts file") else { return [] }
        return fields.entries.compactMap { name, field in
            let isNamed = reader.isName(name, "the holdout name", at: field, position: field.keyPosition)
            guard let body = reader.fields(field, of: "a holdout", known: keys) else { return nil }
            _ = reader.text(body, "description")
            let unit = reader.unit(body)
            let salt = reader.salt(body, default: name)
            let experiments = names(body, "experiments", &reader)
            let layers = names(body, "layers", &reader)
            guard let share = body["share"] else {
                reader.error("the holdout has no share; add share: 2%", at: field)
                return nil
            }
            guard let buckets = reader.percentage(share, "share"), let salt, isNamed else { return nil }
            let scope =
                experiments == nil && layers == nil
                ? nil : HoldoutDefinition.Scope(experiments: experiments ?? [], layers: layers ?? [])
            return Located(
                value: HoldoutDefinition(name: name, salt: salt, unit: unit, share: buckets, scope: scope), file: file,
                field: field)
        }
    }

    /// The names that a list gives; `nil` without the key.
    private static func names(_ body: Fields, _ key: String, _ reader: inout FileReader) -> [String]? {
        guard let field = body[key] else { return nil }
        return reader.elements(field, of: key)?.compactMap { reader.text($0, "a name in \(key)") } ?? []
    }
}
