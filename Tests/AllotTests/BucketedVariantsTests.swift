import AllotConfiguration
import TestSupport
import Testing

@_spi(Groups) @testable import AllotCore

/// Units of one experiment that are hashed together.
struct BucketedVariantsTests {
    /// Ranges of buckets of two variants in turn, with gaps that no variant owns.
    private static func variants(owners: Int) -> [VariantDefinition] {
        let width = Bucketing.bucketCount / owners
        let ranges = (0..<owners).map { $0 * width..<$0 * width + width * ($0 % 3 == 2 ? 1 : 3) / 3 }
        return (0..<2).map { variant in
            VariantDefinition(
                key: "v\(variant)", buckets: ranges.indices.filter { $0 % 2 == variant }.map { ranges[$0] },
                overrides: [:])
        }
    }

    private static let steps = Traffic.steps([
        Traffic.Step(from: Instant(seconds: 10), share: 300_000), Traffic.Step(from: Instant(seconds: 20), share: 0),
        Traffic.Step(from: Instant(seconds: 30), share: 1_000_000),
    ])

    private static let plan: Plan = {
        let traffics = [.constant(1_000_000), .constant(700_000), .constant(0), steps]
        let experiments = [1, 2, 5, BucketedVariants.mostOwners, BucketedVariants.mostOwners + 1].flatMap { owners in
            traffics.enumerated().map { index, traffic in
                var experiment = ExperimentDefinition.sample("e-\(owners)-\(index)")
                experiment.variants = variants(owners: owners)
                experiment.traffic = traffic
                return experiment
            }
        }
        return Plan(Definitions(experiments: experiments))
    }()

    private static let units: (values: [AttributeValue], bytes: [UInt8]) = {
        var (values, bytes): ([AttributeValue], [UInt8]) = ([], [])
        for index in 0..<500 {
            // Some are missing, and some take several blocks.
            let unit = index % 50 == 7 ? "" : String(repeating: "u", count: index % 60) + "\(index)"
            values.append(.untyped(start: bytes.count, length: unit.utf8.count))
            bytes += Array(unit.utf8)
        }
        return (values, bytes)
    }()

    private static func alone(_ row: Int, at instant: Instant) -> [Decision] {
        var evaluator = Evaluator(plan: plan, at: instant)
        var subject = Subject()
        subject.setUntyped("user_id", String(decoding: units.bytes[units.values[row].range], as: UTF8.self))
        evaluator.evaluate(PreparedSubject(subject, for: plan))
        return evaluator.decisions
    }

    @Test("Units that are hashed together get what each gets alone", arguments: [0, 10, 20, 30])
    func agreesWithEachAlone(seconds: Int64) {
        let instant = Instant(seconds: seconds)
        var evaluator = Evaluator(plan: Self.plan, at: instant, selection: nil, groupSize: 96)
        var reasons: Set<Reason> = []
        for start in stride(from: 0, to: Self.units.values.count, by: 96) {
            let rows = start..<min(start + 96, Self.units.values.count)
            evaluator.evaluate(group: rows.count, Self.units.values.span.extracting(rows), Self.units.bytes.span)
            for (position, row) in rows.enumerated() {
                let expected = Self.alone(row, at: instant)
                #expect(evaluator.selectedDecisions(row: position) == expected)
                reasons.formUnion(expected.map(\.reason))
            }
        }
        #expect(reasons.isSuperset(of: [.split, .unallocated, .traffic, .noUnit]))
    }

    @Test("Units with instants of their own get the traffic of these")
    func instants() {
        let rows = 0..<90
        let instants = rows.map { Instant(seconds: Int64($0 % 40)) }
        var evaluator = Evaluator(plan: Self.plan, at: Instant(seconds: 0), selection: nil, groupSize: rows.count)
        evaluator.evaluate(
            group: rows.count, Self.units.values.span.extracting(rows), Self.units.bytes.span, at: instants)
        for row in rows { #expect(evaluator.selectedDecisions(row: row) == Self.alone(row, at: instants[row])) }
    }
}
