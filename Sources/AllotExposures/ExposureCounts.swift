/// The units that were exposed to an experiment, counted at one moment.
public struct ExposureCounts: Sendable, Hashable {
    /// The units that have seen one variant.
    public struct Variant: Sendable, Hashable {
        /// The variant's key.
        public let variant: String
        /// How many units have seen it, 1 or more.
        public let units: Int
        /// The first exposure, in milliseconds since 1970, UTC.
        public let earliest: Int64
        /// The last unit's first exposure, in milliseconds since 1970, UTC.
        public let latest: Int64
    }

    /// The variants that any unit has seen, in the order of their keys' bytes.
    public let variants: [Variant]
    /// How many units have seen more than one variant: there should be none.
    public let unitsInSeveralVariants: Int
}
