/// One unit that has seen one variant.
///
/// No text may hold U+0000, at which SQLite ends a text: ``ExposureStore/record(_:)`` refuses such an exposure. Texts are
/// told apart by their UTF-8 bytes: the two ways in which Unicode writes "é" are two units.
public struct Exposure: Sendable, Hashable {
    /// The event's ID, if its sender gave one: an event of a stored ID is not stored again.
    public let id: String?
    /// The unit's ID.
    public let unit: String
    /// The experiment's key.
    public let experiment: String
    /// The variant's key.
    public let variant: String
    /// When, in milliseconds since 1970, UTC; within the years 0 to 9999.
    public let at: Int64
    /// What is known of the unit, as the canonical text of a JSON object.
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
}

/// What has become of an exposure.
public enum ExposureOutcome: Sendable, Hashable {
    /// It is stored.
    case stored
    /// The unit's exposure to this variant, or an event of this ID, was stored before.
    case duplicate
}
