import Allot
import AllotAnalysis
import AllotConfiguration
import AllotDefinitions
import ArgumentParser

/// Which columns hold what, and how rows are tested.
struct SampleRatioOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The share of each variant, such as control=50%,green=50% or control=2,green=1; 1:1 for equal shares.",
            valueName: "shares"),
        transform: { try GivenShares(argument: $0) })
    var shares: GivenShares?

    @Option(
        name: .customLong("experiment"),
        help: ArgumentHelp("Test only this experiment (repeatable).", valueName: "key"))
    var experiments: [String] = []

    @Option(help: ArgumentHelp("The column of the unit IDs (default: unit or user_id).", valueName: "column"))
    var unitColumn: String?

    @Option(
        help: ArgumentHelp(
            "The column of the variants (default: variant, or a column named as the experiment).", valueName: "column"))
    var variantColumn: String?

    @Option(
        help: ArgumentHelp(
            "The column with the number of units, for rows of counts (default: count, if there is no column of units).",
            valueName: "column"))
    var countColumn: String?

    @Option(help: ArgumentHelp("The column of the experiments (default: experiment).", valueName: "column"))
    var experimentColumn: String?

    @Option(help: ArgumentHelp("The column of the times (default: at).", valueName: "column"))
    var timeColumn: String?

    @Option(
        help: ArgumentHelp("The column with attributes as a JSON object (default: attributes).", valueName: "column"))
    var attributesColumn: String?

    @Flag(
        name: [.customLong("time-order"), .customLong("sequential")],
        help: "Rows are in the order of time, although no column says so: test after every row.")
    var isInTimeOrder = false

    @Option(
        name: .customLong("by"),
        help: ArgumentHelp(
            "Look for the source in this attribute (repeatable; default: all of at most "
                + "\(SampleRatioQuestion.fewValues) values).",
            valueName: "column"))
    var attributes: [String] = []

    @Option(
        name: .customLong("ignore-variant"),
        help: ArgumentHelp("Leave out the rows of this variant (repeatable).", valueName: "variant"))
    var ignoredVariants: [String] = []

    @Option(
        help: ArgumentHelp("The p-value below which a mismatch is detected.", valueName: "p"),
        transform: { try Self.threshold($0) })
    var threshold = RatioTest.threshold

    func validate() throws {
        if shares != nil, experiments.count > 1 {
            throw ValidationError("--shares are those of one experiment; name only one with --experiment.")
        }
        if countColumn != nil, unitColumn != nil {
            throw ValidationError("Rows hold units or counts of them; give --unit-column or --count-column, not both.")
        }
    }

    private static func threshold(_ text: String) throws -> Double {
        guard let value = Double(text), value > 0, value < 1 else {
            throw ValidationError("a p-value lies between 0 and 1, such as 0.001")
        }
        return value
    }

    /// The test of these options. Definitions are read unless shares are given.
    func analysis(_ definitions: DefinitionsOptions) throws -> SampleRatioAnalysis {
        var analysis = SampleRatioAnalysis(try expectation(definitions))
        analysis.experiments = experiments
        analysis.columns.unit = unitColumn
        analysis.columns.variant = variantColumn
        analysis.columns.count = countColumn
        analysis.columns.experiment = experimentColumn
        analysis.columns.time = timeColumn
        analysis.columns.attributes = attributesColumn
        analysis.isInTimeOrder = isInTimeOrder
        analysis.attributes = attributes
        analysis.ignoredVariants = ignoredVariants
        analysis.threshold = threshold
        return analysis
    }

    private func expectation(_ definitions: DefinitionsOptions) throws -> SampleRatioAnalysis.Expectation {
        if let shares { return .shares(shares) }
        let (plan, instant): (Plan, Instant)
        do {
            (plan, instant) = try definitions.load()
        } catch let error as DefinitionsError {
            throw CommandFailure(error).adding(
                "allot: without definitions, give the shares, such as --shares control=50%,green=50%")
        }
        _ = try plan.experimentIndices(of: experiments)
        return .plan(plan, at: instant, isFixed: definitions.at != nil)
    }
}

extension GivenShares {
    /// Reads the value of `--shares`.
    init(argument: String) throws {
        do {
            self = try GivenShares(argument)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
