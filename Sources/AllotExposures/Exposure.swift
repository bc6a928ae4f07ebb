/// One unit that has seen one variant.
public struct Exposure: Sendable, Hashable {
    /// The event's ID, if its sender gave one: an event of the same ID is not stored again.
    public let id: String?
    /// The unit's ID. It must not hold U+0000, which SQLite's text ends at.
    public let unit: String
    /// The experiment's key.
    public let experiment: String
    /// The variant's key.
    public let variant: String
    /// When, in milliseconds since 1970, UTC.
    public let at: Int64
    /// What is known of the unit, as the text of a JSON object.
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

/// The units that were exposed to an experiment.
public struct ExposureCounts: Sendable, Hashable {
    /// The units that have seen one variant.
    public struct Variant: Sendable, Hashable {
        public let variant: String
        public let units: Int
        /// The first and the last exposure, in milliseconds since 1970.
        public let earliest: Int64
        public let latest: Int64
    }

    /// In the order of the variants' keys.
    public let variants: [Variant]
    /// How many units have seen more than one variant: there should be none.
    public let unitsInSeveralVariants: Int
}

/// Why exposures are not stored.
public enum ExposureStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file cannot be used as a store.
    case cannotOpen(String)
    /// Too many exposures wait to be stored; none of these was taken.
    case overloaded
    /// The store is shut down.
    case closed
    /// The file could not be read or written; none of these exposures is stored.
    case storage(String)

    public var description: String {
        switch self {
        case .cannotOpen(let message), .storage(let message): message
        case .overloaded: "too many exposures wait to be stored; send them again later"
        case .closed: "the store of exposures is closed"
        }
    }
}
