public import AllotConfiguration

/// One unit that has met one variant, as the server stores it.
///
/// A value type, `Sendable`. Its ``id`` is made once: the server forgets what it has stored under an ID already, so that
/// an event may be sent again after a crash.
public struct ExposureEvent: Sendable, Hashable {
    /// The event's ID, a random UUID.
    public let id: String
    /// The unit's ID, 1 to 1,024 bytes.
    public let unit: String
    /// The experiment's key.
    public let experiment: String
    /// The variant's key.
    public let variant: String
    /// When, by the device's clock: RFC 3339 in UTC with milliseconds. A clock before 1970 counts as 1970, which is the
    /// earliest that the server stores.
    public let at: String
    /// What tells late and offline users apart; see ``ExposureAttribute``. At most 4,096 bytes of JSON.
    public let attributes: JSONObject

    private typealias Key = ExposureMessage.Event

    /// The event as JSON, in the form that the server takes.
    public var json: JSONValue {
        [
            Key.at: .string(at), Key.attributes: .object(attributes), Key.experiment: .string(experiment),
            Key.id: .string(id), Key.unit: .string(unit), Key.variant: .string(variant),
        ]
    }
}

extension ExposureEvent {
    /// Reads what ``json`` writes; `nil` for anything else.
    init?(_ json: JSONValue) {
        guard case .object(let members) = json, let id = members.text(Key.id), let unit = members.text(Key.unit),
            let experiment = members.text(Key.experiment), let variant = members.text(Key.variant),
            let at = members.text(Key.at), case .object(let attributes)? = members[Key.attributes]
        else { return nil }
        self.init(id: id, unit: unit, experiment: experiment, variant: variant, at: at, attributes: attributes)
    }

    /// The same event at another time.
    func moved(to at: String, correction: Int) -> ExposureEvent {
        var attributes = attributes
        attributes[ExposureAttribute.clockCorrection] = .number(JSONNumber(correction))
        return ExposureEvent(
            id: id, unit: unit, experiment: experiment, variant: variant, at: at, attributes: attributes)
    }

    /// Whether ``moved(to:correction:)`` made it.
    var isMoved: Bool {
        attributes[ExposureAttribute.clockCorrection] != nil
    }

    /// By what it counts as one exposure: the unit, the experiment, its revision, the variant, and whether it was set on
    /// the device.
    var key: ExposureKey {
        ExposureKey([
            unit, experiment, variant, attributes.text(ExposureAttribute.revision) ?? "",
            attributes[ExposureAttribute.override] == true ? "1" : "",
        ])
    }
}

/// The names of the attributes of an exposure.
public enum ExposureAttribute {
    /// Where the configuration came from when it was read: `remote`, `stored` (an earlier run of the app fetched it),
    /// `bootstrap` (it was bundled with the app), `none`.
    public static let source = "source"
    /// How old the configuration was, in whole seconds since the server last gave or confirmed it. Absent if that is
    /// unknown, or lies in the future of the device's clock.
    public static let configurationAge = "configuration_age"
    /// `true` if the user had the configuration for no user; else absent.
    public static let generic = "generic"
    /// `true` if the variant, or a value that the variant sets, was set on the device; else absent. Not to be analysed.
    public static let override = "override"
    /// The revision of the experiment's definition; absent if the server does not say.
    public static let revision = "revision"
    /// Why the unit has the variant: `split`, `forced`, `winner`, `override`.
    public static let reason = "reason"
    /// By how many whole seconds ``ExposureEvent/at`` was moved because the device's clock was ahead of the server's;
    /// negative. Absent for a time that was not moved.
    public static let clockCorrection = "clock_correction"
}
