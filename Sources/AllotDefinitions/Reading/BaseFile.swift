import Allot
import AllotConfiguration

/// The base configuration as a file declares it: values, and the constraints that overrides have to meet.
struct BaseFile: Sendable {
    /// The values alone: an object of objects.
    private(set) var values = JSONObject()
    private(set) var meta = JSONObject()
    private(set) var settings: [UTF8Key: [UTF8Key: Setting]] = [:]

    /// One declared setting.
    struct Setting: Sendable {
        let value: JSONValue
        let constraints: Constraints
    }

    /// No settings: what there is without a base file.
    init() {}

    /// Reads a base file.
    init(_ root: SourceNode, limits: DefinitionLimits, reader: inout FileReader) {
        let field = Field(root)
        let keys = [ConfigurationDocument.Key.meta, ConfigurationDocument.Key.sections]
        guard let fields = reader.fields(field, of: "the base configuration", known: keys) else { return }
        if let meta = fields[ConfigurationDocument.Key.meta] { readMeta(meta, &reader) }
        guard let sections = fields[ConfigurationDocument.Key.sections] else {
            reader.error("config_sections is missing; it holds the sections of settings", at: field)
            return
        }
        readSections(sections, &reader)
        checkSize(sections, limits, &reader)
    }

    private mutating func readMeta(_ field: Field, _ reader: inout FileReader) {
        guard let fields = reader.fields(field, of: "meta") else { return }
        for (key, field) in fields.entries {
            switch key {
            case MetaKey.assignments, MetaKey.holdouts, MetaKey.revision:
                reader.error("meta.\(key) is written by Allot; remove it from the base", atKeyOf: field)
            case MetaKey.formatVersion where field.node.json != MetaKey.formatVersionValue:
                reader.error("\(key) must be \"1.0\", the only version of the format", at: field)
            case MetaKey.creationTime: _ = reader.text(field, key)
            default: break
            }
            meta[key] = field.node.json
        }
    }

    private mutating func readSections(_ field: Field, _ reader: inout FileReader) {
        guard let sections = reader.fields(field, of: "config_sections") else { return }
        for (name, section) in sections.entries {
            if name.isEmpty || name.utf8.contains(UInt8(ascii: ".")) {
                reader.error(
                    "the section name \(QuotedText(name)) is not valid; it is not empty and holds no \".\", "
                        + "because settings are addressed as Section.Setting", atKeyOf: section)
            }
            guard let body = reader.fields(section, of: "a section", known: [ConfigurationDocument.Key.settings]) else {
                continue
            }
            guard let settings = body[ConfigurationDocument.Key.settings] else {
                reader.error("the section has no settings; add {\"settings\": {…}}", at: section)
                continue
            }
            guard let declared = reader.fields(settings, of: "settings") else { continue }
            var values = JSONObject()
            for (key, setting) in declared.entries {
                if key.isEmpty { reader.error("a setting has no name; name it", atKeyOf: setting) }
                guard let read = Self.setting(setting, "\(name).\(key)", &reader) else { continue }
                values[key] = read.value
                self.settings[UTF8Key(name), default: [:]][UTF8Key(key)] = read
            }
            self.values[name] = .object(values)
        }
    }

    private static func setting(_ field: Field, _ name: String, _ reader: inout FileReader) -> Setting? {
        guard let fields = reader.fields(field, of: "a setting", known: ["value"] + Constraints.keys) else { return nil }
        guard let value = fields["value"] else {
            reader.error("\(name) has no value; a setting is {\"value\": …}, and null is a value", at: field)
            return nil
        }
        let constraints = Constraints(fields, reader: &reader)
        for violation in constraints.violations(of: value.node.json) {
            reader.error("the base value of \(name) \(violation)", at: value)
        }
        return Setting(value: value.node.json, constraints: constraints)
    }

    private func checkSize(_ field: Field, _ limits: DefinitionLimits, _ reader: inout FileReader) {
        let count = settings.values.reduce(0) { $0 + $1.count }
        if count > limits.settings {
            reader.error(
                "the base has \(count) settings; at most \(limits.settings) are allowed (raise it with --max-settings)",
                at: field)
        }
        let bytes = settings.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.value.canonicalBytes.count } }
        if bytes > limits.valueBytes {
            reader.error(
                "the values of the base come to \(bytes) bytes; at most \(limits.valueBytes) are allowed "
                    + "(raise it with --max-value-bytes)", at: field)
        }
    }

    /// A declared setting, if there is one of these names.
    func setting(_ section: String, _ name: String) -> Setting? {
        settings[UTF8Key(section)]?[UTF8Key(name)]
    }
}
