/// How long an experiment takes to enrol its units.
public struct ExperimentLength: Sendable, Hashable {
    /// Whole days, rounded up; 1 or more.
    public let days: Int

    /// How long it takes to enrol a number of units.
    ///
    /// - Parameters:
    ///   - units: how many units are needed in total, 1 or more.
    ///   - unitsPerDay: how many new units come each day, above 0.
    ///   - traffic: which share of them is enrolled, above 0, to 1.
    public init(units: Int, unitsPerDay: Double, traffic: Double = 1) throws(PowerError) {
        let enrolled = try Self.enrolled(unitsPerDay, traffic)
        days = max(1, Int((Double(units) / enrolled * (1 - 1e-15)).rounded(.up)))
    }

    /// Whole weeks, rounded up: people do other things at weekends, and each weekday should be seen equally often.
    public var weeks: Int {
        (days - 1) / 7 + 1
    }

    /// How many units are enrolled in a number of days, rounded down.
    public static func units(in days: Int, unitsPerDay: Double, traffic: Double = 1) throws(PowerError) -> Int {
        let total = try Double(days) * enrolled(unitsPerDay, traffic) * (1 + 1e-15)
        guard total < 1e15 else { throw .tooManyUnits }
        return Int(total.rounded(.down))
    }

    private static func enrolled(_ unitsPerDay: Double, _ traffic: Double) throws(PowerError) -> Double {
        guard unitsPerDay > 0, unitsPerDay.isFinite else { throw .invalidUnitsPerDay(unitsPerDay) }
        guard traffic > 0, traffic <= 1 else { throw .invalidTraffic(traffic) }
        guard unitsPerDay * traffic >= 1 - 1e-12 else { throw .lessThanOneUnitPerDay }
        return unitsPerDay * traffic
    }
}
