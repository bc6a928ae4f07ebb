import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

struct UnitSetTests {
    /// Whenever something is proved of two audiences, no unit contradicts it.
    @Test("Proofs hold for every subject", arguments: 1...4 * RandomOperators.seedFactor, [false, true])
    func proofsHold(seed: Int, isList: Bool) {
        var audiences = RandomOperators(seed: seed, attributes: ["x", "y"], lists: isList ? ["y"] : [])
        let conditions = audiences.conditions(40).map(\.condition)
        let matches = Self.matches(conditions, isList ? RandomOperators.lists : RandomOperators.values)
        func text(_ index: Int) -> String { conditions[index].canonical.canonicalText }
        // Attributes that no audience shows to be lists are single values; or everything may be a list.
        for (empty, count) in [(UnitSpace(listsIn: conditions), 40), (UnitSpace(), 20)] {
            var space = empty
            let sets = conditions.prefix(count).map { UnitSet($0, in: &space) }
            var (disjoint, within) = (0, 0)
            for (left, set) in sets.enumerated() {
                if let contradiction = set.contradiction(in: &space), !contradiction.admitsList {
                    #expect(matches[left].allSatisfy { $0 == 0 }, "\(text(left))")
                }
                if let witness = set.witness(in: &space) {
                    #expect(Self.holds(conditions[left], witness), "\(text(left)) \(witness)")
                }
                for (right, other) in sets.enumerated() {
                    let pairs = zip(matches[left], matches[right])
                    if set.isProvablyDisjoint(from: other, in: &space) {
                        disjoint += 1
                        #expect(!pairs.contains { $0 & $1 != 0 }, "\(text(left)) and \(text(right))")
                    }
                    if set.isProvablySubset(of: other, in: &space) {
                        within += 1
                        #expect(!pairs.contains { $0 & ~$1 != 0 }, "\(text(left)) in \(text(right))")
                    }
                }
            }
            #expect(disjoint > 10)
            #expect(within > 10)
        }
    }

    private static func holds(_ condition: Condition, _ subject: Subject) -> Bool {
        var experiment = ExperimentDefinition.sample("e")
        experiment.draw = nil
        experiment.variants = [VariantDefinition(key: "only", buckets: [], overrides: [:])]
        experiment.audience = condition
        let plan = Plan(Definitions(experiments: [experiment]))
        return plan.assignments(for: subject, at: Instant(seconds: 0))[0].variant != nil
    }

    @Test(
        "A set has a unit exactly where some combination of buckets does",
        arguments: 1...20 * RandomOperators.seedFactor)
    func buckets(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let dimensions = try ["a", "b", "c"].map { salt in
            BucketDimension(hash: .sha256(try #require(Salt(salt))), unit: "user_id", half: .first)
        }
        let parts = (0..<3).map { _ in
            let ends = (0..<2).map { _ in Int.random(in: 0...10, using: &random) }.sorted()
            return (index: Int.random(in: 0..<3, using: &random), tenths: ends[0]..<ends[1])
        }
        let sets = parts.map { index, tenths -> UnitSet in
            var region = BucketRegion()
            region.restrict(
                dimensions[index], to: BucketSet([tenths.lowerBound * 100_000..<tenths.upperBound * 100_000]))
            return UnitSet(region)
        }
        var space = UnitSpace()
        let set = sets[0].intersection(sets[1], in: &space).union(sets[2]).complement(in: &space).union(sets[0])
        let count = (0..<1000).count { point in
            let tenths = [point % 10, point / 10 % 10, point / 100]
            let holds = parts.map { $0.tenths.contains(tenths[$0.index]) }
            return !((holds[0] && holds[1]) || holds[2]) || holds[0]
        }
        #expect(set.isProvablyEmpty(in: &space) == (count == 0))
        guard count > 0 else { return }
        let witness = try #require(set.witness(in: &space))
        #expect(set.contains(witness, in: space))
    }

    /// The predicate of a test of the attribute `x`.
    private func predicate(_ test: JSONValue) -> Condition.Predicate? {
        guard case .test(let test) = ConditionParser.parse(["x": test], segments: SegmentTable()).condition else {
            return nil
        }
        return test.predicate
    }

    @Test(
        "Predicates are prepared once whatever the order, repetition and ignored case of their literals",
        arguments: [
            (["$startsWith": ["a", "b"]], ["$startsWith": ["b", "a", "b"]], ["$startsWith": ["a", "é", "b"]]),
            (["$endsWithi": ["É", "a"]], ["$endsWithi": ["A", "é"]], ["$endsWith": ["É", "a"]]),
            (["$contains": ["a", "c"]], ["$contains": ["c", "a"]], ["$contains": ["a", "b", "c"]]),
            (["$startsWith": "é"], ["$startsWith": ["é"]], ["$startsWith": "e\u{301}"]),
            (["$regex": ["a", "b"]], ["$regex": ["b", "a"]], ["$regexi": ["a", "b"]]),
            (
                ["$inNetwork": ["10.0.0.0/8", "::1"]], ["$inNetwork": ["::1", "10.0.0.0/8"]],
                ["$inNetwork": ["10.0.0.0/16", "::1"]]
            ),
            (["$in": [5, "a"]], ["$in": ["a", 5.0]], ["$in": ["5", "a"]]),
        ] as [(JSONValue, JSONValue, JSONValue)])
    func equalPredicates(one: JSONValue, same: JSONValue, other: JSONValue) throws {
        var table = PredicateTable()
        let prepared = table.prepared(try #require(predicate(one)))
        #expect(table.prepared(try #require(predicate(same))) === prepared)
        #expect(table.prepared(try #require(predicate(other))) !== prepared)
    }

    /// For each condition one bit for each pair of values of the attributes `x` and `y`: whether it holds.
    private static func matches(_ conditions: [Condition], _ valuesOfY: [Subject.Value?]) -> [[UInt64]] {
        let plan = Plan.of(audiences: conditions)
        let values = RandomOperators.values
        var result = Array(repeating: Array(repeating: UInt64(0), count: values.count), count: conditions.count)
        for (row, x) in values.enumerated() {
            for (bit, y) in valuesOfY.enumerated() {
                var subject = Subject(id: "unit")
                x?.set("x", of: &subject)
                y?.set("y", of: &subject)
                let assignments = plan.assignments(for: subject, at: Instant(seconds: 0))
                for (index, assignment) in assignments.enumerated() where assignment.reason == .split {
                    result[index][row] |= 1 << UInt64(bit)
                }
            }
        }
        return result
    }
}
