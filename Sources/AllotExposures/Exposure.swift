import AllotConfiguration

/// One unit that has seen one variant. `Sendable`.
///
/// No text may contain U+0000, at which SQLite ends a text: ``ExposureStore/record(_:)`` refuses such an exposure.
/// Texts are compared by their UTF-8 bytes: the two ways in which Unicode writes "é" are two units.
///
/// ```swift
/// let exposure = Exposure(
///     id: "e-1", unit: "user-42", experiment: "buy-button", variant: "green", at: 1_795_262_400_000,
///     attributes: #"{"country": "DE"}"#)
/// ```
public struct Exposure: Sendable, Hashable {
    /// The event's ID, if its sender gave one: an event whose ID is stored is not stored again.
    public let id: String?
    /// The unit's ID.
    public let unit: String
    /// The experiment's key.
    public let experiment: String
    /// The variant's key.
    public let variant: String
    /// When, in milliseconds since 1970, UTC; within the years 0 to 9999.
    public let at: Int64
    /// The attributes of the event, as the canonical text of a JSON object.
    public let attributes: String?

    /// Creates an exposure.
    public init(
        id: String? = nil, unit: String, experiment: String, variant: String, at: Int64, attributes: String? = nil
    ) {
        self.id = id
        self.unit = unit
        self.experiment = experiment
        self.variant = variant
        self.at = at
        self.attributes = attributes
    }

    /// Why the exposure cannot be stored; `nil` if it can.
    package var fault: String? {
        for (name, text) in [
            ("unit", unit), ("experiment", experiment), ("variant", variant), ("id", id), ("attributes", attributes),
        ] where text.map(ExposureMessage.isStorable) == false {
            return "its \(name) contains U+0000; leave that character out"
        }
        let times = Instant.writable
        guard (times.lowerBound.milliseconds...times.upperBound.milliseconds).contains(at) else {
            return "its time, \(at), is outside the years 0 to 9999; give milliseconds since 1970"
        }
        return nil
    }
}

/// The result of storing an exposure. `Sendable`.
public enum ExposureOutcome: Sendable, Hashable {
    /// It is stored.
    case stored
    /// The unit's exposure to this variant, or an event of this ID, was stored before.
    case duplicate
}
