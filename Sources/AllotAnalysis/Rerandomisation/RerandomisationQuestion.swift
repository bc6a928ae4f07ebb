import AllotBatch
import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

/// Did the variants of an experiment change an outcome, by the test that belongs to its randomisation?
///
/// The test draws the arms anew under salts that would have been chosen as the experiment's own salt was, in the order
/// of candidates after those that were tried: of each draw the same units are enrolled, and second buckets divide them.
package struct RerandomisationQuestion: Sendable {
    /// The column of outcomes; `nil` for the only one.
    package var metric: String?
    /// The column of denominators: the outcome is then the ratio of two sums.
    package var ratio: String?
    /// The columns of covariates that adjust the means.
    package var adjust: [String] = []
    package var alpha = 0.05
    package var draws = 1000
    /// By attribute, or `variant`, the name of its column, if it is another one.
    package var columns: [String: String] = [:]
    /// The option that named the column of unit IDs, if one did.
    package var unitOption: String?
    package var taskCount = 1

    package static let variantColumn = "variant"
    package static let drawsRange = 1...1_000_000

    package init() {}

    /// Tests outcomes.
    ///
    /// - Parameters:
    ///   - index: The experiment in the plan.
    ///   - users: The users by which the salt was chosen; without a choice, those that could be enrolled, or `nil` for
    ///     the units with an outcome.
    ///   - progress: Takes the number of further hashes.
    package func report(
        on outcomes: HashedInput, for index: Int, of plan: Plan, at instant: Instant, users: HashedInput?,
        progress: @escaping @Sendable (_ hashCount: Int) -> Void = { _ in }
    ) async throws -> RerandomisationReport {
        let experiment = plan.experiments[index]
        let buckets = try SaltQuestion.arms(of: experiment)
        guard let salt = experiment.salt.flatMap({ Salt($0) }) else {
            throw AnalysisError.notRandomised(experiment.key, "randomisation to test")
        }
        try checkDraws()
        let choice = experiment.randomisation
        try check(choice, salt, of: experiment, users)
        let unit = experiment.unit ?? Subject.defaultUnit
        let decider = users.map { _ in CandidateDecider(plan, experiment: index, at: instant, columns: columns) }
        let balanced = choice?.balance ?? []
        let units = try CandidateUnits(
            (users ?? outcomes).rows(), unit: unit, column: columns[unit], option: unitOption,
            covariates: balanced + adjust, decider: decider)
        let file = Outcomes.Columns(
            unit: unit, unitColumn: columns[unit], unitOption: unitOption, metric: metric, ratio: ratio,
            variant: columns[Self.variantColumn] ?? Self.variantColumn,
            needsVariant: columns[Self.variantColumn] != nil, others: users == nil ? adjust : [])
        let read = try Outcomes(outcomes.rows(), file, of: units)
        let everyone = Array(0..<units.count)
        let assigned = ArmSums(units.blocks(of: everyone), SummedColumns(), arms: buckets).arms(under: salt)
        let enrolled = everyone.filter { Int(assigned[$0]) < buckets.count }
        let arms = enrolled.map { assigned[$0] }
        let sample = try Sample(read, enrolled, arms, experiment, buckets)
        let used = sample.values.indices.filter { !sample.values[$0].isNaN }
        let adjusting =
            adjust.isEmpty
            ? nil : try Covariates(Array(units.columns.dropFirst(balanced.count)), of: used.map { enrolled[$0] })
        let layout = OutcomeColumns(
            values: sample.values, arms: arms, armCount: buckets.count, whitened: adjusting?.whitenedUnits() ?? [],
            covariateCount: adjusting?.whitening.rank ?? 0)
        // Every enrolled unit stays enrolled, so that all have outcomes in each draw.
        let redrawn = buckets.amongEnrolled()
        let blocks = units.blocks(of: enrolled)
        let (numbers, end, distance) = try await draws(
            of: experiment, choice, units, (enrolled, arms), blocks, redrawn, salt, progress)
        let sums = ArmSums(blocks, SummedColumns(numbers: layout.columns), arms: redrawn)
        let salts = try numbers.map { try SaltSearch.salts($0..<$0 + 1, of: experiment.key)[0] }
        let redraws = try await sums.sums(under: salts, taskCount: taskCount, progress: progress)
        let all = [sums.sums(of: arms).sums] + redraws.map(\.sums)
        let analyses = try (adjust.isEmpty ? [false] : [false, true]).map { isAdjusted in
            let means = all.map { layout.means($0, isAdjusted: isAdjusted) }
            guard let observed = means[0] else {
                throw AnalysisError(
                    "the covariates determine the arms, so that adjusted means do not exist; adjust for fewer")
            }
            return RerandomisationReport.Analysis(
                isAdjusted: isAdjusted, observed: observed,
                tests: EffectTests(observed: observed, draws: Array(means.dropFirst())))
        }
        let unchecked = users == nil && plan.selects(index) ? [Self.uncheckedNote] : []
        let remarks = unchecked + notes(units, read, users, choice, distance) + [adjusting?.note].compactMap(\.self)
        return RerandomisationReport(
            question: self, experiment: experiment, salt: salt, sample: sample, metric: read.metric, analyses: analyses,
            candidateCount: end - (choice.map { $0.tried + 1 } ?? 1), notes: remarks)
    }

    private static let uncheckedNote =
        "without a file of users every unit with an outcome counts as one that could be enrolled: audience, layer, "
        + "holdouts, requirements and forced units are not checked"

    private func checkDraws() throws {
        let fewest = RandomisationTest.fewestDraws(level: alpha)
        guard draws >= fewest else {
            throw AnalysisError(
                "\(draws) draws cannot find anything at a level of \(NumberFormat.percent(alpha)); take "
                    + "\(fewest) or more"
            )
        }
    }

    /// Throws if the choice of the salt cannot be repeated.
    private func check(
        _ choice: ChosenRandomisation?, _ salt: Salt, of experiment: Plan.Experiment, _ users: HashedInput?
    ) throws {
        guard let choice else { return }
        guard let users else {
            throw AnalysisError(
                "the salt of \(experiment.key) was chosen for balance in \(choice.balance.joined(separator: ", ")); "
                    + "give the file of users by which it was chosen")
        }
        guard users.digest == choice.users else {
            throw AnalysisError(
                "\(users.name) is not the file by which the salt of \(experiment.key) was chosen: its SHA-256 is "
                    + "\(users.digest), and the definition has \(choice.users)")
        }
        let prefix = experiment.key + "."
        let number = salt.text.hasPrefix(prefix) ? Int(salt.text.dropFirst(prefix.count)) : nil
        guard let number, (1...choice.tried).contains(number) else {
            throw AnalysisError(
                "the salt \(salt) of \(experiment.key) is not one of the candidates \(prefix)1 to "
                    + "\(prefix)\(choice.tried); remove randomisation from the definition if the salt was changed "
                    + "by hand"
            )
        }
    }

    /// The numbers of the salts of the draws, the candidate after the last one, and the distance of the own salt.
    private func draws(
        of experiment: Plan.Experiment, _ choice: ChosenRandomisation?, _ units: CandidateUnits,
        _ enrolled: (units: [Int], arms: [UInt8]), _ blocks: [UnitBlock], _ arms: ArmBuckets, _ own: Salt,
        _ progress: @escaping @Sendable (Int) -> Void
    ) async throws -> (numbers: [Int], end: Int, distance: Double?) {
        guard let choice else {
            // The own salt may be among the candidates; its draw is the observed one.
            let numbers = (1...draws + 1).filter { "\(experiment.key).\($0)" != own.text }.prefix(draws)
            return (Array(numbers), (numbers.last ?? 0) + 1, nil)
        }
        let covariates = try Covariates(Array(units.columns.prefix(choice.balance.count)), of: Array(0..<units.count))
        let search = SaltSearch(
            experiment: experiment.key, rule: choice.rule, covariates: covariates,
            sums: ArmSums(blocks, covariates.columns.selecting(enrolled.units), arms: arms), taskCount: taskCount,
            progress: progress)
        let distance = search.distance(of: search.sums.sums(of: enrolled.arms))
        let (chosen, end) = try await search.next(draws, from: choice.tried + 1)
        return (chosen.map(\.number), end, distance)
    }

    private func notes(
        _ units: CandidateUnits, _ read: Outcomes, _ users: HashedInput?, _ choice: ChosenRandomisation?,
        _ distance: Double?
    ) -> [String] {
        var notes = read.doubts
        func add(_ count: Int, _ what: String) {
            if count > 0 { notes.append("\(count == 1 ? "1 row" : "\(count) rows") of outcomes \(what)") }
        }
        add(read.unknownCount, "of units that the file of users does not have; left out")
        add(read.refusedCount, "of units that the experiment could not enrol; left out")
        add(read.emptyCount, "without a value; left out")
        if let distance, let choice, abs(distance - choice.distance) > 1e-6 * max(distance, 1e-12) {
            notes.append(
                "the distance under the salt is \(NumberFormat.significant(distance, 4)), and was "
                    + "\(NumberFormat.significant(choice.distance, 4)) when it was chosen: other units could be "
                    + "enrolled then")
        }
        return notes + (users == nil ? [] : units.notes)
    }
}

