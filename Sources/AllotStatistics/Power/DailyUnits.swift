/// The new units of each day, and how long an experiment takes to enrol what it needs of them.
public struct DailyUnits: Sendable, Hashable {
    /// Some days on which one share of the new units is enrolled.
    public struct Stage: Sendable, Hashable {
        /// The share, above 0, to 1.
        public let traffic: Double
        /// How many days it applies; infinite for the last stage.
        public let days: Double
    }

    /// How many there are.
    public let count: Double
    /// The enrolled part of them, in the order of time; one stage for a share that stays.
    public let stages: [Stage]

    /// The share of them that is enrolled in the end.
    public var traffic: Double { stages.last?.traffic ?? 0 }

    /// A number of units, above 0 and below a quadrillion, and the share of them that is enrolled, above 0, to 1.
    public init(_ count: Double, traffic: Double = 1) { self.init(count, ramp: [traffic], days: 1) }

    /// A number of units, above 0 and below a quadrillion, and the shares of them that are enrolled one after another.
    ///
    /// Units that came before their share was reached do not count, although some may come again.
    ///
    /// - Parameters:
    ///   - count: the new units of each day.
    ///   - shares: above 0, to 1; the last one stays.
    ///   - days: how long each of the others applies, above 0.
    public init(_ count: Double, ramp shares: [Double], days: Double) {
        self.count = count
        stages = shares.enumerated().map { index, share in
            Stage(traffic: share, days: index == shares.count - 1 ? .infinity : days)
        }
    }

    /// How many units are enrolled in a number of days, rounded down.
    public func units(in days: Int) throws(PowerError) -> Int {
        let total = try units(in: Double(days)).reduce(0, +) * (1 + 1e-15)
        guard total < 1e15 else { throw .tooManyUnits }
        return Int(total.rounded(.down))
    }

    /// How many units each stage enrols in a number of days.
    public func units(in days: Double) throws(PowerError) -> [Double] {
        let rates = try enrolled()
        var left = days
        return zip(stages, rates).map { stage, rate in
            let part = min(left, stage.days)
            left -= part
            return part * rate
        }
    }

    /// How long it takes to enrol a number of units, 1 or more.
    public func length(of units: Int) throws(PowerError) -> ExperimentLength {
        var (missing, days) = (Double(units), 0.0)
        for (stage, rate) in zip(stages, try enrolled()) {
            let needed = missing / rate
            days += min(needed, stage.days)
            if needed <= stage.days { break }
            missing -= stage.days * rate
        }
        return ExperimentLength(days: max(1, Int((days * (1 - 1e-15)).rounded(.up))))
    }

    /// The units of a day of each stage.
    private func enrolled() throws(PowerError) -> [Double] {
        guard count > 0, count < 1e15 else { throw .invalidUnitsPerDay(count) }
        for stage in stages {
            guard stage.traffic > 0, stage.traffic <= 1 else { throw .invalidTraffic(stage.traffic) }
        }
        guard count * traffic >= 1 - 1e-12 else { throw .lessThanOneUnitPerDay }
        return stages.map { count * $0.traffic }
    }
}

/// How long an experiment takes to enrol its units.
public struct ExperimentLength: Sendable, Hashable {
    /// Whole days, rounded up; 1 or more.
    public let days: Int

    /// Whole weeks, rounded up: people do other things at weekends, and each weekday should be seen equally often.
    package var weeks: Int { (days - 1) / 7 + 1 }
}
