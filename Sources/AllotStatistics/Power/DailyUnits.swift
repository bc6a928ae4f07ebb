/// The new units of each day, and how long an experiment takes to enrol what it needs of them.
public struct DailyUnits: Sendable, Hashable {
    /// How many there are.
    public let count: Double
    /// The share of them that is enrolled.
    public let traffic: Double

    /// A number of units, above 0, and the share of them that is enrolled, above 0, to 1.
    public init(_ count: Double, traffic: Double = 1) {
        self.count = count
        self.traffic = traffic
    }

    /// How many units are enrolled in a number of days, rounded down.
    public func units(in days: Int) throws(PowerError) -> Int {
        let total = try Double(days) * enrolled() * (1 + 1e-15)
        guard total < 1e15 else { throw .tooManyUnits }
        return Int(total.rounded(.down))
    }

    /// How long it takes to enrol a number of units, 1 or more.
    public func length(of units: Int) throws(PowerError) -> ExperimentLength {
        ExperimentLength(days: max(1, Int((Double(units) / (try enrolled()) * (1 - 1e-15)).rounded(.up))))
    }

    private func enrolled() throws(PowerError) -> Double {
        guard count > 0, count.isFinite else { throw .invalidUnitsPerDay(count) }
        guard traffic > 0, traffic <= 1 else { throw .invalidTraffic(traffic) }
        guard count * traffic >= 1 - 1e-12 else { throw .lessThanOneUnitPerDay }
        return count * traffic
    }
}

/// How long an experiment takes to enrol its units.
public struct ExperimentLength: Sendable, Hashable {
    /// Whole days, rounded up; 1 or more.
    public let days: Int

    /// Whole weeks, rounded up: people do other things at weekends, and each weekday should be seen equally often.
    public var weeks: Int {
        (days - 1) / 7 + 1
    }
}