extension Plan {
    /// Whether anything but traffic and buckets keeps units out of an experiment.
    fileprivate func selects(_ index: Int) -> Bool {
        let experiment = experiments[index]
        if case .all(let conditions) = experiment.audience, conditions.isEmpty, experiment.layer == nil,
            experiment.requirements.isEmpty, experiment.forced.isEmpty
        {
            return definitions.holdouts.contains { $0.covers(experiment) }
        }
        return true
    }
}

/// The outcomes of enrolled units, with what they say of the arms.
struct Sample: Sendable {
    /// By enrolled unit its outcome less the mean of all, of a ratio its linear part; NaN without one.
    let values: [Double]
    /// The mean, or ratio, of all, which was taken from each outcome.
    let mean: Double
    let isProportion: Bool
    let arms: [Arm]
    /// The number of units whose recorded variant is another one, and of those that have one.
    let recorded: (wrong: Int, all: Int)

    struct Arm: Sendable {
        let variant: String
        let units: Int
        /// The mean, or the ratio of two sums.
        let value: Double
    }

    /// - Parameters:
    ///   - enrolled: The indices of enrolled units.
    ///   - arms: Their arms.
    init(
        _ outcomes: Outcomes, _ enrolled: [Int], _ arms: [UInt8], _ experiment: Plan.Experiment, _ buckets: ArmBuckets
    ) throws(AnalysisError) {
        let isRatio = !outcomes.denominators.isEmpty
        let used = enrolled.indices.filter { !outcomes.values[enrolled[$0]].isNaN }
        var counts = [Int](repeating: 0, count: buckets.count)
        var sums = [Double](repeating: 0, count: buckets.count)
        var denominators = sums
        for place in used {
            let (unit, arm) = (enrolled[place], Int(arms[place]))
            counts[arm] += 1
            sums[arm] += outcomes.values[unit]
            denominators[arm] += isRatio ? outcomes.denominators[unit] : 1
        }
        let keys = buckets.variants.map { experiment.variants[$0].key }
        if let arm = counts.firstIndex(of: 0) {
            throw AnalysisError(
                "no unit of the variant \(QuotedText(keys[arm])) has an outcome, so that nothing can be compared")
        }
        if isRatio, let arm = denominators.firstIndex(where: { $0 <= 0 }) {
            throw AnalysisError("the denominators of the variant \(QuotedText(keys[arm])) are not above 0 together")
        }
        self.arms = keys.indices.map { Arm(variant: keys[$0], units: counts[$0], value: sums[$0] / denominators[$0]) }
        let all = denominators.reduce(0, +)
        let ratio = sums.reduce(0, +) / all
        mean = ratio
        isProportion = !isRatio && used.allSatisfy { [0, 1].contains(outcomes.values[enrolled[$0]]) }
        // A. Deng, U. Knoblich and J. Lu, "Applying the delta method in metric analytics" (2018): the difference of two
        // ratios is about that of the means of (y - R x) / mean of x.
        let scale = all / Double(max(used.count, 1))
        var values = [Double](repeating: .nan, count: enrolled.count)
        for place in used {
            let unit = enrolled[place]
            values[place] =
                isRatio
                ? (outcomes.values[unit] - ratio * outcomes.denominators[unit]) / scale : outcomes.values[unit] - ratio
        }
        self.values = values
        var (wrong, count) = (0, 0)
        if !outcomes.recorded.isEmpty {
            for (place, unit) in enrolled.enumerated() where !outcomes.recorded[unit].isEmpty {
                count += 1
                if !UTF8Order.areEqual(outcomes.recorded[unit], keys[Int(arms[place])]) { wrong += 1 }
            }
        }
        recorded = (wrong, count)
    }
}
