import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotStatistics
import SystemLibrary

extension Options {
    /// One text, or a list of texts.
    fileprivate mutating func list(_ name: String) throws -> [String] {
        guard let value = take(name) else { return [] }
        let values = if case .array(let elements) = value { elements } else { [value] }
        return try values.map { value in
            switch value {
            case .string(let text): text
            case .number(let number): number.text
            default: throw Self.error(name, "a text or a list of texts")
            }
        }
    }

    /// A number as people write it, such as 0.1 or "10%", that `read` understands.
    mutating func number<Number>(_ name: String, _ read: (String) throws -> Number) throws -> Number? {
        guard let value = take(name) else { return nil }
        let text: String
        switch value {
        case .number(let number): text = number.text
        case .string(let written): text = written
        default: throw Self.error(name, "a number")
        }
        do {
            return try read(text)
        } catch {
            throw InterfaceError.argument("the option \(name), \(QuotedText(text)): \(error)")
        }
    }

    /// A list of shares in one text, as the command line has them.
    private mutating func shares<Shares>(_ name: String, _ read: (String) throws -> Shares) throws -> Shares? {
        let parts = try list(name)
        guard !parts.isEmpty else { return nil }
        do {
            return try read(parts.joined(separator: ","))
        } catch {
            throw InterfaceError.argument("the option \(name): \(error)")
        }
    }

    // MARK: Sample ratios

    /// The test of some options; without a plan, shares are among them.
    mutating func sampleRatioAnalysis(of plan: Plan?) throws -> SampleRatioAnalysis {
        let (shares, instant) = (try expectedShares("shares"), try instant())
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
        analysis.sharesOfRevisions = try sharesOfRevisions()
        analysis.columns = .init(
            unit: try text("unit_column"), variant: try text("variant_column"), count: try text("count_column"),
            experiment: try text("experiment_column"), time: try text("time_column"),
            attributes: try text("attributes_column"))
        if analysis.columns.unit != nil, analysis.columns.count != nil {
            throw InterfaceError.argument(
                "rows hold units or counts of them; give unit_column or count_column, not both")
        }
        analysis.isInTimeOrder = try flag("time_order")
        analysis.isUnitEachRow = try flag("rows_are_units")
        if let share = try number("wrong_share", WrittenNumber.rate) { analysis.wrongShare = share }
        if let share = try number("several_share", WrittenNumber.rate) { analysis.severalShare = share }
        analysis.attributes = try list("by")
        analysis.ignoredVariants = try list("ignore_variant")
        analysis.threshold = try number("threshold", RatioTest.threshold) ?? RatioTest.threshold
        return analysis
    }

    /// The number of units of each variant. `nil` if the option is not given.
    mutating func counts() throws -> [(variant: String, count: Int)]? {
        guard let value = take("counts") else { return nil }
        guard case .object(let object) = value else { throw Self.error("counts", #"{VARIANT: number of units}"#) }
        return try object.members.map { member in
            guard case .number(let number) = member.value, let count = Int(number.text), count >= 0 else {
                throw Self.error("counts", "{VARIANT: number of units}, whole numbers from 0")
            }
            return (member.key, count)
        }
    }

    private mutating func expectedShares(_ name: String) throws -> GivenShares? {
        try take(name).map { try Self.shares($0, name) }
    }

    private mutating func sharesOfRevisions() throws -> [RevisionShares] {
        guard let value = take("shares_of") else { return [] }
        guard case .object(let object) = value else { throw Self.error("shares_of", "{REVISION: shares}") }
        return try object.members.map { member in
            RevisionShares(revision: member.key, shares: try Self.shares(member.value, "shares_of"))
        }
    }

    /// Shares as an object, or as the command line has them.
    private static func shares(_ value: JSONValue, _ name: String) throws -> GivenShares {
        do {
            switch value {
            case .string(let text): return try GivenShares(text)
            case .object(let object):
                return try GivenShares(
                    try object.members.map { member in
                        guard case .number(let number) = member.value else {
                            throw error(name, "{VARIANT: number}")
                        }
                        return (member.key, number)
                    })
            default: throw error(name, #"an object such as {"control": 2, "green": 1}, or a text such as "1:1""#)
            }
        } catch let error as AnalysisError {
            throw InterfaceError.argument("the option \(name): \(error)")
        }
    }

    // MARK: Distributions

    /// The study of some experiments of a plan.
    mutating func study(of plan: Plan) throws -> DistributionStudy {
        let experiments = try list("experiment")
        let hash = try text("hash")
        let scheme = hash.flatMap(HashScheme.init)
        if let hash, scheme == nil {
            let known = HashScheme.allCases.map(\.rawValue)
            throw InterfaceError.argument(
                "the option hash: there is no hash \(QuotedText(hash)); known are \(known.joined(separator: ", "))")
        }
        let selection = try plan.experimentIndices(of: experiments)
        var study = try Randomisation.study(of: plan, scheme: scheme, selection: selection)
        study.saltCount = try number("salts", in: DistributionStudy.saltCounts) ?? study.saltCount
        study.saltUnitCount = try number("salt_units", in: DistributionStudy.saltUnitCounts) ?? study.saltUnitCount
        study.seed = try number("seed", in: 0...Int.max).map(UInt64.init) ?? study.seed
        study.taskCount = min(try threadCount(), Processors.availableCount)
        return study
    }

    /// Where the unit IDs of a study come from: those of the caller, or generated ones.
    mutating func sources(_ data: MemoryFile?, seed: UInt64) throws -> [any UnitSource] {
        let column = try text("unit_column")
        let count = try number("units", in: DistributionStudy.generatedUnitCounts)
        let shape = try text("shape")
        if let data {
            guard count == nil, shape == nil else {
                throw InterfaceError.argument("units and shape are for generated unit IDs, not for those of csv")
            }
            return [
                try CSVUnits(
                    data.input(), column: column ?? Subject.defaultUnit, option: column.map { _ in "unit_column" })
            ]
        }
        guard column == nil else { throw InterfaceError.argument("unit_column goes with csv") }
        let shapes = UnitShape.allCases.filter { shape == "all" || (shape ?? "sequential") == $0.rawValue }
        guard !shapes.isEmpty else {
            let known = UnitShape.allCases.map { "\"\($0.rawValue)\"" } + ["\"all\""]
            throw Self.error("shape", "one of \(known.joined(separator: ", "))")
        }
        return shapes.map {
            GeneratedUnits($0, count: count ?? DistributionStudy.customaryGeneratedUnitCount, seed: seed)
        }
    }

    // MARK: Power

    /// The question of some options.
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
        question.correction = try choice("correction", default: question.correction)
        question.isOneSided = try flag("one_sided")
        question.units = try number("units", WrittenNumber.count)
        question.unitsPerVariant = try number("units_per_variant", WrittenNumber.count)
        question.days = try number("days", WrittenNumber.count)
        question.unitsPerDay = try number("units_per_day", WrittenNumber.positive)
        question.traffic = try number("traffic", WrittenNumber.share)
        question.ramp = try shares("ramp", WrittenNumber.shares) ?? []
        if let text = try text("every") {
            guard let span = TimeSpan(text) else { throw Self.error("every", "a time such as \"2d\" or \"12h\"") }
            question.every = span
        }
        return question
    }
}
