extension ConfigurationDocument {
    /// Reads a configuration in MSActiveConfig's exchange format, as tolerantly as its clients do.
    ///
    /// Unknown members are skipped, a section that is not an object is empty, a setting without `value` is absent, and
    /// trailing commas are allowed. A section may have no `settings`.
    ///
    /// - Throws: ``ConfigurationDocumentError`` if the bytes are not valid JSON, or if the document does not have the
    ///   objects `meta` and `config_sections`.
    /// - Complexity: O(*n*).
    public init(parsing bytes: [UInt8]) throws(ConfigurationDocumentError) {
        let value: JSONValue
        do throws(JSONParsingError) {
            value = try JSONValue(parsing: bytes, allowsTrailingCommas: true)
        } catch { throw .notJSON(error) }
        try self.init(exchange: value)
    }

    /// Reads a configuration in the exchange format from parsed JSON; see ``init(parsing:)``.
    public init(exchange value: JSONValue) throws(ConfigurationDocumentError) {
        guard let document = value.asObject else { throw .notAnObject(value.typeName) }
        let meta = try Self.object(Key.meta, in: document)
        let sections = try Self.object(Key.sections, in: document).members
        self.init(
            sections: JSONObject(sections.map { ($0.key, .object(Self.values(ofSection: $0.value))) }), meta: meta)
    }

    private static func object(_ name: String, in document: JSONObject) throws(ConfigurationDocumentError) -> JSONObject
    {
        guard let value = document[name] else { throw .missing(name) }
        guard let object = value.asObject else { throw .wrongType(name, value.typeName) }
        return object
    }

    private static func values(ofSection section: JSONValue) -> JSONObject {
        let settings = section.asObject?.object(Key.settings)?.members ?? []
        return JSONObject(
            settings.compactMap { setting in setting.value.asObject?[Key.value].map { (key: setting.key, value: $0) } })
    }

    /// The revision of the definitions behind the configuration.
    public var revision: String? { meta[MetaKey.revision]?.text }
}

/// The reason why bytes are not a configuration. `Sendable`.
public enum ConfigurationDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The bytes are not valid JSON.
    case notJSON(JSONParsingError)
    /// The value has another type than object: its type.
    case notAnObject(String)
    /// A required member is missing: its name.
    case missing(String)
    /// A member has another type than object: its name, and its type.
    case wrongType(String, String)

    /// The fault, and what was expected.
    public var description: String {
        switch self {
        case .notJSON(let error): "\(error)"
        case .notAnObject(let type): "the configuration is of type \(type); it must be an object"
        case .missing(let name):
            "the configuration has no member \"\(name)\"; send it as an object, which may be empty"
        case .wrongType(let name, let type): "\"\(name)\" is of type \(type); it must be an object"
        }
    }
}
