/// The units that were exposed to one randomisation of an experiment, and on which days they first were, all counted at
/// one moment. `Sendable`.
package struct ExposureHistory: Sendable, Hashable {
    /// The units of a group whose first exposure was on one day.
    package struct Day: Sendable, Hashable {
        /// The day in UTC, counted from 1970-01-01.
        package let day: Int
        /// The number of units, 1 or more.
        package let units: Int
        /// How many of them were counted in another variant before: they have no part in the ratio of the variants.
        package let repeats: Int

        package init(day: Int, units: Int, repeats: Int = 0) {
            self.day = day
            self.units = units
            self.repeats = repeats
        }
    }

    package let counts: ExposureCounts
    /// For each group of ``counts``, in the same order, its days that have units, in order.
    package let days: [[Day]]

    /// - Parameter groups: in any order.
    package init(groups: [(group: ExposureCounts.Group, days: [Day])], unitsInSeveralVariants: Int) {
        let groups = groups.sorted { $0.group.precedes($1.group) }
        counts = ExposureCounts(groups: groups.map(\.group), unitsInSeveralVariants: unitsInSeveralVariants)
        days = groups.map(\.days)
    }

    static let dayLength: Int64 = 86_400_000

    /// The day of a time in milliseconds since 1970.
    package static func day(of time: Int64) -> Int64 { (time - (time % dayLength + dayLength) % dayLength) / dayLength }
}
