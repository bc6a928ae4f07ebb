import AllotConfiguration
import AllotCore

/// Runs cases against every small change of the definitions.
struct MutationRun {
    private let definitions: Definitions
    private let mutants: [Mutant]
    private let cases: [(testCase: TestCase, experiments: Set<Int>)]
    private let dependents: [Set<Int>]

    /// Takes the results of the cases without a change. Cases that do not pass notice nothing.
    init(_ definitions: Definitions, cases: [TestCase], results: [CaseResult]) {
        self.definitions = definitions
        mutants = MutantFactory(definitions).mutants
        let plan = Plan(definitions)
        self.cases = results.filter { $0.verdict == .passed }.map { result in
            let named = result.testCase.claims.flatMap { Statement.experiments(of: $0, in: plan) }
            return (result.testCase, Set(plan.order(of: named)))
        }
        // A unit that is forced, or no longer, is displaced elsewhere.
        dependents = definitions.experiments.indices.map { index in
            Set(definitions.experiments.indices.filter { plan.rivals(of: $0).contains(index) })
        }
    }

    func report() -> MutationReport {
        MutationReport(count: mutants.count, survivors: mutants.filter { !isNoticed($0) })
    }

    private func isNoticed(_ mutant: Mutant) -> Bool {
        let affected = mutant.affected.reduce(into: Set(mutant.affected)) { $0.formUnion(dependents[$1]) }
        let asked = cases.filter { !$0.experiments.isDisjoint(with: affected) }
        guard !asked.isEmpty else { return false }
        var changed = definitions
        mutant.change(&changed)
        var runner = TestRunner(Plan(changed), explains: false)
        // A change that leaves a case unproved may still be one that no unit notices.
        return asked.contains { runner.run($0.testCase).verdict == .failed }
    }
}

/// The small changes of the definitions that no case notices.
package struct MutationReport: Sendable {
    let count: Int
    let survivors: [Mutant]

    var lines: [String] { survivors.map { "survives: \(PrintableText(line: "\($0.name): \($0.words)"))" } }

    var summary: String {
        "mutants: \(count - survivors.count) of \(count) noticed"
            + (survivors.isEmpty ? "" : "; add cases that fail for the \(survivors.count) above")
    }
}

/// A small change of definitions that tests should notice.
struct Mutant: Sendable {
    /// The experiment or holdout that is changed.
    let name: String
    let words: String
    /// The experiments that decide otherwise, by index, without those that require them.
    let affected: [Int]
    let change: @Sendable (inout Definitions) -> Void
}

/// Makes every small change of definitions that can make a difference: each test of an audience negated, each border of
/// buckets moved by one, each instant by one second, variants exchanged. Parts without influence on decisions, such as
/// the buckets of a draft, are left alone.
struct MutantFactory {
    private let definitions: Definitions
    private(set) var mutants: [Mutant] = []

    init(_ definitions: Definitions) {
        self.definitions = definitions
        for index in definitions.experiments.indices {
            switch definitions.experiments[index].status {
            case .running:
                changeSchedule(index)
                changePeriod(index)
                changeSlots(index)
                changeConditions(index)
                changeTraffic(index)
                changeBuckets(index)
                exchangeVariants(index)
            case .concluded:
                guard definitions.experiments[index].winner != nil else { continue }
                changeConditions(index)
                changeWinner(index)
            case .draft, .paused: break
            }
            changeForced(index)
        }
        for index in definitions.holdouts.indices { changeHoldout(index) }
    }

    private mutating func add(
        _ index: Int, _ words: String, _ change: @escaping @Sendable (inout ExperimentDefinition) -> Void
    ) {
        mutants.append(
            Mutant(name: definitions.experiments[index].key, words: words, affected: [index]) {
                change(&$0.experiments[index])
            })
    }

    // MARK: Time

    /// The movement of an instant by a second.
    fileprivate static func words(_ seconds: Int64) -> String { "a second \(seconds < 0 ? "earlier" : "later")" }

    private mutating func changeSchedule(_ index: Int) {
        let experiment = definitions.experiments[index]
        for seconds in [-1, 1] as [Int64] {
            var moved = experiment
            moved.starts = experiment.starts?.adding(seconds: seconds)
            // No unit is enrolled before the first window of a period, which often begins at the start.
            if let starts = moved.starts, moved.schedule.starts != experiment.schedule.starts {
                add(index, "starts \(Self.words(seconds))") { $0.starts = starts }
            }
            if let ends = experiment.ends {
                add(index, "ends \(Self.words(seconds))") { $0.ends = ends.adding(seconds: seconds) }
            }
        }
    }

