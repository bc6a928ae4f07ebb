/// A configuration in MSActiveConfig's exchange format: sections of settings, and a `meta` block. `Sendable`.
///
/// ```swift
/// let document = try ConfigurationDocument(parsing: Array(#"""
///     {"config_sections": {"Checkout": {"settings": {"ButtonColor": {"value": "#00aa00"}}}}, "meta": {}}
///     """#.utf8))
/// print(document.value("Checkout", "ButtonColor") == "#00aa00")  // true
/// ```
public struct ConfigurationDocument: Sendable, Hashable {
    package enum Key {
        package static let meta = "meta", sections = "config_sections", settings = "settings", value = "value"
    }

    /// The values of each section's settings: an object of objects.
    public let sections: JSONObject
    /// The sender's remarks on the configuration; its `assignments` are Allot's decisions.
    public let meta: JSONObject

    /// Creates a document from the values of its sections.
    public init(sections: JSONObject, meta: JSONObject) { (self.sections, self.meta) = (sections, meta) }
    /// The value of a setting. Returns `nil` if the setting does not exist; `null` is a value.
    public func value(_ section: String, _ setting: String) -> JSONValue? { sections.object(section)?[setting] }

    /// The document as JSON: sorted keys, no white space.
    public var canonicalBytes: [UInt8] {
        JSONValue.object([Key.sections: .object(exchangeSections), Key.meta: .object(meta)]).canonicalBytes
    }

    private var exchangeSections: JSONObject {
        JSONObject(
            sections.members.map { section in
                guard let values = section.value.asObject else { return (section.key, section.value) }
                let settings = values.members.map { (key: $0.key, value: JSONValue.object([Key.value: $0.value])) }
                return (section.key, [Key.settings: .object(JSONObject(settings))])
            })
    }
}
