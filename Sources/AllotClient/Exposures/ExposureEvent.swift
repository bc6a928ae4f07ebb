public import AllotConfiguration
import Foundation

/// One exposure of a unit to a variant, as the server stores it.
///
/// A value type, `Sendable`. Its ID is made once; the server ignores an event whose ID it has stored already, so
/// that an event may be sent again after a crash.
public struct ExposureEvent: Sendable, Hashable {
    /// The event's ID, a random UUID.
    public let id: String
    /// The unit's ID, 1 to 1,024 bytes.
    public let unit: String
    /// The experiment's key.
    public let experiment: String
    /// The beginning of the experiment's hashes: another salt is another randomisation. `nil` in events of earlier
    /// versions, for which the server takes that of its definition.
    public let salt: String?
    /// The variant's key.
    public let variant: String
    /// The number of the window that decided; `nil` for an experiment whose definition has no period.
    public let window: Int?
    /// The revision of the experiment's definition; `nil` if the server does not send it.
    public let revision: String?
    /// The reason of the assignment: `split`, `forced`, `winner`, `override`.
    public let reason: String
    /// Whether the variant, or a value that the variant sets, was set on the device.
    public let isOverridden: Bool
    /// The time of the exposure by the device's clock: RFC 3339 in UTC with milliseconds. Times before 1970 become
    /// 1970, the earliest time that the server accepts.
    public private(set) var at: String
    /// Details by which analyses recognise late and offline users: `source`, `configuration_age`, `generic`,
    /// `clock_correction`. At most 4,096 bytes of JSON.
    public private(set) var attributes: JSONObject

    private typealias Key = ExposureMessage.Event

    /// Creates an event, for tests of a sender, with an ID of 1 to 128 bytes; a reporter creates its own.
    public init(
        id: String, unit: String, experiment: String, salt: String? = nil, variant: String, window: Int? = nil,
        revision: String? = nil, reason: String = "split", isOverridden: Bool = false, at: String,
        attributes: JSONObject = [:]
    ) {
        (self.id, self.unit, self.experiment, self.salt, self.variant) = (id, unit, experiment, salt, variant)
        (self.revision, self.reason, self.isOverridden, self.at) = (revision, reason, isOverridden, at)
        (self.window, self.attributes) = (window, attributes)
    }

    /// The event as JSON, in the form that the server accepts.
    public var json: JSONValue {
        var members: JSONObject = [
            Key.at: .string(at), Key.attributes: .object(attributes), Key.experiment: .string(experiment),
            Key.id: .string(id), Key.reason: .string(reason), Key.unit: .string(unit), Key.variant: .string(variant),
        ]
        members[Key.salt] = salt.map(JSONValue.string)
        members[Key.window] = window.map { .number(JSONNumber($0)) }
        members[Key.revision] = revision.map(JSONValue.string)
        if isOverridden { members[Key.override] = true }
        return .object(members)
    }

    /// The fingerprint of what is one exposure: experiment, salt, unit, variant, window, whether it is counted. So a
    /// new revision is not another exposure, and an override on the device does not hide the one that is counted.
    var fingerprint: FNV1a.Hash128 {
        let isCounted = ExposureMessage.isCounted(reason: reason, isOverridden: isOverridden)
        let texts = [experiment, salt ?? experiment, unit, variant, isCounted ? "1" : ""]
        return FNV1a.hash128(texts + (window.map { ["\($0)"] } ?? []))
    }
}

extension ExposureEvent: CustomStringConvertible {
    /// The experiment and the variant, such as `exposure to checkout-button=green`; without the unit's ID.
    public var description: String { "exposure to \(PrintableText(experiment))=\(PrintableText(variant))" }
}

enum ExposureAttribute {
    /// The ``ConfigurationOrigin`` of the configuration, `true` if it was that of no user, and the whole seconds since
    /// the server last sent or confirmed it.
    static let source = "source", generic = "generic", configurationAge = "configuration_age"
    /// The whole seconds by which ``ExposureEvent/at`` was moved, negative.
    static let clockCorrection = "clock_correction"
}

extension ExposureEvent {
    /// Reads ``json``, also in the form of earlier versions. Returns `nil` for anything else.
    init?(_ json: JSONValue) {
        guard let members = json.asObject, let id = members.text(Key.id), let unit = members.text(Key.unit),
            let experiment = members.text(Key.experiment), let variant = members.text(Key.variant),
            let at = members.text(Key.at), var attributes = members.object(Key.attributes)
        else { return nil }
        var notes = ExposureNotes(
            revision: members.text(Key.revision).flatMap(Self.note),
            reason: members.text(Key.reason).flatMap(Self.note), isOverridden: members[Key.override].map { $0 == true })
        notes.take(from: &attributes)
        self.init(
            id: id, unit: unit, experiment: experiment, salt: members.text(Key.salt), variant: variant,
            window: members.integer(Key.window), revision: notes.revision,
            reason: notes.reason ?? ExposureMessage.defaultReason,
            isOverridden: notes.isOverridden ?? false, at: at, attributes: attributes)
    }