    private mutating func changePeriod(_ index: Int) {
        let experiment = definitions.experiments[index]
        guard let period = experiment.draw?.period else { return }
        var changes: [(words: String, period: Period)] = []
        for seconds in [-1, 1] as [Int64] {
            let (every, from) = (period.seconds + seconds, period.from.adding(seconds: seconds))
            let longer = Period(every: every, from: period.from, isBalanced: period.isBalanced)
            let later = Period(every: period.seconds, from: from, isBalanced: period.isBalanced)
            changes += [("windows a second \(seconds < 0 ? "shorter" : "longer")", longer)]
            changes += [("from \(Self.words(seconds))", later)]
        }
        if period.isBalanced { changes.append(("not balanced", Period(every: period.seconds, from: period.from))) }
        for (words, period) in changes where experiment.isChanged(by: period) {
            add(index, "period: \(words)") { $0.draw?.period = period }
        }
    }

    // MARK: Buckets

    /// A list of ranges with one border moved by one bucket, and the border; for each border and direction.
    private static func moves(of ranges: [Range<Int>], in bucketCount: Int) -> [(words: String, ranges: [Range<Int>])] {
        let ranges = BucketSet(ranges).ranges
        return ranges.indices.flatMap { index -> [(words: String, ranges: [Range<Int>])] in
            let range = ranges[index]
            let (lower, upper) = (range.lowerBound, range.upperBound)
            var moved: [(Int, Range<Int>)] = []
            if lower > 0 { moved.append((lower, lower - 1..<upper)) }
            if range.count > 1 || lower > 0 { moved.append((lower, lower + 1..<upper)) }
            if upper < bucketCount { moved.append((upper, lower..<upper + 1)) }
            if range.count > 1 { moved.append((upper, lower..<upper - 1)) }
            return moved.map { border, range in
                var changed = ranges
                changed[index] = range
                let isStart = range.lowerBound != lower
                let isDown = isStart ? range.lowerBound < lower : range.upperBound < upper
                return (
                    "the \(isStart ? "start" : "end") \(border) a bucket \(isDown ? "lower" : "higher")",
                    BucketSet(changed).ranges
                )
            }
        }
    }

    private mutating func changeSlots(_ index: Int) {
        let experiment = definitions.experiments[index]
        guard let layer = definitions.layers.first(where: { $0.name == experiment.layer }) else { return }
        for (words, slots) in Self.moves(of: experiment.slots, in: layer.hash.resolution) {
            add(index, "slots: \(words)") { $0.slots = slots }
        }
    }

    private mutating func changeTraffic(_ index: Int) {
        let experiment = definitions.experiments[index]
        let traffic = experiment.traffic
        guard experiment.drawsTraffic else { return }
        func shares(around share: Int) -> [Int] {
            [share - 1, share + 1].filter { (0...Bucketing.bucketCount).contains($0) }
        }
        guard !traffic.steps.isEmpty else {
            for share in shares(around: traffic.highestShare) {
                add(index, "traffic: \(share) buckets instead of \(traffic.highestShare)") {
                    $0.traffic = .constant(share)
                }
            }
            return
        }
        for (position, step) in traffic.steps.enumerated()
        where experiment.applies(step, next: traffic.steps.dropFirst(position + 1).first) {
            for share in shares(around: step.share) {
                add(index, "traffic from \(step.from): \(share) buckets instead of \(step.share)") {
                    $0.traffic = traffic.replacing(position, with: .init(from: step.from, share: share))
                }
            }
            guard experiment.trafficBoundaries.contains(step.from) else { continue }
            for seconds in [-1, 1] as [Int64] {
                let from = step.from.adding(seconds: seconds)
                add(index, "traffic: the step of \(step.from) \(Self.words(seconds))") {
                    $0.traffic = traffic.replacing(position, with: .init(from: from, share: step.share))
                }
            }
        }
    }

    private mutating func changeBuckets(_ index: Int) {
        let variants = definitions.experiments[index].variants
        guard let bucketCount = definitions.experiments[index].hash?.resolution else { return }
        for (position, variant) in variants.enumerated() {
            for (words, buckets) in Self.moves(of: variant.buckets, in: bucketCount) {
                // A bucket that comes from another variant leaves it.
                let set = BucketSet(buckets)
                add(index, "buckets of \(variant.key): \(words)") { experiment in
                    experiment.variants = variants.enumerated().map { other, variant in
                        variant.having(other == position ? buckets : BucketSet(variant.buckets).subtracting(set).ranges)
                    }
                }
            }
        }
    }

    private mutating func changeHoldout(_ index: Int) {
        let holdout = definitions.holdouts[index]
        let covered = definitions.experiments.indices.filter { position in
            let experiment = definitions.experiments[position]
            let decides = experiment.status == .running || experiment.winner != nil
            return decides && holdout.covers(experiment)
        }
        guard !covered.isEmpty else { return }
        for share in [holdout.share - 1, holdout.share + 1] where (0...holdout.hash.resolution).contains(share) {
            let changed = HoldoutDefinition(
                name: holdout.name, hash: holdout.hash, unit: holdout.unit, share: share, scope: holdout.scope)
            mutants.append(
                Mutant(
                    name: holdout.name, words: "share: \(share) buckets instead of \(holdout.share)", affected: covered
                ) { $0.holdouts[index] = changed })
        }
    }

