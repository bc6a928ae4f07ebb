import AllotConfiguration
import AllotStatistics

/// A question about power: two of effect, units and power, from which the third follows.
package struct PowerQuestion: Sendable {
    package enum Fault: Error, Sendable, CustomStringConvertible {
        /// Something necessary is not given.
        case missing(String)
        /// The question contradicts itself, or is impossible.
        case contradiction(String)
        /// The answer is that no test can do what is asked.
        case unanswerable(String)

        package var description: String {
            switch self {
            case .missing(let text), .contradiction(let text), .unanswerable(let text): text
            }
        }
    }

    // MARK: What is measured

    package var baseline: Double?
    package var standardDeviation: Double?
    /// The control's mean, for relative effects.
    package var mean: Double?
    /// The change to find: percentage points of a rate, units of a mean.
    package var effect: WrittenNumber?
    /// The change to find, of what the control has.
    package var relativeEffect: WrittenNumber?

    // MARK: The test

    package var alpha = 0.05
    /// The probability of finding the effect; `nil` for the customary one, unless it is calculated.
    package var power: Double?
    /// How many variants there are, with the control.
    package var variants: Int?
    /// The variants' shares; `nil` for equal ones.
    package var allocation: PlannedVariants?
    package var correction = Correction.bonferroni
    /// Whether the test looks for changes in the direction of the effect alone.
    package var isOneSided = false

    // MARK: The units

    package var units: Int?
    package var unitsPerVariant: Int?
    package var days: Int?
    package var unitsPerDay: Double?
    package var traffic: Double?
    package var ramp: [Double] = []
    /// The time from one share of the ramp to the next.
    package var every: TimeSpan?

    package init() {}

    package func report() throws(Fault) -> PowerReport {
        try check()
        do {
            let metric = try metric()
            let planned = try allocation ?? PlannedVariants(count: variants ?? 2)
            let analysis = try PowerAnalysis(
                metric: metric, allocation: planned.allocation, significance: alpha, sides: isOneSided ? .one : .two,
                correction: correction)
            let design = try design(analysis, effect: change(of: metric), sizes: sizes(planned.allocation))
            return PowerReport(
                design, of: analysis, variants: planned, supply: supply, length: try length(of: design.units))
        } catch let fault as Fault {
            throw fault
        } catch let error as AnalysisError {
            throw .contradiction(error.description)
        } catch {
            // A sentence, as the other messages are.
            let text = "\(error)".prefix(1).uppercased() + "\(error)".dropFirst() + "."
            guard let error = error as? PowerError, error.isAnswer else { throw .contradiction(text) }
            throw .unanswerable(text)
        }
    }

    private func metric() throws -> any PowerMetric {
        switch (baseline, standardDeviation) {
        case (let baseline?, nil):
            guard mean == nil else {
                throw Fault.contradiction(
                    "The mean goes with a standard deviation; the mean of a rate is its baseline.")
            }
            return try ProportionMetric(baseline: baseline)
        case (nil, let deviation?): return try MeanMetric(standardDeviation: deviation, control: mean)
        case (_?, _?):
            throw Fault.contradiction("A baseline is for a rate and a standard deviation for a mean; keep one of them.")
        case (nil, nil):
            throw Fault.missing(
                "Say what is measured: a baseline such as 10% for a rate, or a standard deviation such as 12.5 for a "
                    + "mean.")
        }
    }

    /// The change to find, in the unit of the metric; `nil` if it is to be calculated.
    private func change(of metric: any PowerMetric) throws -> Double? {
        if effect != nil, relativeEffect != nil {
            throw Fault.contradiction("The effect and the relative effect state one quantity in two ways; keep one.")
        }
        return try relativeEffect.map(metric.change(relative:)) ?? effect.map(metric.change(absolute:))
    }

    private func design(_ analysis: PowerAnalysis, effect: Double?, sizes: [Int]?) throws -> ExperimentDesign {
        let power = power ?? ExperimentDesign.customaryPower
        switch (effect, sizes) {
        case (let effect?, nil): return try ExperimentDesign(analysis, effect: effect, power: power)
        case (nil, let sizes?): return try ExperimentDesign(analysis, sizes: sizes, power: power)
        case (let effect?, let sizes?):
            guard self.power == nil else {
                throw Fault.contradiction(
                    "Effect, units and power are all given; leave one out, and it is calculated from the others.")
            }
            return try ExperimentDesign(analysis, effect: effect, sizes: sizes)
        case (nil, nil):
            throw Fault.missing(
                "There is no quantity to calculate: give the effect for the units that are needed, the units for the "
                    + "effect that can be found, or both for the power.")
        }
    }

    private func check() throws(Fault) {
        if let variants, !(2...PlannedVariants.most).contains(variants) {
            throw .contradiction("There are 2 to \(PlannedVariants.most) variants, with the control.")
        }
        if let variants, let allocation, variants != allocation.names.count {
            let count = allocation.names.count
            throw .contradiction("\(variants) variants contradict the \(count) shares of the allocation; keep one.")
        }
        if ramp.isEmpty != (every == nil) {
            throw .contradiction("A ramp needs both its shares and the time between them.")
        }
        if traffic != nil, every != nil {
            throw .contradiction("The ramp says which shares are enrolled; leave the traffic out.")
        }
        let given = [("units", units), ("units per variant", unitsPerVariant), ("days", days)]
            .filter { $0.1 != nil }.map(\.0)
        if given.count > 1 {
            throw .contradiction(
                "The \(given.joined(separator: " and ")) state one quantity in several ways; keep one of them.")
        }
    }

    private var supply: DailyUnits? {
        unitsPerDay.map { count in
            every.map { DailyUnits(count, ramp: ramp, days: $0.days) } ?? DailyUnits(count, traffic: traffic ?? 1)
        }
    }

    /// How many units each variant has; `nil` if that is to be calculated.
    private func sizes(_ allocation: Allocation) throws -> [Int]? {
        if days != nil, unitsPerDay == nil {
            throw Fault.missing("For a number of days, add the units per day.")
        }
        if traffic != nil || every != nil, unitsPerDay == nil {
            let subject = traffic == nil ? "The ramp has shares" : "The traffic is a share"
            throw Fault.missing("\(subject) of the units of each day; add the units per day.")
        }
        if let unitsPerVariant {
            guard allocation.isEqual else {
                throw Fault.contradiction(
                    "A number of units per variant is for equal shares; with this allocation give the units in all.")
            }
            return allocation.shares.map { _ in unitsPerVariant }
        }
        if let days, let supply { return allocation.counts(of: try supply.units(in: days)) }
        return units.map(allocation.counts)
    }

    private func length(of units: Int) throws(PowerError) -> ExperimentLength? {
        guard let supply else { return nil }
        guard let days else { return try supply.length(of: units) }
        return try supply.length(of: supply.units(in: days))
    }
}

extension PowerError {
    /// Whether the question is sound, and this is what the numbers say.
    fileprivate var isAnswer: Bool {
        switch self {
        case .nothingDetectable, .tooManyUnits, .tooFewUnits, .lessThanOneUnitPerDay: true
        default: false
        }
    }
}
