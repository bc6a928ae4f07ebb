internal import AllotConfiguration

/// The units that were exposed to one randomisation of an experiment, counted at one moment. `Sendable`.
public struct ExposureCounts: Sendable, Hashable {
    /// The units of one variant under one revision of the experiment: by the revision of each unit's first exposure.
    public struct Group: Sendable, Hashable {
        /// The variant's key.
        public let variant: String
        /// The revision; `nil` for exposures that name none.
        public let revision: String?
        /// The reason of the assignments.
        public let reason: String
        /// Whether it was set on the device.
        public let isOverridden: Bool
        /// The number of units, 1 or more.
        public let units: Int
        /// The first exposure, in milliseconds since 1970, UTC.
        public let earliest: Int64
        /// The last unit's first exposure, in milliseconds since 1970, UTC.
        public let latest: Int64

        package init(
            variant: String, revision: String?, reason: String, isOverridden: Bool, units: Int, earliest: Int64,
            latest: Int64
        ) {
            self.variant = variant
            self.revision = revision
            self.reason = reason
            self.isOverridden = isOverridden
            self.units = units
            self.earliest = earliest
            self.latest = latest
        }

        package func precedes(_ other: Self) -> Bool { order.lexicographicallyPrecedes(other.order) }

        private var order: [UTF8Key] {
            [variant, revision.map { "+" + $0 } ?? "", reason, isOverridden ? "1" : "0"].map { UTF8Key($0) }
        }

        /// Whether its units are counted.
        public var isCounted: Bool { ExposureMessage.isCounted(reason: reason, isOverridden: isOverridden) }
    }

    /// All groups that have units: by variant, then revision, none first, then reason, in the order of their bytes,
    /// then those that were not set on the device first.
    public let groups: [Group]
    /// The number of units that are counted in more than one variant; it should be 0.
    public let unitsInSeveralVariants: Int

    /// - Parameter groups: in any order.
    package init(groups: [Group], unitsInSeveralVariants: Int) {
        self.groups = groups.sorted { $0.precedes($1) }
        self.unitsInSeveralVariants = unitsInSeveralVariants
    }
}

extension [ExposureCounts.Group] {
    var units: [UTF8Key: Int] { reduce(into: [:]) { $0[UTF8Key($1.variant), default: 0] += $1.units } }
}
