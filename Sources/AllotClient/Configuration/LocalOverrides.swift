public import AllotConfiguration

public import struct Foundation.Date

/// What is set on this device alone, over what the server says: for testers and for development.
public struct LocalOverrides: Sendable, Hashable {
    /// A variant that was chosen on this device.
    public struct Variant: Sendable, Hashable {
        /// The variant's key.
        public let variant: String
        /// What the variant sets, as sections of settings: the app does not know it from the definitions.
        public let values: JSONObject

        /// Chooses a variant.
        public init(_ variant: String, values: JSONObject = [:]) {
            self.variant = variant
            // What is no section cannot take the place of one.
            self.values = JSONObject(
                values.members.filter { if case .object = $0.value { true } else { false } }.map { ($0.key, $0.value) })
        }
    }

    /// The values that were set, as sections of settings.
    public private(set) var values: JSONObject
    /// The variants that were chosen, by experiment.
    public private(set) var variants: [String: Variant]
    /// When all of them end; `nil` for never.
    public var expires: Date?
    /// When the last payload was issued that was applied, in seconds since 1970: older ones are not applied again.
    var issued: Int64?

    /// Nothing is overridden.
    public init() {
        values = [:]
        variants = [:]
    }

    /// Whether nothing is overridden.
    public var isEmpty: Bool {
        values.isEmpty && variants.isEmpty
    }

    /// Takes all of them back.
    public mutating func reset() {
        let issued = issued
        self = LocalOverrides()
        self.issued = issued
    }

    /// Sets a setting's value; `nil` takes the override back.
    public mutating func set(_ section: String, _ setting: String, _ value: JSONValue?) {
        var settings = JSONObject()
        if case .object(let existing)? = values[section] { settings = existing }
        settings[setting] = value
        values[section] = settings.isEmpty ? nil : .object(settings)
    }

    /// Chooses an experiment's variant; `nil` takes the choice back.
    public mutating func choose(_ variant: Variant?, of experiment: String) {
        variants[experiment] = variant
    }

    /// Whether a setting's value was set itself or by a chosen variant.
    func override(_ section: String, _ setting: String) -> Bool {
        guard !isEmpty else { return false }
        return ([values] + variants.values.map(\.values)).contains { sections in
            guard case .object(let settings)? = sections[section] else { return false }
            return settings[setting] != nil
        }
    }

    /// A document with what is overridden: what chosen variants set is merged as the server merges it, in the order of
    /// their experiments; over that, values that were set themselves replace what they find.
    func applied(to document: ConfigurationDocument) -> ConfigurationDocument {
        guard !isEmpty else { return document }
        var merged = JSONValue.object(document.sections)
        for experiment in variants.keys.sorted(by: UTF8Order.precedes) {
            if let variant = variants[experiment] { merged = merged.merging(.object(variant.values)) }
        }
        guard case .object(var sections) = merged else { return document }
        for section in values.members {
            guard case .object(let overrides) = section.value else { continue }
            var settings = JSONObject()
            if case .object(let existing)? = sections[section.key] { settings = existing }
            for setting in overrides.members { settings[setting.key] = setting.value }
            sections[section.key] = .object(settings)
        }
        return ConfigurationDocument(sections: sections, meta: document.meta)
    }

    /// ExperimentAssignments with those that are chosen.
    func applied(to assignments: ExperimentAssignments) -> ExperimentAssignments {
        guard !variants.isEmpty else { return assignments }
        let chosen = variants.map { experiment, chosen in
            let own = chosen.values.members.flatMap { section -> [String] in
                guard case .object(let settings) = section.value else { return [] }
                return settings.members.map { "\(section.key).\($0.key)" }
            }
            let served = assignments[experiment]
            return ExperimentAssignment(
                experiment: experiment, variant: chosen.variant, reason: ExperimentAssignment.overrideReason,
                revision: served?.revision, settings: own,
                comparedSettings: Array(Set(own + (served?.comparedSettings ?? []))).sorted(),
                unit: served?.unit ?? ExperimentAssignment.defaultUnit)
        }
        return ExperimentAssignments(Array(assignments) + chosen)
    }
}

extension LocalOverrides {
    /// The record's bytes.
    var record: [UInt8] {
        var object: JSONObject = [
            "values": .object(values),
            "variants": .object(
                JSONObject(
                    variants.map { experiment, chosen in
                        (experiment, ["variant": .string(chosen.variant), "values": .object(chosen.values)])
                    })),
        ]
        object["expires"] = expires.map { .number(JSONNumber($0.milliseconds)) }
        object["issued"] = issued.map { .number(JSONNumber($0)) }
        return CheckedRecord.encode(JSONValue.object(object).canonicalBytes)
    }

    /// Reads a record.
    init(record: [UInt8]) throws(StoreError) {
        let object = try JSONObject(record: record, consequence: "the stored overrides are corrupt and count as none")
        self.init()
        for (section, setting, value) in Self.settings(object["values"]) { set(section, setting, value) }
        if case .object(let chosen)? = object["variants"] {
            for member in chosen.members {
                guard case .object(let choice) = member.value, let variant = choice.text("variant") else { continue }
                var values = JSONObject()
                if case .object(let object)? = choice["values"] { values = object }
                choose(Variant(variant, values: values), of: member.key)
            }
        }
        expires = object.milliseconds("expires")
        if case .number(let number)? = object["issued"] { issued = Int64(number.text) }
    }

    private static func settings(_ sections: JSONValue?) -> [(section: String, setting: String, value: JSONValue)] {
        guard case .object(let sections)? = sections else { return [] }
        return sections.members.flatMap { section -> [(section: String, setting: String, value: JSONValue)] in
            guard case .object(let settings) = section.value else { return [] }
            return settings.members.map { (section.key, $0.key, $0.value) }
        }
    }
}
