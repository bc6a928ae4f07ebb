import Allot

/// Reads the `layers` file.
struct LayersFile: SharedFile {
    private(set) var layers: [Positioned<LayerDefinition>] = []
    /// The names of all layers, including those with errors of their own.
    private(set) var names = KnownNames()
    /// Whether there is a layers file at all.
    private(set) var isGiven = false

    private static let keys = ["description", "salt", "unit"]

    init() {}

    static var unreadable: LayersFile {
        var file = LayersFile()
        (file.names, file.isGiven) = (.unknown, true)
        return file
    }

    init(_ root: SourceNode, reader: inout FileReader) {
        guard let fields = reader.fields(Field(root), of: "the layers file", form: "NAME: {}") else {
            self = .unreadable
            return
        }
        isGiven = true
        for (name, field) in fields.entries {
            names.insert(name)
            if let layer = Self.layer(name, field, &reader) {
                layers.append(Positioned(value: layer, file: reader.file, field: field))
            }
        }
    }

    private static func layer(_ name: String, _ field: Field, _ reader: inout FileReader) -> LayerDefinition? {
        let isNamed = reader.isName(name, "the layer name", at: field, atKey: true)
        if field.node.isNull {
            // Just `checkout:`, as every key of a layer has a default.
            return Salt(name).map { LayerDefinition(name: name, salt: $0, unit: Subject.defaultUnit) }
        }
        guard let body = reader.fields(field, of: "a layer", form: "{ description: TEXT }", known: Self.keys) else {
            return nil
        }
        _ = reader.text(body, "description")
        let unit = reader.unit(body)
        guard let salt = reader.salt(body, default: name), isNamed else { return nil }
        return LayerDefinition(name: name, salt: salt, unit: unit)
    }
}