    func moved(to at: String, correction: Int64) -> ExposureEvent {
        var moved = self
        moved.at = at
        moved.attributes[ExposureAttribute.clockCorrection] = .number(JSONNumber(correction))
        return moved
    }

    var isMoved: Bool { attributes[ExposureAttribute.clockCorrection] != nil }
}

extension ExposureEvent {
    init(_ assignment: ExperimentAssignment, in configuration: Configuration, at now: Date) throws(ExposureRefusal) {
        guard let unit = Self.unit(assignment.unit, configuration) else {
            throw ExposureRefusal(assignment: assignment, reason: .noUnit(assignment.unit))
        }
        self.init(
            id: UUID().uuidString.lowercased(), unit: unit, experiment: assignment.experiment, salt: assignment.salt,
            variant: assignment.variant, window: assignment.window, revision: assignment.revision.flatMap(Self.note),
            reason: Self.note(assignment.reason) ?? ExposureMessage.defaultReason,
            isOverridden: assignment.isOverridden || Self.isSetHere(assignment, configuration),
            at: ExposureTime.text(now), attributes: Self.attributes(configuration, now))
    }

    /// A revision or a reason, cut to what a server accepts. Returns `nil` for an empty one.
    private static func note(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        guard text.utf8.count > ExposureMessage.maximumNoteLength else { return text }
        var length = 0
        return String(
            text.unicodeScalars.prefix { scalar in
                length += String(scalar).utf8.count
                return length <= ExposureMessage.maximumNoteLength
            })
    }

    /// The ID of a unit, as the server reads it from the attributes for which it decided; the user's is the current
    /// one. Returns `nil` if that is not a valid ID.
    private static func unit(_ name: String, _ configuration: Configuration) -> String? {
        let parts = CompositeUnit.parts(of: name).map { part(of: $0, configuration) }
        let given = parts.compactMap { $0 }
        guard given.count == parts.count else { return nil }
        let id = CompositeUnit.join(given)
        return id.utf8.count <= UnitContract.maximumLength ? id : nil
    }

    private static func part(of attribute: String, _ configuration: Configuration) -> String? {
        var text = configuration.user.id
        if !UTF8Order.areEqual(attribute, ExperimentAssignment.defaultUnit) {
            let value = value(of: attribute, in: configuration.decidedFor)
            text = value?.text
            if let number = value?.asNumber, number.isWrittenAsInteger, abs(number.double) < 9_007_199_254_740_992 {
                text = number.double == 0 ? "0" : number.text
            }
        }
        guard let text, (1...UnitContract.maximumLength).contains(text.utf8.count), ExposureMessage.isStorable(text)
        else { return nil }
        return text
    }

    /// The value of an attribute. Dots in its name lead into objects unless the name itself is given.
    private static func value(of name: String, in attributes: JSONObject) -> JSONValue? {
        attributes[name] ?? JSONValue.object(attributes)[AttributePath.parts(of: name)]
    }

    private static func attributes(_ configuration: Configuration, _ now: Date) -> JSONObject {
        var attributes: JSONObject = [ExposureAttribute.source: .string(configuration.origin.rawValue)]
        if configuration.isGeneric { attributes[ExposureAttribute.generic] = true }
        let age = configuration.fetchedAt.map { now.timeIntervalSince($0).rounded(.down) }
        // Excludes NaN and ages that are not exact numbers of seconds.
        if let age, age >= 0, age < 1e15 {
            attributes[ExposureAttribute.configurationAge] = .number(JSONNumber(Int64(age)))
        }
        return attributes
    }

    /// Whether a compared value was set on the device: also in a control, to leave testers out of all variants alike.
    private static func isSetHere(_ assignment: ExperimentAssignment, _ configuration: Configuration) -> Bool {
        !configuration.overrides.isEmpty
            && assignment.comparedSettings.contains { path in
                SettingName(path: path).flatMap { configuration.storage.entries[$0]?.source } == .override
            }
    }
}

enum ExposureTime {
    /// Writes a time, limited to the years 1970 to 9999, so that all texts have one length and sort by time.
    static func text(_ date: Date) -> String {
        // 0.123 seconds are stored as 0.12299999… since 1970, so a microsecond is added before cutting.
        let milliseconds = (date.timeIntervalSince1970 * 1000 + 0.001).rounded(.down)
        // Comparisons with NaN are false.
        return Instant(milliseconds: milliseconds > 0 ? Int64(min(milliseconds, ISO8601Date.range.upperBound)) : 0)
            .text(.milliseconds)
    }
}
