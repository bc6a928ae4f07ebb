import AllotCore
import AllotStatistics

/// The planned analysis of real data, split under many salts: as the units are the same whatever their arm is, what it
/// finds are false alarms, and what it finds of an effect that was put in is its power.
package struct Replay: Sendable {
    /// A thing that is counted: the salts under which something is found.
    struct Kind: Sendable, Hashable {
        /// The metric on which the effect is found; `nil` for any finding without an effect, a false alarm.
        let metric: Int?
        /// Whether the always-valid test finds it at the end of any week, or else the one look at the end.
        let isSequential: Bool
    }

    /// How a formula's number relates to the true one.
    enum Claim: String, Sendable {
        case equal
        case atMost = "at_most"
        case atLeast = "at_least"
    }

    struct Rate: Sendable {
        let kind: Kind
        let count: Int
        let share: Double
        /// The formula's number.
        let formula: Double
        let claim: Claim
        /// The Clopper–Pearson interval of ``Replay/confidence``.
        let interval: ClosedRange<Double>

        /// Whether the interval excludes what the formula claims.
        var disagrees: Bool {
            switch claim {
            case .equal: !interval.contains(formula)
            case .atMost: interval.lowerBound > formula
            case .atLeast: interval.upperBound < formula
            }
        }
    }

    /// The probability with which true formulas are contradicted, at most: that of all rates together.
    static let error = 0.01
    /// How many salts there may be.
    package static let saltCounts = 1...1_000_000

    let saltCount: Int
    /// The confidence of each interval: by Bonferroni's correction the rates share ``error``.
    let confidence: Double
    let rates: [Rate]
    /// By metric the p-values of the smallest treatment under all salts, in ascending order.
    let pValues: [[PValue]]

    /// Whether the data contradict a formula.
    package var disagrees: Bool { rates.contains(where: \.disagrees) }

    /// The results under one salt, or those of several together.
    fileprivate struct Outcome: Sendable {
        var counts: [Kind: Int] = [:]
        var pValues: [[PValue]]

        static func += (left: inout Self, right: Self) {
            left.counts.merge(right.counts, uniquingKeysWith: +)
            for metric in left.pValues.indices { left.pValues[metric] += right.pValues[metric] }
        }
    }
}

/// The sums of a metric under a salt: of each arm, and of both arms of pairs.
private struct SaltSums: Sendable {
    var arms: [SampleSums]
    var products = PairProducts()

    init(armCount: Int) { arms = Array(repeating: SampleSums(), count: armCount) }

    mutating func add(_ metric: PlannedMetric, _ unit: Int, to arm: Int) {
        arms[arm].add(
            residual: metric.residuals[unit], size: metric.sizes?[unit] ?? 1, covariate: metric.covariates?[unit] ?? 0)
    }

    mutating func add(_ metric: PlannedMetric, control: Int, treatment: Int) {
        add(metric, control, to: 0)
        add(metric, treatment, to: 1)
        products.add(
            control: (metric.residuals[control], metric.sizes?[control] ?? 1),
            treatment: (metric.residuals[treatment], metric.sizes?[treatment] ?? 1))
    }

    static func += (left: inout Self, right: Self) {
        for arm in left.arms.indices { left.arms[arm] += right.arms[arm] }
        left.products += right.products
    }
}

extension PowerFromData {
    private static let batchSize = 8

