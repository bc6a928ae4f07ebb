import AllotCore
import AllotStatistics

/// The planned analysis of real data, split under many salts: as the units are the same whatever their arm is, what it
/// finds are false alarms, and what it finds of an effect that was put in is its power.
package struct Replay: Sendable {
    /// A thing that is counted.
    enum Kind: Sendable, Hashable {
        /// Salts under which any comparison of any metric finds something at the end.
        case falseAlarms
        /// Salts under which the always-valid test finds something at the end of any week.
        case sequentialFalseAlarms
        /// Salts under which the effect on a metric is found at the end.
        case power(metric: Int)
        /// Salts under which the always-valid test finds the effect on a metric at the end of any week.
        case sequentialPower(metric: Int)
    }

    /// How a formula's number relates to the true one.
    enum Claim: Sendable {
        case equal, atMost, atLeast
    }

    struct Rate: Sendable {
        let kind: Kind
        let count: Int
        let saltCount: Int
        /// The formula's number.
        let formula: Double
        let claim: Claim
        /// The Clopper–Pearson interval of ``confidence``.
        let interval: ClosedRange<Double>

        var share: Double { Double(count) / Double(saltCount) }

        /// Whether the interval excludes what the formula claims.
        var disagrees: Bool {
            switch claim {
            case .equal: !interval.contains(formula)
            case .atMost: interval.lowerBound > formula
            case .atLeast: interval.upperBound < formula
            }
        }
    }

    static let confidence = 0.99
    /// How many salts there may be.
    package static let saltCounts = 1...1_000_000

    let saltCount: Int
    let rates: [Rate]
    /// By metric the p-values of the smallest treatment under all salts, in ascending order.
    let pValues: [[PValue]]

    /// Whether the data contradict a formula.
    package var disagrees: Bool { rates.contains(where: \.disagrees) }
}

extension Replay {
    /// The results under one salt, or the sums of several.
    struct Outcome: Sendable {
        var alarms = 0
        var sequentialAlarms = 0
        var found: [Int]
        var foundAtAnyLook: [Int]
        var pValues: [[PValue]]

        init(metricCount: Int) {
            found = Array(repeating: 0, count: metricCount)
            foundAtAnyLook = found
            pValues = Array(repeating: [], count: metricCount)
        }

        static func += (left: inout Self, right: Self) {
            left.alarms += right.alarms
            left.sequentialAlarms += right.sequentialAlarms
            for metric in left.found.indices {
                left.found[metric] += right.found[metric]
                left.foundAtAnyLook[metric] += right.foundAtAnyLook[metric]
                left.pValues[metric] += right.pValues[metric]
            }
        }
    }
}

/// The sums of a metric under a salt: of each arm, and of both arms of pairs.
private struct SaltSums: Sendable {
    var arms: [SampleSums]
    var products = PairProducts()

    init(armCount: Int) {
        arms = Array(repeating: SampleSums(), count: armCount)
    }

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
        let outcome = await withTaskGroup(of: Replay.Outcome.self) { group in
            var batches = stride(from: 1, through: saltCount, by: Self.batchSize).makeIterator()
            func addNext() {
                guard let start = batches.next() else { return }
                let end = min(start + Self.batchSize, saltCount + 1)
                group.addTask {
                    var sum = Replay.Outcome(metricCount: plan.data.metrics.count)
                    for number in start..<end {
                        sum += plan.outcome(under: number)
                        progress(plan.data.count)
                    }
                    return sum
                }
            }
            for _ in 0..<max(taskCount, 1) { addNext() }
            var all = Replay.Outcome(metricCount: plan.data.metrics.count)
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
        var outcome = Replay.Outcome(metricCount: data.metrics.count)
        // Always a salt: a key, and letters, digits and points after it.
        guard let salt = Salt(replaySalt(number)) else { return outcome }
        let byWeek = sums(under: salt)
        var (isAlarm, isSequentialAlarm) = (false, false)
        for metric in data.metrics.indices {
            var sums = SaltSums(armCount: arms.names.count)
            var isFoundAtAnyLook = false
            for week in weeks.indices {
                sums += byWeek[metric * weeks.count + week]
                isSequentialAlarm = isSequentialAlarm || findsSequentially(sums, metric)
                isFoundAtAnyLook =
                    isFoundAtAnyLook || findsSequentially(changed(sums, metric), metric, only: smallest)
            }
            let pValues = pValues(sums, metric)
            isAlarm = isAlarm || pValues.contains { $0.value <= level.fixed }
            outcome.pValues[metric] = [pValues.indices.contains(smallest - 1) ? pValues[smallest - 1] : PValue(1)]
            let found = self.pValues(changed(sums, metric), metric)
            outcome.found[metric] =
                found.indices.contains(smallest - 1) && found[smallest - 1].value <= level.fixed ? 1 : 0
            outcome.foundAtAnyLook[metric] = isFoundAtAnyLook ? 1 : 0
        }
        outcome.alarms = isAlarm ? 1 : 0
        outcome.sequentialAlarms = isSequentialAlarm ? 1 : 0
        return outcome
    }

