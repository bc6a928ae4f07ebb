import AllotAnalysis
import AllotConfiguration
import AllotStatistics
import ArgumentParser

/// What is measured, and which change is to be found.
struct MeasureOptions: ParsableArguments {
    @Option(number: "rate", "The control's rate, such as 10%.", WrittenNumber.rate)
    var baseline: Double?

    @Option(number: "number", "The standard deviation among units.", WrittenNumber.positive)
    var standardDeviation: Double?

    @Option(number: "number", "The control's mean, for relative effects.", WrittenNumber.plain)
    var mean: Double?

    @Option(
        number: "change", "The change to find: percentage points of a rate (1% makes 10% into 11%), units of a mean.",
        WrittenNumber.init(argument:))
    var effect: WrittenNumber?

    @Option(
        number: "share", "The change to find, of what the control has (5% makes 10% into 10.5%).",
        WrittenNumber.init(argument:))
    var relativeEffect: WrittenNumber?

    func measure() throws -> PowerMeasure {
        switch (baseline, standardDeviation) {
        case (let baseline?, nil):
            guard mean == nil else {
                throw ValidationError("--mean goes with --standard-deviation; the mean of a rate is its --baseline.")
            }
            return .rate(baseline: baseline)
        case (nil, let deviation?): return .mean(standardDeviation: deviation, control: mean)
        case (_?, _?):
            throw ValidationError("--baseline is for a rate and --standard-deviation for a mean; keep one of them.")
        case (nil, nil):
            throw UsageFailure(
                "Say what is measured: --baseline 10% for a rate, or --standard-deviation 12.5 for a mean.")
        }
    }

    /// The change to find, in the unit of the measure; `nil` if it is to be calculated.
    func effect(on measure: PowerMeasure) throws -> Double? {
        if effect != nil, relativeEffect != nil {
            throw ValidationError("--effect and --relative-effect say one thing in two ways; keep one of them.")
        }
        do {
            return try relativeEffect.map(measure.change(relative:)) ?? effect.map(measure.change(absolute:))
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

/// How variants are compared.
struct PowerTestOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: .value("probability", "The probability of a false alarm (default: 5%)."),
        transform: WrittenNumber.rate)
    var alpha = 0.05

    @Option(number: "probability", "The probability of finding the effect (default: 80%).", WrittenNumber.rate)
    var power: Double?

    @Option(
        parsing: .unconditional,
        help: .value("count", "How many variants there are, with the control (default: 2)."))
    var variants: Int?

    @Option(
        help: .value(
            "shares",
            "The variants' shares, the control's first: 80,10,10 or control=80,blue=10,green=10 (default: equal ones)."
        ),
        transform: PlannedVariants.init(argument:))
    var allocation: PlannedVariants?

    @Option(help: "What is done about several treatments: alpha is divided by their number, or nothing.")
    var correction = Correction.bonferroni

    @Flag(help: "Look for changes in the direction of the effect alone; without one, for increases.")
    var oneSided = false

    func validate() throws {
        try ValidationError.check(variants, of: "--variants", in: 2...PlannedVariants.most, ", with the control")
        if let variants, let allocation, variants != allocation.names.count {
            throw ValidationError(
                "--variants \(variants) contradicts the \(allocation.names.count) shares of --allocation; leave it out."
            )
        }
    }
}

extension Correction: ExpressibleByArgument {}

/// How many units there are.
struct UnitCountOptions: ParsableArguments {
    @Option(number: "count", "How many units all variants have together.", WrittenNumber.count)
    var units: Int?

    @Option(number: "count", "How many units each variant has.", WrittenNumber.count)
    var unitsPerVariant: Int?

    @Option(number: "count", "For how many days units are enrolled.", WrittenNumber.count)
    var days: Int?

    @Option(number: "count", "How many new units there are each day.", WrittenNumber.positive)
    var unitsPerDay: Double?

    @Option(number: "share", "Which share of them is enrolled (default: 100%).", WrittenNumber.share)
    var traffic: Double?

    @Option(
        help: .value("shares", "Shares that are enrolled one after another, such as 1%,10%,50%,100%; needs --every."),
        transform: WrittenNumber.shares)
    var ramp: [Double] = []

    @Option(help: .value("time", "The time from one share of --ramp to the next, such as 2d or 12h."))
    var every: TimeSpan?

    /// The new units of each day, if that is known.
    var supply: DailyUnits? {
        unitsPerDay.map { count in
            every.map { DailyUnits(count, ramp: ramp, days: $0.days) } ?? DailyUnits(count, traffic: traffic ?? 1)
        }
    }

    func validate() throws {
        if ramp.isEmpty != (every == nil) { throw ValidationError("--ramp and --every go together; give both.") }
        if traffic != nil, every != nil {
            throw ValidationError("--ramp says which shares are enrolled; leave --traffic out.")
        }
        let counts = [("--units", units), ("--units-per-variant", unitsPerVariant), ("--days", days)]
        let given = counts.filter { $0.1 != nil }.map(\.0)
        if given.count > 1 {
            throw ValidationError(
                "\(given.joined(separator: " and ")) say one thing in several ways; keep one of them.")
        }
    }

    /// How many units each variant has; `nil` if that is to be calculated.
    func sizes(_ allocation: Allocation) throws -> [Int]? {
        if days != nil, unitsPerDay == nil {
            throw UsageFailure("--days needs to know how many units come each day; add --units-per-day.")
        }
        if traffic != nil || every != nil, unitsPerDay == nil {
            let option = traffic == nil ? "--ramp has shares" : "--traffic is a share"
            throw UsageFailure("\(option) of the units of each day; add --units-per-day.")
        }
        if let unitsPerVariant {
            guard allocation.isEqual else {
                throw ValidationError(
                    "--units-per-variant is for equal shares; with this --allocation give their sum, --units.")
            }
            return allocation.shares.map { _ in unitsPerVariant }
        }
        if let days, let supply { return allocation.counts(of: try supply.units(in: days)) }
        return units.map(allocation.counts)
    }

    /// How long it takes to enrol the units; `nil` if the new units of each day are not known.
    func length(of units: Int) throws(PowerError) -> ExperimentLength? {
        guard let supply else { return nil }
        guard let days else { return try supply.length(of: units) }
        return try supply.length(of: supply.units(in: days))
    }
}
