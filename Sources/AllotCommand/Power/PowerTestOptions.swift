import AllotAnalysis
import AllotStatistics
import ArgumentParser

/// How variants are compared.
struct PowerTestOptions: ParsableArguments {
    static let mostVariants = 1000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The probability of a false alarm (default: 5%).", valueName: "probability"),
        transform: CommandNumber.rate)
    var alpha = 0.05

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The probability of finding the effect (default: 80%).", valueName: "probability"),
        transform: CommandNumber.rate)
    var power: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many variants there are, with the control (default: 2).", valueName: "count"))
    var variants: Int?

    @Option(
        help: ArgumentHelp(
            "The variants' shares, the control's first: 80,10,10 or control=80,blue=10,green=10 (default: equal ones).",
            valueName: "shares"),
        transform: PlannedVariants.init(argument:))
    var allocation: PlannedVariants?

    @Option(help: "What is done about several treatments: alpha is divided by their number, or nothing.")
    var correction = Correction.bonferroni

    @Flag(help: "Look for changes in the direction of the effect alone; without one, for increases.")
    var oneSided = false

    func validate() throws {
        if let variants, !(2...Self.mostVariants).contains(variants) {
            throw ValidationError("--variants takes a number from 2 to \(Self.mostVariants), with the control.")
        }
        if let variants, let allocation, variants != allocation.names.count {
            throw ValidationError(
                "--variants \(variants) contradicts the \(allocation.names.count) shares of --allocation; leave it out."
            )
        }
    }

    func plannedVariants() throws -> PlannedVariants {
        try allocation ?? PlannedVariants(count: variants ?? 2)
    }

    func analysis(of metric: any PowerMetric, _ variants: PlannedVariants) throws -> PowerAnalysis {
        try PowerAnalysis(
            metric: metric, allocation: variants.allocation, significance: alpha, sides: oneSided ? .one : .two,
            correction: correction)
    }
}

extension Correction: ExpressibleByArgument {}
