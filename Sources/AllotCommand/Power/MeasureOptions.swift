import AllotAnalysis
import ArgumentParser

/// What is measured, and which change is to be found.
struct MeasureOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The control's rate, such as 10%.", valueName: "rate"),
        transform: CommandNumber.rate)
    var baseline: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The standard deviation among units.", valueName: "number"),
        transform: CommandNumber.positive)
    var standardDeviation: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The control's mean, for relative effects.", valueName: "number"),
        transform: CommandNumber.plain)
    var mean: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The change to find: percentage points of a rate (1% makes 10% into 11%), units of a mean.",
            valueName: "change"),
        transform: CommandNumber.init(argument:))
    var effect: CommandNumber?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The change to find, of what the control has (5% makes 10% into 10.5%).", valueName: "share"),
        transform: CommandNumber.init(argument:))
    var relativeEffect: CommandNumber?

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
        let change = try relativeEffect.map { try relative($0, to: measure) } ?? absolute(measure)
        if let change, case .rate(let baseline) = measure, abs(baseline + change - 0.5) > 0.5 + 1e-12 {
            throw ValidationError(
                "A change of \(NumberFormat.points(change)) takes the rate of "
                    + "\(NumberFormat.percent(baseline, digits: 6)) to "
                    + "\(NumberFormat.percent(baseline + change, digits: 6)); a rate stays from 0% to 100%.")
        }
        return change
    }

    private func absolute(_ measure: PowerMeasure) throws -> Double? {
        guard let effect else { return nil }
        switch measure {
        case .rate:
            if !effect.isPercentage, abs(effect.value) >= 1 {
                throw ValidationError("An --effect on a rate is in percentage points, such as 1% or 0.01.")
            }
        case .mean:
            if effect.isPercentage {
                throw ValidationError(
                    "An --effect on a mean is a number in its units; for a percentage of the mean give "
                        + "--relative-effect.")
            }
        }
        return effect.value
    }

    private func relative(_ share: CommandNumber, to measure: PowerMeasure) throws -> Double {
        if !share.isPercentage, abs(share.value) >= 1 {
            throw ValidationError("A --relative-effect is a percentage of what the control has, such as 5% or 0.05.")
        }
        guard let control = measure.control else {
            throw UsageFailure("--relative-effect on a mean needs to know it; add --mean, or give --effect.")
        }
        guard control != 0 else {
            throw ValidationError("Nothing is relative to a --mean of 0; give --effect.")
        }
        return control * share.value
    }
}