    /// Repeats the analysis under the salts `KEY.replay.1`, `KEY.replay.2` and further ones.
    ///
    /// Complexity: O(salts × units) hashes.
    ///
    /// - Parameter progress: is called now and then with the number of hashes since the last call.
    package mutating func replay(
        salts saltCount: Int, taskCount: Int, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async {
        let plan = self
        let none = Replay.Outcome(pValues: data.metrics.map { _ in [] })
        let outcome = await withTaskGroup(of: Replay.Outcome.self) { group in
            var batches = stride(from: 1, through: saltCount, by: Self.batchSize).makeIterator()
            func addNext() {
                guard let start = batches.next() else { return }
                group.addTask {
                    var sum = none
                    for number in start..<min(start + Self.batchSize, saltCount + 1) {
                        sum += plan.outcome(under: number)
                        progress(plan.data.count)
                    }
                    return sum
                }
            }
            for _ in 0..<max(taskCount, 1) { addNext() }
            var all = none
            for await part in group {
                all += part
                addNext()
            }
            return all
        }
        replay = Replay(outcome, saltCount: saltCount, of: self)
    }

    /// The number of hashes of a replay.
    package func hashCount(salts: Int) -> Int { salts * data.count }

    /// The salt of a number, from 1; a key that is too long for one is cut.
    func replaySalt(_ number: Int) -> String {
        let end = ".replay.\(number)"
        return question.definition.key.prefix(Salt.maximumLength - end.count) + end
    }

    private func outcome(under number: Int) -> Replay.Outcome {
        var outcome = Replay.Outcome(pValues: data.metrics.map { _ in [] })
        // Always a salt: a key, and letters, digits and points after it.
        guard let salt = Salt(replaySalt(number)) else { return outcome }
        let byWeek = sums(under: salt)
        for metric in data.metrics.indices {
            var sums = SaltSums(armCount: arms.names.count)
            func count(_ isFound: Bool, _ metric: Int?, isSequential: Bool = false) {
                if isFound { outcome.counts[Replay.Kind(metric: metric, isSequential: isSequential)] = 1 }
            }
            for week in byWeek[metric] {
                sums += week
                count(findsSequentially(sums, metric), nil, isSequential: true)
                count(findsSequentially(changed(sums, metric), metric, only: smallest), metric, isSequential: true)
            }
            let pValues = pValues(sums, metric)
            count(pValues.contains { $0.value <= level.fixed }, nil)
            count(self.pValues(changed(sums, metric), metric)[smallest - 1].value <= level.fixed, metric)
            outcome.pValues[metric] = [pValues[smallest - 1]]
        }
        return outcome
    }

    /// By metric and week of arrival the sums of the units that a salt enrols.
    private func sums(under salt: Salt) -> [[SaltSums]] {
        let none = Array(repeating: SaltSums(armCount: arms.names.count), count: weeks.count)
        var sums = data.metrics.map { _ in none }
        var buckets = UnitBuckets(count: min(data.count, PlanningData.blockLength))
        var start = 0
        for block in data.blocks {
            AllotBucketing().fill(&buckets, for: block, under: .sha256(salt))
            for index in 0..<block.count {
                let unit = start + index
                let arm = arms.owners[Int(buckets.second[index])]
                guard buckets.first[index] < limits[unit], arm != Arms.unowned else { continue }
                let week = data.week(unit)
                for (number, metric) in data.metrics.enumerated() {
                    if let pair = data.pairs?[unit] {
                        // The odd window has the other arm, as its second bucket is mirrored.
                        let (control, treatment) = arm == 0 ? (pair.even, pair.odd) : (pair.odd, pair.even)
                        sums[number][week].add(metric, control: control, treatment: treatment)
                    } else {
                        sums[number][week].add(metric, unit, to: Int(arm))
                    }
                }
            }
            start += block.count
        }
        return sums
    }

    /// The arms with the effect on the smallest treatment.
    private func changed(_ sums: SaltSums, _ metric: Int) -> SaltSums {
        var sums = sums
        let ratio = data.metrics[metric].ratio
        sums.arms[smallest] = sums.arms[smallest].changed(by: effects[metric], ratio: ratio)
        sums.products = sums.products.changed(by: effects[metric], ratio: ratio)
        return sums
    }

    /// The tests of all treatments; none if an arm has too few units. A one-sided test looks in the direction of the
    /// effect.
    private func tests(_ sums: SaltSums, _ metric: Int) -> [WelchTest] {
        let tests: [WelchTest]
        if data.pairs != nil {
            tests = sums.products.test(control: sums.arms[0], treatment: sums.arms[1]).map { [$0] } ?? []
        } else {
            let adjusts = data.metrics[metric].covariates != nil
            guard let estimates = SampleSums.estimates(of: sums.arms, adjusts: adjusts) else { return [] }
            tests = estimates.dropFirst().map { WelchTest(control: estimates[0], treatment: $0) }
        }
        return changes[metric] < 0 ? tests.map(\.reversed) : tests
    }

    private func pValues(_ sums: SaltSums, _ metric: Int) -> [PValue] {
        let tests = tests(sums, metric)
        return tests.isEmpty ? arms.names.dropFirst().map { _ in PValue(1) } : tests.map { $0.pValue(question.sides) }
    }

    /// Whether the always-valid test finds something in any comparison, or in that of one treatment.
    private func findsSequentially(_ sums: SaltSums, _ metric: Int, only treatment: Int? = nil) -> Bool {
        tests(sums, metric).enumerated().contains { index, test in
            (treatment ?? index + 1) == index + 1
                && abs(test.statistic) >= mixtures[metric].limit(squaredError: test.squaredError)
        }
    }
}

extension Replay {
    fileprivate init(_ outcome: Outcome, saltCount: Int, of plan: PowerFromData) {
        let question = plan.question
        let findings = plan.weeks.last?.findings ?? []
        // Dunnett's level is exact for one metric; Bonferroni's and Holm's corrections are bounds. Without correction
        // no formula says how probable any false alarm is.
        let isExact = findings.count == 1 && (plan.arms.names.count == 2 || question.correction == .dunnett)
        let isOne = findings.count * (plan.arms.names.count - 1) == 1
        let alarms: [Int?] = question.correction != .none || isOne ? [nil] : []
        let kinds = (alarms + Array(findings.indices)).flatMap { metric in
            [false, true].map { Kind(metric: metric, isSequential: $0) }
        }
        let confidence = 1 - Self.error / Double(kinds.count)
        (self.saltCount, self.confidence) = (saltCount, confidence)
        pValues = outcome.pValues.map { $0.sorted() }
        rates = kinds.map { kind in
            let count = outcome.counts[kind] ?? 0
            let power = kind.metric.map { findings[$0].power }
            let isEqual = !kind.isSequential && (kind.metric != nil || isExact)
            return Rate(
                kind: kind, count: count, share: Double(count) / Double(saltCount),
                formula: (kind.isSequential ? power?.sequential : power?.fixed) ?? question.alpha,
                claim: isEqual ? .equal : kind.metric == nil ? .atMost : .atLeast,
                interval: ProportionInterval.clopperPearson(
                    successes: count, trials: saltCount, confidence: confidence))
        }
    }
}
