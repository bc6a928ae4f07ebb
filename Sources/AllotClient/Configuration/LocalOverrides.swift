public import AllotConfiguration

public import struct Foundation.Date

/// Settings and variants that replace the server's on this device only, for testers and for development.
///
/// ```swift
/// func test(_ client: ConfigurationClient) {
///     client.changeOverrides { overrides in
///         overrides.set("Checkout", "Steps", 1)
///         overrides.choose(LocalOverrides.Variant("green"), of: "buy-button")
///     }
/// }
/// ```
public struct LocalOverrides: Sendable, Hashable {
    /// A variant that was chosen on this device.
    public struct Variant: Sendable, Hashable {
        /// The variant's key.
        public let variant: String
        /// The values of the variant, as sections of settings, since the app does not know the definitions.
        package let values: JSONObject

        /// Chooses a variant.
        public init(_ variant: String, values: JSONObject = [:]) {
            self.variant = variant
            // Only an object can replace a section.
            self.values = JSONObject(values.members.filter { $0.value.asObject != nil }.map { ($0.key, $0.value) })
        }
    }

    /// The overridden settings, as sections of settings.
    public private(set) var values: JSONObject
    /// The chosen variants by experiment.
    public private(set) var variants: [String: Variant]
    /// When all overrides expire; `nil` for never.
    public var expires: Date?
    /// When the last applied payload was issued, in seconds since 1970: older ones are not applied any more.
    var issued: Int64?

    /// Creates overrides that override nothing.
    public init() {
        values = [:]
        variants = [:]
    }

    /// Whether nothing is overridden.
    public var isEmpty: Bool { values.isEmpty && variants.isEmpty }

    /// Removes all overrides.
    public mutating func reset() {
        let issued = issued
        self = LocalOverrides()
        self.issued = issued
    }

    /// Overrides a setting; `nil` removes the override.
    public mutating func set(_ section: String, _ setting: String, _ value: JSONValue?) {
        var settings = values.object(section) ?? [:]
        settings[setting] = value
        values[section] = settings.isEmpty ? nil : .object(settings)
    }

    /// Chooses an experiment's variant; `nil` removes the choice.
    public mutating func choose(_ variant: Variant?, of experiment: String) { variants[experiment] = variant }

    func override(_ section: String, _ setting: String) -> Bool {
        guard !isEmpty else { return false }
        return ([values] + variants.values.map(\.values)).contains { $0.object(section)?[setting] != nil }
    }

    /// A document with the overrides applied: the values of chosen variants are merged as the server merges them, in
    /// the order of their experiments; then overridden settings replace their values.
    func applied(to document: ConfigurationDocument) -> ConfigurationDocument {
        guard !isEmpty else { return document }
        var merged = JSONValue.object(document.sections)
        for (_, chosen) in variants.sorted(by: { UTF8Order.precedes($0.key, $1.key) }) {
            merged = merged.merging(.object(chosen.values))
        }
        guard var sections = merged.asObject else { return document }
        for section in values.members {
            var settings = sections.object(section.key) ?? [:]
            for setting in section.value.asObject?.members ?? [] { settings[setting.key] = setting.value }
            sections[section.key] = .object(settings)
        }
        return ConfigurationDocument(sections: sections, meta: document.meta)
    }

    func applied(to assignments: ExperimentAssignments) -> ExperimentAssignments {
        guard !variants.isEmpty else { return assignments }
        let chosen = variants.map { experiment, chosen in
            let own = chosen.values.settings.map { "\($0.section).\($0.setting)" }
            let served = assignments[experiment]
            return ExperimentAssignment(
                experiment: experiment, salt: served?.salt, variant: chosen.variant,
                reason: ExperimentAssignment.overrideReason, revision: served?.revision, settings: own,
                comparedSettings: Array(Set(own + (served?.comparedSettings ?? []))).sorted(),
                unit: served?.unit ?? ExperimentAssignment.defaultUnit)
        }
        return ExperimentAssignments(Array(assignments) + chosen)
    }
}

extension LocalOverrides {
    var record: [UInt8] {
        let choices = variants.mapValues { JSONValue(members: ["variant": $0.variant, "values": $0.values]) }
        return CheckedRecord.encode(
            JSONObject(members: [
                "values": values, "variants": choices, "expires": expires?.milliseconds, "issued": issued,
            ]))
    }

    init(record: [UInt8]) throws(StoreError) {
        let object = try JSONObject(record: record, consequence: "the stored overrides are corrupt and are not used")
        self.init()
        for (section, setting, value) in object.object("values")?.settings ?? [] { set(section, setting, value) }
        for member in object.object("variants")?.members ?? [] {
            guard let choice = member.value.asObject, let variant = choice.text("variant") else { continue }
            choose(Variant(variant, values: choice.object("values") ?? [:]), of: member.key)
        }
        expires = object.date("expires")
        issued = object.integer("issued")
    }
}
