import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotStatistics

extension Options {
    /// A number as people write it, such as 0.1 or "10%", that `read` understands.
    mutating func number<Number>(_ name: String, _ read: (String) throws -> Number) throws -> Number? {
        try take(name, "a number") { value -> Number? in
            guard let text = value.text ?? value.asNumber?.text else { return nil }
            do {
                return try read(text)
            } catch { throw InterfaceError.argument("the option \(name), \(QuotedText(text)): \(error)") }
        }
    }

    /// A list of shares in one text, as the command line has them.
    private mutating func shares<Shares>(_ name: String, _ read: (String) throws -> Shares) throws -> Shares? {
        let parts = try list(name)
        guard !parts.isEmpty else { return nil }
        do {
            return try read(parts.joined(separator: ","))
        } catch { throw InterfaceError.argument("the option \(name): \(error)") }
    }

    /// The test of some options; without a plan, shares are among them.
    mutating func sampleRatioAnalysis(of plan: Plan?) throws -> SampleRatioAnalysis {
        let form = #"an object such as {"control": 2, "green": 1}, or a text such as "1:1""#
        let shares = try take("shares", form) { try Self.shares($0, "shares") }
        let instant = try instant()
        let experiments = try list("experiment")
        var analysis: SampleRatioAnalysis
        switch (plan, shares) {
        case (_, let shares?):
            guard experiments.count <= 1 else {
                throw InterfaceError.argument("shares are those of one experiment; name only one")
            }
            analysis = SampleRatioAnalysis(.shares(shares))
        case (let plan?, nil):
            if !experiments.isEmpty { _ = try plan.experimentIndices(of: experiments) }
            analysis = SampleRatioAnalysis(.plan(plan, at: instant ?? .now, isFixed: instant != nil))
        case (nil, nil):
            throw InterfaceError.argument(#"without a plan, give the option shares: {"control": 1, "green": 1}"#)
        }
        analysis.experiments = experiments
        analysis.salts = try list("salt")
        analysis.sharesOfRevisions =
            try take("shares_of", "{REVISION: shares}") { value in
                try value.asObject?.members.allConverted { member in
                    try Self.shares(member.value, "shares_of").map { RevisionShares(revision: member.key, shares: $0) }
                }
            } ?? []
        analysis.columns.unit = try text("unit_column")
        analysis.columns.variant = try text("variant_column")
        analysis.columns.count = try text("count_column")
        analysis.columns.experiment = try text("experiment_column")
        analysis.columns.time = try text("time_column")
        analysis.columns.attributes = try text("attributes_column")
        if analysis.columns.unit != nil, analysis.columns.count != nil {
            throw InterfaceError.argument(
                "rows hold units or counts of them; give unit_column or count_column, not both")
        }
        analysis.isInTimeOrder = try flag("time_order")
        analysis.isUnitEachRow = try flag("rows_are_units")
        analysis.wrongShare = try number("wrong_share", WrittenNumber.rate) ?? analysis.wrongShare
        analysis.severalShare = try number("several_share", WrittenNumber.rate) ?? analysis.severalShare
        analysis.attributes = try list("by")
        analysis.ignoredVariants = try list("ignore_variant")
        analysis.threshold = try number("threshold", RatioTest.threshold) ?? RatioTest.threshold
        return analysis
    }

    mutating func counts() throws -> [(variant: String, count: Int)]? {
        try take("counts", "{VARIANT: number of units}, whole numbers from 0") { value in
            value.asObject?.members.allConverted { member in
                member.value.wholeNumber(in: 0...Int.max).map { (variant: member.key, count: $0) }
            }
        }
    }

    /// Shares as an object, or as the command line has them. Returns `nil` for any other value.
    private static func shares(_ value: JSONValue, _ name: String) throws -> GivenShares? {
        do {
            if let text = value.text { return try GivenShares(text) }
            let shares = value.asObject?.members.allConverted { member in
                member.value.asNumber.map { (variant: member.key, share: $0) }
            }
            return try shares.map { try GivenShares($0) }
        } catch let error as AnalysisError { throw InterfaceError.argument("the option \(name): \(error)") }
    }

    mutating func study(of plan: Plan) throws -> DistributionStudy {
        let experiments = try list("experiment")
        let scheme: HashScheme? = try choice("hash")
        let selection = try plan.experimentIndices(of: experiments)
        var study = try Randomisation.study(of: plan, scheme: scheme, selection: selection)
        study.saltCount = try number("salts", in: DistributionStudy.saltCounts) ?? study.saltCount
        study.saltUnitCount = try number("salt_units", in: DistributionStudy.saltUnitCounts) ?? study.saltUnitCount
        study.seed = try number("seed", in: 0...Int.max).map(UInt64.init) ?? study.seed
        study.taskCount = min(try threadCount(), Processors.availableCount)
        return study
    }

    /// The unit IDs of a study: those of the caller, or generated ones.
    mutating func sources(_ csv: [UInt8]?, seed: UInt64) throws -> [any UnitSource] {
        let column = try text("unit_column")
        let count = try number("units", in: DistributionStudy.generatedUnitCounts)
        let words = (UnitShape.allCases.map(\.rawValue) + ["all"]).map { "\"\($0)\"" }.joined(separator: ", ")
        let shapes = try take("shape", "one of \(words)") { value -> [UnitShape]? in
            guard value != "all" else { return UnitShape.allCases }
            return value.text.flatMap { UnitShape(rawValue: $0) }.map { [$0] }
        }
        if let csv {
            guard count == nil, shapes == nil else {
                throw InterfaceError.argument("units and shape are for generated unit IDs, not for those of csv")
            }
            return [
                try CSVUnits(
                    InputFile(bytes: csv, name: "the data"), column: column ?? Subject.defaultUnit,
                    option: column.map { _ in "unit_column" })
            ]
        }
        guard column == nil else { throw InterfaceError.argument("unit_column goes with csv") }
        return (shapes ?? [.sequential]).map {
            GeneratedUnits($0, count: count ?? DistributionStudy.customaryGeneratedUnitCount, seed: seed)
        }
    }

    mutating func powerQuestion() throws -> PowerQuestion {
        var question = PowerQuestion()
        question.baseline = try number("baseline", WrittenNumber.rate)
        question.standardDeviation = try number("standard_deviation", WrittenNumber.positive)
        question.mean = try number("mean", WrittenNumber.plain)
        question.effect = try number("effect", WrittenNumber.init(argument:))
        question.relativeEffect = try number("relative_effect", WrittenNumber.init(argument:))
        question.alpha = try number("alpha", WrittenNumber.rate) ?? question.alpha
        question.power = try number("power", WrittenNumber.rate)
        question.variants = try number("variants", WrittenNumber.count)
        question.allocation = try shares("allocation", PlannedVariants.init(argument:))
        question.correction = try choice("correction") ?? question.correction
        question.isOneSided = try flag("one_sided")
        question.units = try number("units", WrittenNumber.count)
        question.unitsPerVariant = try number("units_per_variant", WrittenNumber.count)
        question.days = try number("days", WrittenNumber.count)
        question.unitsPerDay = try number("units_per_day", WrittenNumber.positive)
        question.traffic = try number("traffic", WrittenNumber.share)
        question.ramp = try shares("ramp", WrittenNumber.shares) ?? []
        question.every = try take("every", "a time such as \"2d\" or \"12h\"") { $0.text.flatMap { TimeSpan($0) } }
        return question
    }
}
