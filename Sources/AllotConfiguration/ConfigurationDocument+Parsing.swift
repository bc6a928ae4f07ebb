extension ConfigurationDocument {
    /// Reads a configuration in MSActiveConfig's exchange format, as tolerant as its clients are: members that are not
    /// known are passed over, a section that is not an object is an empty one, a setting without `value` is absent, and a
    /// trailing comma is no fault. A section may be missing all settings; a document may be missing all sections.
    ///
    /// - Throws: ``ConfigurationDocumentError`` for what is no JSON and for a document without the objects `meta` and
    ///   `config_sections`.
    /// - Complexity: O(*n*).
    public init(parsing bytes: [UInt8]) throws(ConfigurationDocumentError) {
        let value: JSONValue
        do throws(JSONParsingError) {
            value = try JSONValue(parsing: bytes, allowsTrailingCommas: true)
        } catch {
            throw .notJSON(error)
        }
        try self.init(exchange: value)
    }

    /// Takes a configuration in the exchange format from parsed JSON; see ``init(parsing:)``.
    public init(exchange value: JSONValue) throws(ConfigurationDocumentError) {
        guard case .object(let document) = value else { throw .notAnObject(value.typeName) }
        let meta = try Self.object(Key.meta, in: document)
        let sections = try Self.object(Key.sections, in: document)
        self.init(
            sections: JSONObject(sections.members.map { ($0.key, .object(Self.values(ofSection: $0.value))) }),
            meta: meta)
    }

    private static func object(_ name: String, in document: JSONObject) throws(ConfigurationDocumentError) -> JSONObject
    {
        switch document[name] {
        case .object(let object)?: return object
        case nil: throw .missing(name)
        case let other?: throw .wrongType(name, other.typeName)
        }
    }

    private static func values(ofSection section: JSONValue) -> JSONObject {
        guard case .object(let members) = section, case .object(let settings)? = members[Key.settings] else {
            return [:]
        }
        return JSONObject(
            settings.members.compactMap { setting in
                guard case .object(let members) = setting.value, let value = members[Key.value] else { return nil }
                return (setting.key, value)
            })
    }

    /// The format's version as the sender gives it; empty if it gives none.
    public var formatVersion: String {
        text(MetaKey.formatVersion) ?? ""
    }

    /// When the sender made the configuration, in its own words: a text for people, in no fixed format.
    public var creationTime: String? {
        text(MetaKey.creationTime)
    }

    /// The revision of the definitions that the configuration was made from.
    public var revision: String? {
        text(MetaKey.revision)
    }

    private func text(_ name: String) -> String? {
        guard case .string(let text)? = meta[name] else { return nil }
        return text
    }
}

/// Why bytes are no configuration.
public enum ConfigurationDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The bytes are no JSON.
    case notJSON(JSONParsingError)
    /// The JSON value has another type than object: its type.
    case notAnObject(String)
    /// A member that every configuration has is not there: its name.
    case missing(String)
    /// A member that must be an object is none: its name, and its type.
    case wrongType(String, String)

    /// What is wrong, and what was expected.
    public var description: String {
        switch self {
        case .notJSON(let error): "\(error)"
        case .notAnObject(let type): "the configuration is of type \(type); it must be an object"
        case .missing(let name):
            "the configuration has no member \"\(name)\"; send it as an object, if need be an empty one"
        case .wrongType(let name, let type): "\"\(name)\" is of type \(type); it must be an object"
        }
    }
}
