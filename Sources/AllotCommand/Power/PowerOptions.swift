import AllotAnalysis
import AllotConfiguration
import AllotStatistics
import ArgumentParser

/// The measure, and the change to find.
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

    func add(to question: inout PowerQuestion) {
        (question.baseline, question.standardDeviation, question.mean) = (baseline, standardDeviation, mean)
        (question.effect, question.relativeEffect) = (effect, relativeEffect)
    }

    func add(to question: inout PowerDataQuestion) throws {
        if baseline != nil || standardDeviation != nil || mean != nil {
            throw UsageFailure(
                "With --data the data say rate, mean and deviation; leave out --baseline, --standard-deviation and "
                    + "--mean.")
        }
        (question.effect, question.relativeEffect) = (effect, relativeEffect)
    }
}

/// How variants are compared.
struct PowerTestOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .alpha, transform: WrittenNumber.rate)
    var alpha = 0.05

    @Option(number: "probability", "The probability of finding the effect (default: 80%).", WrittenNumber.rate)
    var power: Double?

    @Option(
        parsing: .unconditional,
        help: .value("count", "How many variants there are, with the control (default: 2)."))
    var variants: Int?

    @Option(help: .shares, transform: PlannedVariants.init(argument:))
    var shares: PlannedVariants?

    @Option(
        help: .value(
            "correction", "The correction for several treatments (default: bonferroni; with --data, dunnett)."))
    var correction: Correction?

    @Flag(help: "Look for changes in the direction of the effect alone; without one, in either direction alone.")
    var oneSided = false

    func add(to question: inout PowerQuestion) {
        (question.alpha, question.power, question.isOneSided) = (alpha, power, oneSided)
        (question.variants, question.allocation) = (variants, shares)
        question.correction = correction ?? .bonferroni
    }

    func add(to question: inout PowerDataQuestion) throws {
        if variants != nil || shares != nil {
            throw UsageFailure("With --data the definition has the variants; leave out --variants and --shares.")
        }
        question.alpha = alpha
        question.power = power ?? ExperimentDesign.customaryPower
        question.correction = correction ?? .dunnett
        question.sides = oneSided ? .one : .two
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

    @Option(parsing: .unconditional, help: .traffic, transform: WrittenNumber.share)
    var traffic: Double?

    @Option(
        help: .value("shares", "Shares that are enrolled one after another, such as 1%,10%,50%,100%; needs --every."),
        transform: WrittenNumber.shares)
    var ramp: [Double] = []

    @Option(help: .every, transform: TimeSpan.init(argument:))
    var every: TimeSpan?

    func add(to question: inout PowerQuestion) {
        (question.units, question.unitsPerVariant, question.days) = (units, unitsPerVariant, days)
        (question.unitsPerDay, question.traffic, question.ramp, question.every) = (unitsPerDay, traffic, ramp, every)
    }

    /// Throws if an option is given although data say how many units there are.
    func checkUnused() throws {
        let isGiven = units ?? unitsPerVariant ?? days != nil || unitsPerDay ?? traffic != nil
        if isGiven || !ramp.isEmpty || every != nil {
            throw UsageFailure(
                "With --data the data say how many units come, and the definition which are enrolled; leave out "
                    + "--units, --units-per-variant, --days, --units-per-day, --traffic, --ramp and --every.")
        }
    }
}
