import AllotConfiguration
import AllotCore

struct LayersFile: SharedFile {
    private(set) var layers: [Positioned<LayerDefinition>] = []
    /// The names of all layers, including those with errors of their own.
    private(set) var names = KnownNames()
    private(set) var isGiven = false
    /// The buckets of each layer whose hash could be read.
    private var scales: [UTF8Key: BucketScale] = [:]
    static let keys = ["description", "hash", "salt", "resolution", "unit"]

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
        reader.checkCase(of: "layers", fields)
        isGiven = true
        for (name, field) in fields.entries {
            names.insert(name)
            scales[UTF8Key(name)] = .own
            if let layer = readLayer(name, field, &reader) {
                layers.append(Positioned(value: layer, file: reader.file, field: field))
            }
        }
    }

    /// The scale of a layer's slots; Allot's own for a layer that does not exist. Returns `nil` if its hash could not
    /// be read.
    func scale(of layer: String) -> BucketScale? {
        names.names.contains(UTF8Key(layer)) ? scales[UTF8Key(layer)] : .own
    }

    private mutating func readLayer(_ name: String, _ field: Field, _ reader: inout FileReader) -> LayerDefinition? {
        let isNamed = reader.isName(name, "the layer name", at: field, atKey: true)
        if field.node.isNull {
            // Just `checkout:`, as every key of a layer has a default.
            return Salt(name).map { LayerDefinition(name: name, hash: .sha256($0), unit: Subject.defaultUnit) }
        }
        guard let body = reader.fields(field, of: "a layer", form: "{ description: TEXT }", known: Self.keys) else {
            return nil
        }
        let description = reader.text(body, "description")
        let unit = reader.unit(body)
        let reading = reader.hash(body, default: name)
        scales[UTF8Key(name)] = reading.scale
        guard let hash = reading.hash, isNamed else { return nil }
        return LayerDefinition(name: name, hash: hash, unit: unit, description: description)
    }
}