    // MARK: Variants

    private mutating func exchangeVariants(_ index: Int) {
        let variants = definitions.experiments[index].variants
        for second in variants.indices {
            for first in 0..<second where variants[first].buckets != variants[second].buckets {
                let exchanged = (
                    variants[first].having(variants[second].buckets), variants[second].having(variants[first].buckets)
                )
                add(index, "\(variants[first].key) and \(variants[second].key) exchanged") {
                    ($0.variants[first], $0.variants[second]) = exchanged
                }
            }
        }
    }

    private mutating func changeWinner(_ index: Int) {
        let experiment = definitions.experiments[index]
        for variant in experiment.variants where variant.key != experiment.winner {
            add(index, "winner: \(variant.key)") { $0.winner = variant.key }
        }
    }

    private mutating func changeForced(_ index: Int) {
        let experiment = definitions.experiments[index]
        guard experiment.forcesUnits else { return }
        for (position, forced) in experiment.forced.enumerated() {
            add(index, "forced: \(forced.unitID) left out") { $0.forced.remove(at: position) }
        }
    }

    // MARK: Conditions

    private mutating func changeConditions(_ index: Int) {
        let experiment = definitions.experiments[index]
        for (position, requirement) in experiment.requirements.enumerated() {
            add(index, "requires: \(requirement.experiment) left out") { $0.requirements.remove(at: position) }
        }
        for (words, audience) in experiment.audience.changes {
            add(index, "audience: \(words)") { $0.audience = audience }
        }
    }
}

extension Condition {
    /// The condition with one of its tests changed, for each test, those of elements among them.
    fileprivate var changes: [(words: String, Condition)] {
        switch self {
        case .all(let parts): Self.changes(parts).map { ($0, .all($1)) }
        case .any(let parts): Self.changes(parts).map { ($0, .any($1)) }
        case .not(let part): part.changes.map { ($0, .not($1)) }
        case .segment(let name, let part): part.changes.map { ($0, .segment(name, $1)) }
        case .test(let test):
            [("negated: \(test.attribute ?? "the element") \(test.words)", .not(self))]
                + test.predicate.changes.map { words, predicate in
                    let changed = Test(
                        attribute: test.attribute, predicate: predicate, isNegated: test.isNegated,
                        operatorName: test.operatorName, words: test.words)
                    return (words, .test(changed))
                }
        }
    }

    fileprivate static func changes(_ parts: [Condition]) -> [(words: String, [Condition])] {
        parts.indices.flatMap { index in
            parts[index].changes.map { words, part in
                var changed = parts
                changed[index] = part
                return (words, changed)
            }
        }
    }
}

extension Condition.Predicate {
    /// The predicate with an instant moved by a second, or with a change of a test of its elements.
    fileprivate var changes: [(words: String, Condition.Predicate)] {
        switch self {
        case .instant(let ordering, let instant):
            [-1, 1].map { seconds in
                ("\(instant) \(MutantFactory.words(seconds))", .instant(ordering, instant.adding(seconds: seconds)))
            }
        case .hasAll(let parts): Condition.changes(parts).map { ($0, .hasAll($1)) }
        case .hasElement(let part): part.changes.map { ($0, .hasElement($1)) }
        case .size(let part): part.changes.map { ($0, .size($1)) }
        default: []
        }
    }
}

extension VariantDefinition {
    fileprivate func having(_ buckets: [Range<Int>]) -> VariantDefinition {
        VariantDefinition(key: key, buckets: buckets, overrides: overrides)
    }
}

extension ExperimentDefinition {
    /// Whether a step of the traffic applies at some instant of the schedule.
    fileprivate func applies(_ step: Traffic.Step, next: Traffic.Step?) -> Bool {
        if let ends, step.from >= ends { return false }
        guard let starts = schedule.starts, let next else { return true }
        return next.from > starts
    }

    /// Whether another period can change a decision: an experiment that ends within its first window may have the same
    /// one in both.
    fileprivate func isChanged(by period: Period) -> Bool {
        var changed = self
        changed.draw?.period = period
        guard let start = schedule.starts, start == changed.schedule.starts else { return true }
        func first(_ definition: Self) -> (hashed: Int64, isMirrored: Bool)? {
            guard let period = definition.draw?.period, let number = period.number(at: start) else { return nil }
            return (period.hashedNumber(of: number), period.isMirrored(number))
        }
        guard nextWindow(after: start) == nil, changed.nextWindow(after: start) == nil,
            let before = first(self), let after = first(changed)
        else { return true }
        return before != after
    }

    /// The instants at which its traffic changes while it is live.
    fileprivate var trafficBoundaries: [Instant] { traffic.limited(to: schedule).steps.map(\.from) }
}

extension Traffic {
    fileprivate func replacing(_ position: Int, with step: Step) -> Traffic {
        var steps = steps
        steps[position] = step
        return .steps(steps)
    }
}
