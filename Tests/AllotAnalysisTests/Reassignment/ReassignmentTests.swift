import AllotConfiguration
import AllotCore
import Foundation
import TestSupport
import Testing

@testable import AllotAnalysis

/// Reassignment against counting: every unit is enumerated and decided by the slow oracle, and each share must be
/// exactly the number that was counted.
struct ReassignmentTests {
    private static let instant = Instant(seconds: 10)
    /// The number of random pairs; `ALLOT_RANDOM_PAIRS` sets another one.
    static let pairs = ProcessInfo.processInfo.environment["ALLOT_RANDOM_PAIRS"].flatMap(Int.init) ?? 6

    /// Two definitions with the same names and salts: written anew, or one with a few things changed.
    static func pair(_ random: inout SeededGenerator) -> (old: Definitions, new: Definitions) {
        let old = RandomDefinitions.make(&random)
        guard Bool.random(using: &random) else { return (old, RandomDefinitions.make(&random)) }
        let other = RandomDefinitions.make(&random)
        var new = old
        for (index, donor) in zip(new.experiments.indices, other.experiments) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                new.experiments[index].variants = donor.variants
                if new.experiments[index].winner != nil { new.experiments[index].winner = donor.variants[0].key }
            case 1: new.experiments[index].traffic = donor.traffic
            case 2:
                let hash = Salt("salt-\(index)").map(UnitHash.sha256) ?? donor.hash
                if let hash { new.experiments[index].draw?.hash = hash }
            case 3: (new.experiments[index].layer, new.experiments[index].slots) = (donor.layer, donor.slots)
            case 4: new.experiments[index].status = donor.status
            case 5: new.experiments[index].requirements = []
            default: break
            }
        }
        if Bool.random(using: &random) { new.holdouts = other.holdouts }
        return (old, new)
    }

    /// A grid over all draws that matter: each point stands for a block of units that are decided alike.
    @Test("Shares are those of enumerated units", arguments: 0..<ReassignmentTests.pairs)
    func sharesAreThoseOfEnumeratedUnits(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let pair = Self.pair(&random)
        for key in Set((pair.old.experiments + pair.new.experiments).map(\.key)).sorted()
        where ![pair.old, pair.new].contains(where: { Self.leavesOutByAudience(key, $0) }) {
            let draws = Self.draws(key, pair.old, pair.new)
            guard let cells = Self.cellCounts.first(where: { power($0, draws.count) <= (draws.count > 9 ? 4096 : 512) })
            else { continue }
            let step = 1_000_000 / cells
            let (old, new) = (pair.old.rounded(to: step), pair.new.rounded(to: step))
            var counts: [[String?]: Int] = [:]
            for point in 0..<power(cells, draws.count) {
                let bucket = Self.buckets(draws, point, cells: cells, step: step)
                let states = [old, new].map { definitions in
                    EvaluationOracle(
                        definitions: definitions, instant: Self.instant,
                        attributes: ["user_id": "user_id", "org_id": "org_id", "country": "DE"], buckets: bucket
                    ).decide(key).variant
                }
                if states != [nil, nil] { counts[states, default: 0] += 1 }
            }
            let movement = DefinitionsReassignment(from: Plan(old), to: Plan(new), at: Self.instant)
            let transitions = movement.experiments.first { $0.experiment == key }?.transitions ?? []
            #expect(transitions.count == counts.count)
            for transition in transitions {
                let point = draws.reduce(ExactShare.all) { share, _ in share.of(buckets: step) }
                let counted = point.of(buckets: counts[[transition.from, transition.to]] ?? 0)
                #expect(transition.share.of(buckets: 1) == counted)
            }
        }
    }

    private static let cellCounts = [500, 250, 125, 100, 80, 64, 50, 40, 32, 25, 20, 16, 10, 8, 5, 4, 2]

    private static func leavesOutByAudience(_ key: String, _ definitions: Definitions) -> Bool {
        let index = DefinitionsIndex(definitions)
        return index.experiment(key).map { AssignmentRegions($0, in: index, at: instant).leavesOutByAudience } ?? false
    }

    /// Every draw that decides an experiment before or after.
    private static func draws(_ key: String, _ definitions: Definitions...) -> [BucketDimension] {
        var draws: Set<BucketDimension> = []
        for definitions in definitions {
            guard let experiment = definitions.experiments.first(where: { $0.key == key }) else { continue }
            for region in AssignmentRegions(experiment, in: DefinitionsIndex(definitions), at: instant).regions {
                draws.formUnion(region?.boxes.flatMap(\.sets.keys) ?? [])
            }
        }
        return Array(draws)
    }

    /// The buckets of the unit at a point of the grid; draws that decide nothing are 0.
    private static func buckets(
        _ draws: [BucketDimension], _ point: Int, cells: Int, step: Int
    ) -> (UnitHash, String) -> BucketPair {
        var rest = point
        var coordinates: [BucketDimension: Int] = [:]
        for draw in draws {
            coordinates[draw] = rest % cells * step
            rest /= cells
        }
        return { hash, unit in
            BucketPair(
                first: coordinates[BucketDimension(hash: hash, unit: unit, half: .first)] ?? 0,
                second: coordinates[BucketDimension(hash: hash, unit: unit, half: .second)] ?? 0)
        }
    }

    private func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { product, _ in min(product * base, 1_000_000_000) }
    }

    /// Blocks of first and of second buckets within which all units are decided alike, with boundaries anywhere.
    @Test("Shares are exact to the bucket", arguments: 0..<ReassignmentTests.pairs)
    func sharesAreExactToTheBucket(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let sides = (0..<2).map { _ in Self.experiment(&random) }
        let traffics = sides.map { $0.traffic.share(at: Self.instant) }
        let ranges = sides.flatMap(\.variants).flatMap(\.buckets)
        let firsts = Set(traffics + [0, 1_000_000]).sorted()
        let seconds = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound] } + [0, 1_000_000]).sorted()
        var expected: [[String?]: ExactShare] = [:]
        for (first, firstEnd) in zip(firsts, firsts.dropFirst()) {
            for (second, secondEnd) in zip(seconds, seconds.dropFirst()) {
                let states: [String?] = zip(sides, traffics).map { side, traffic in
                    guard first < traffic else { return nil }
                    return side.variants.first { $0.buckets.contains { $0.contains(second) } }?.key
                }
                let share = ExactShare(buckets: firstEnd - first).of(buckets: secondEnd - second)
                if states != [nil, nil] { expected[states] = (expected[states] ?? .none) + share }
            }
        }
        let definitions = sides.map { Definitions([$0]) }
        let movement = DefinitionsReassignment(from: Plan(definitions[0]), to: Plan(definitions[1]), at: Self.instant)
        let transitions = movement.experiments[0].transitions
        #expect(transitions.count == expected.count)
        for transition in transitions { #expect(transition.share == expected[[transition.from, transition.to]]) }
    }

    /// Up to four variants with scattered buckets.
    private static func experiment(_ random: inout SeededGenerator) -> ExperimentDefinition {
        var experiment = ExperimentDefinition.sample("e")
        let ranges = random.parts(5, cuts: 12)
        experiment.variants = (0..<4).map {
            VariantDefinition(key: "v\($0)", buckets: BucketSet(ranges[$0]).ranges, overrides: [:])
        }
        experiment.traffic = .constant(
            Bool.random(using: &random) ? 1_000_000 : Int.random(in: 0...1_000_000, using: &random))
        return experiment
    }

    /// An experiment with two variants of half the buckets each.
    private static var halves: ExperimentDefinition {
        var experiment = ExperimentDefinition.sample("e")
        experiment.variants = [("a", 0..<500_000), ("b", 500_000..<1_000_000)].map {
            VariantDefinition(key: $0.0, buckets: [$0.1], overrides: [:])
        }
        return experiment
    }

    @Test("Another period, and another unit, randomise every unit anew", arguments: 0..<4)
    func otherPeriod(change: Int) throws {
        let from = Instant(seconds: 0)
        var (old, new) = (Self.halves, Self.halves)
        old.draw?.period = Period(every: 60, from: from)
        switch change {
        case 0: new.draw?.period = Period(every: 120, from: from)
        case 1: new.draw?.period = Period(every: 60, from: Instant(seconds: 5))
        case 2: new.draw?.period = Period(every: 60, from: from, isBalanced: true)
        default:
            new.draw?.period = old.draw?.period
            new.draw?.unit = "city|line"
        }
        // Both hash another window then.
        let found = DefinitionsReassignment(
            from: Plan(Definitions([old])), to: Plan(Definitions([new])), at: Instant(seconds: 1020)
        ).experiments
        let reassignment = try #require(found.first)
        #expect(reassignment.isRerandomised)
        // Two variants of half the units each: a new draw gives half of them the other one.
        #expect(reassignment.share(.moves) == ExactShare(buckets: 500_000))
        #expect(reassignment.share(.stays) == ExactShare(buckets: 500_000))
        #expect(reassignment.changes.contains { $0.hasPrefix(change == 3 ? "unit user_id → city|line" : "period ") })
        #expect(reassignment.warnings.contains { $0.contains("the period is another and the salt") } == (change < 3))
        #expect(!Pooling(from: old, to: new).isPossible)
    }

    @Test("In a balanced period a window gives every unit the other variant of its pair")
    func balancedPair() throws {
        var experiment = Self.halves
        experiment.draw?.period = Period(every: 60, from: Instant(seconds: 0), isBalanced: true)
        let definitions = DefinitionsIndex(Definitions([experiment]))
        let pair = [10, 70].map { AssignmentRegions(experiment, in: definitions, at: Instant(seconds: $0)) }
        for window in pair { #expect(window.shares == [ExactShare(buckets: 500_000), ExactShare(buckets: 500_000)]) }
        #expect(throws: AnalysisError.self) {
            try ShareChange(of: try #require(Plan(Definitions([experiment])).experiments.first))
        }
        for number in 0..<200 {
            let variants = pair.map { window in
                window.regions.firstIndex { $0?.contains { $0.bucket(of: "unit-\(number)") } ?? false }
            }
            #expect(variants[0] != variants[1])
        }
    }

    /// A unit comes back if it had a variant at some instant until now, has none now, and gets another one if the
    /// experiment goes on.
    @Test("Units that come back are those of enumerated units", arguments: 0..<ReassignmentTests.pairs * 10)
    func returningUnits(seed: Int) {
        var random = SeededGenerator(seed: seed)
        var sides = (0..<2).map { _ in Self.scheduled(&random) }
        if seed % 4 == 0, let hash = Salt("again").map(UnitHash.sha256) { sides[1].draw?.hash = hash }
        let draws = Array(
            Set(
                sides.compactMap(\.draw).flatMap {
                    [BucketDimension($0, half: .first), BucketDimension($0, half: .second)]
                }))
        let cells = draws.count == 2 ? 10 : 4
        let step = 1_000_000 / cells
        let definitions = sides.map { Definitions([$0]).rounded(to: step) }
        let (old, new) = (definitions[0], definitions[1])
        var (before, after) = (old, new)
        before.experiments[0].status = .running
        after.experiments[0].status = .running
        (after.experiments[0].starts, after.experiments[0].ends) = (nil, nil)
        let canReturn = sides[0].status != .draft && [.paused, .running].contains(sides[1].status)
        let now = Self.instant.seconds
        var counts: [[String?]: Int] = [:]
        for point in 0..<power(cells, draws.count) where canReturn {
            let buckets = Self.buckets(draws, point, cells: cells, step: step)
            func variant(_ definitions: Definitions, at second: Int64) -> String? {
                EvaluationOracle(
                    definitions: definitions, instant: Instant(seconds: second), attributes: ["user_id": "user_id"],
                    buckets: buckets
                ).decide("e").variant
            }
            guard variant(old, at: now) == nil, let to = variant(after, at: now),
                let from = (0...now).compactMap({ variant(before, at: $0) }).first, from != to
            else { continue }
            counts[[from, to], default: 0] += 1
        }
        let returning = DefinitionsReassignment(from: Plan(old), to: Plan(new), at: Self.instant)
            .experiments[0].returning
        #expect(returning.count == counts.count)
        let unit = draws.reduce(ExactShare.all) { share, _ in share.of(buckets: step) }
        for transition in returning {
            let counted = unit.of(buckets: counts[[transition.from, transition.to]] ?? 0)
            #expect(transition.share.of(buckets: 1) == counted)
        }
    }

    /// An experiment of any status, whose schedule and steps are around the instant.
    private static func scheduled(_ random: inout SeededGenerator) -> ExperimentDefinition {
        var experiment = Self.experiment(&random)
        experiment.status = ExperimentStatus.allCases.randomElement(using: &random) ?? .running
        if Bool.random(using: &random) { experiment.status = .running }
        if experiment.status == .concluded, Bool.random(using: &random) { experiment.winner = "v0" }
        if Int.random(in: 0..<3, using: &random) == 0 {
            experiment.starts = Instant(seconds: Int64.random(in: 0...13, using: &random))
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let start = experiment.starts?.seconds ?? 0
            experiment.ends = Instant(seconds: start + Int64.random(in: 1...13, using: &random))
        }
        if Bool.random(using: &random) {
            let seconds = Set((0..<4).map { _ in Int64.random(in: 0...13, using: &random) })
            experiment.traffic = .steps(
                seconds.sorted().map {
                    .init(from: Instant(seconds: $0), share: Int.random(in: 0...1_000_000, using: &random))
                })
        }
        return experiment
    }
}

extension Definitions {
    /// With every bucket number rounded down to a multiple of a step.
    fileprivate func rounded(to step: Int) -> Definitions {
        func rounded(_ ranges: [Range<Int>]) -> [Range<Int>] {
            BucketSet(ranges.map { $0.lowerBound / step * step..<$0.upperBound / step * step }).ranges
        }
        var definitions = self
        definitions.holdouts = holdouts.map {
            HoldoutDefinition(
                name: $0.name, hash: $0.hash, unit: $0.unit, share: $0.share / step * step, scope: $0.scope)
        }
        for index in experiments.indices {
            definitions.experiments[index].slots = rounded(experiments[index].slots)
            let traffic = experiments[index].traffic
            definitions.experiments[index].traffic =
                traffic.steps.isEmpty
                ? .constant(traffic.initial / step * step)
                : .steps(traffic.steps.map { .init(from: $0.from, share: $0.share / step * step) })
            definitions.experiments[index].variants = experiments[index].variants.map {
                VariantDefinition(key: $0.key, buckets: rounded($0.buckets), overrides: $0.overrides)
            }
        }
        return definitions
    }
}
