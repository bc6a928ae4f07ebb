import AllotConfiguration
import AllotCore

package enum LimitKey {
    package static let all = "limits"
    package static let settings = "settings"
    package static let valueBytes = "value_bytes"
}

/// The base configuration as a file declares it: values, and the constraints on overrides.
struct BaseFile: SharedFile {
    /// The values alone: an object of objects.
    private(set) var values = JSONObject()
    private(set) var meta = JSONObject()
    private(set) var settings: [UTF8Key: [UTF8Key: DeclaredSetting]] = [:]
    /// The paths of sections and settings with errors of their own. Overrides of them are not checked.
    private var broken: Set<[UTF8Key]> = []
    private(set) var isGiven = false
    private var limits: [String: Int] = [:]
    private static let sectionForm = "{ settings: { SETTING: { value: … } } }"
    private static let sectionsForm = "{ SECTION: \(sectionForm) }"

    init() {}

    static var unreadable: BaseFile {
        var base = BaseFile()
        (base.isGiven, base.broken) = (true, [[]])
        return base
    }

    init(_ root: SourceNode, reader: inout FileReader) {
        isGiven = true
        let field = Field(root)
        let keys = [ConfigurationDocument.Key.meta, ConfigurationDocument.Key.sections, LimitKey.all]
        guard let fields = reader.fields(field, of: "the base configuration", form: "config_sections: {}", known: keys)
        else {
            self = .unreadable
            return
        }
        if let meta = fields[ConfigurationDocument.Key.meta] { readMeta(meta, &reader) }
        if let limits = fields[LimitKey.all] { readLimits(limits, &reader) }
        guard let sections = fields[ConfigurationDocument.Key.sections] else {
            reader.error("config_sections is missing; write config_sections: \(Self.sectionsForm)", at: field)
            self = .unreadable
            return
        }
        readSections(sections, &reader)
        checkSize(sections, &reader)
    }

    private mutating func readMeta(_ field: Field, _ reader: inout FileReader) {
        guard let fields = reader.fields(field, of: "meta", form: "{ NAME: value }") else { return }
        for (key, field) in fields.entries {
            switch key {
            case MetaKey.assignments, MetaKey.holdouts, MetaKey.revision:
                reader.error("meta.\(key) is written by Allot; remove it from the base", at: field, atKey: true)
            case MetaKey.formatVersion where field.node.json != MetaKey.formatVersionValue:
                reader.error("\(key) must be \"1.0\", the only version of the format", at: field)
            case MetaKey.creationTime: _ = reader.text(field, key)
            default: break
            }
            meta[key] = field.node.json
        }
    }

    private mutating func readLimits(_ field: Field, _ reader: inout FileReader) {
        let known = [LimitKey.settings, LimitKey.valueBytes]
        guard let fields = reader.fields(field, of: "limits", form: "{ settings: 300 }", known: known) else { return }
        for (key, field) in fields.entries where known.contains(key) {
            limits[key] = reader.wholeNumber(field, key, in: 1...Int.max, form: "write a whole number above 0")
        }
    }

    /// The limits that count: the folder's own in place of standard ones.
    func limits(_ given: DefinitionLimits) -> DefinitionLimits {
        let standard = DefinitionLimits()
        var limits = given
        if limits.settings == standard.settings { limits.settings = self.limits[LimitKey.settings] ?? limits.settings }
        if limits.valueBytes == standard.valueBytes {
            limits.valueBytes = self.limits[LimitKey.valueBytes] ?? limits.valueBytes
        }
        return limits
    }

    private mutating func readSections(_ field: Field, _ reader: inout FileReader) {
        guard let sections = reader.fields(field, of: "config_sections", form: Self.sectionsForm) else {
            broken = [[]]
            return
        }
        reader.checkCase(of: "sections", sections)
        for (name, section) in sections.entries {
            if name.isEmpty || name.utf8.contains(UInt8(ascii: ".")) {
                reader.error(
                    "the section name \(QuotedText(name)) is not valid; it must not be empty and must not contain "
                        + "\".\", because settings are addressed as Section.Setting", at: section, atKey: true)
            }
            settings[UTF8Key(name)] = [:]
            guard let declared = Self.settings(of: section, &reader) else {
                broken.insert([UTF8Key(name)])
                continue
            }
            readSettings(declared, of: name, &reader)
        }
    }

    private static func settings(of section: Field, _ reader: inout FileReader) -> Fields? {
        let key = ConfigurationDocument.Key.settings
        guard let body = reader.fields(section, of: "a section", form: sectionForm, known: [key]) else { return nil }
        guard let settings = body[key] else {
            reader.error("the section has no settings; put them under the key settings: \(sectionForm)", at: section)
            return nil
        }
        return reader.fields(settings, of: "settings", form: "{ SETTING: { value: … } }")
    }

    private mutating func readSettings(_ declared: Fields, of section: String, _ reader: inout FileReader) {
        reader.checkCase(of: "settings", declared)
        var values = JSONObject()
        for (key, field) in declared.entries {
            if key.isEmpty { reader.error("a setting has no name; name it", at: field, atKey: true) }
            var setting: DeclaredSetting?
            let isFaultless = reader.isFaultless {
                setting = DeclaredSetting(field, section: section, name: key, reader: &$0)
            }
            if !isFaultless { broken.insert([UTF8Key(section), UTF8Key(key)]) }
            guard let setting else { continue }
            values[key] = setting.value
            settings[UTF8Key(section)]?[UTF8Key(key)] = setting
        }
        self.values[section] = .object(values)
    }

    private func checkSize(_ field: Field, _ reader: inout FileReader) {
        let limits = limits(reader.limits)
        let valueBytes = ValueSize(base: values, experiments: []).base
        let count = settings.values.reduce(0) { $0 + $1.count }
        if count > limits.settings {
            reader.error(
                "the base has \(count) settings; at most \(limits.settings) are allowed (raise it with "
                    + "limits.settings of the base)", at: field)
        }
        if valueBytes > limits.valueBytes {
            reader.error(
                "the values of the base come to \(valueBytes) bytes; at most \(limits.valueBytes) are allowed "
                    + "(raise it with limits.value_bytes of the base)", at: field)
        }
    }

    var declared: [DeclaredSetting] {
        // The names are sorted, because a setting is large to move about.
        settings.keys.sorted().flatMap { section in
            let settings = settings[section] ?? [:]
            return settings.keys.sorted().compactMap { settings[$0] }
        }
    }

    var isEmpty: Bool { settings.values.allSatisfy(\.isEmpty) }
    func setting(_ section: String, _ name: String) -> DeclaredSetting? { settings[UTF8Key(section)]?[UTF8Key(name)] }

    func isBroken(_ section: String, _ name: String? = nil) -> Bool {
        if broken.isEmpty { return false }
        let path = [section, name].compactMap { $0.map(UTF8Key.init) }
        return (0...path.count).contains { broken.contains(Array(path.prefix($0))) }
    }
}