    /// By metric and week of arrival the sums of the units that a salt enrols.
    private func sums(under salt: Salt) -> [SaltSums] {
        var sums = Array(
            repeating: SaltSums(armCount: arms.names.count), count: data.metrics.count * weeks.count)
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
                    let place = number * weeks.count + week
                    if let pair = data.pairs?[unit] {
                        // The odd window has the other arm, as its second bucket is mirrored.
                        let (control, treatment) = arm == 0 ? (pair.even, pair.odd) : (pair.odd, pair.even)
                        sums[place].add(metric, control: control, treatment: treatment)
                    } else {
                        sums[place].add(metric, unit, to: Int(arm))
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

    /// The tests of all treatments. A one-sided test looks in the direction of the effect.
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
        tests(sums, metric).map { $0.pValue(question.sides) }
    }

    /// Whether the always-valid test finds something in any comparison, or in that of one treatment.
    private func findsSequentially(_ sums: SaltSums, _ metric: Int, only treatment: Int? = nil) -> Bool {
        tests(sums, metric).enumerated().contains { index, test in
            (treatment ?? index + 1) == index + 1 && test.squaredError > 0
                && abs(test.statistic) >= mixtures[metric].limit(squaredError: test.squaredError)
        }
    }
}

extension Replay {
    fileprivate init(_ outcome: Outcome, saltCount: Int, of plan: PowerFromData) {
        self.saltCount = saltCount
        pValues = outcome.pValues.map { $0.sorted() }
        func rate(_ kind: Kind, _ count: Int, _ formula: Double, _ claim: Claim) -> Rate {
            Rate(
                kind: kind, count: count, saltCount: saltCount, formula: formula, claim: claim,
                interval: ProportionInterval.clopperPearson(
                    successes: count, trials: saltCount, confidence: Self.confidence))
        }
        let question = plan.question
        // Dunnett's level is exact for one metric; Bonferroni's and Holm's corrections are bounds.
        let isExact =
            plan.data.metrics.count == 1 && (plan.arms.names.count == 2 || question.correction == .dunnett)
        let isOne = plan.data.metrics.count * (plan.arms.names.count - 1) == 1
        let claim: Claim = isExact ? .equal : .atMost
        var rates: [Rate] = []
        // Without correction no formula says how probable any false alarm is.
        if question.correction != .none || isOne {
            rates.append(rate(.falseAlarms, outcome.alarms, question.alpha, claim))
            rates.append(rate(.sequentialFalseAlarms, outcome.sequentialAlarms, question.alpha, .atMost))
        }
        for (metric, finding) in (plan.weeks.last?.findings ?? []).enumerated() {
            rates.append(rate(.power(metric: metric), outcome.found[metric], finding.power.fixed, .equal))
            rates.append(
                rate(
                    .sequentialPower(metric: metric), outcome.foundAtAnyLook[metric], finding.power.sequential,
                    .atLeast))
        }
        self.rates = rates
    }
}
