import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

struct TrafficTests {
    /// 10 % from second 60, 50 % from second 120 and 100 % from second 180.
    private static let steps = Traffic.steps(
        [(60, 100_000), (120, 500_000), (180, 1_000_000)].map { .init(from: Instant(seconds: $0.0), share: $0.1) })

    /// The sentence and the line of the traffic for a unit whose first bucket is in a range.
    private static func explanation(
        _ range: Range<Int>, at second: Int64, ends: Int64? = nil
    ) throws -> (sentence: String, line: String) {
        var experiment = ExperimentDefinition.sample("button")
        experiment.traffic = steps
        experiment.ends = ends.map { Instant(seconds: $0) }
        let plan = Plan(Definitions(experiments: [experiment]))
        let hash = PreparedHash(try #require(experiment.hash))
        let unit = try #require((0..<1000).map { "u\($0)" }.first { range.contains(hash.buckets(of: $0).first) })
        let explained = plan.explanation(for: Subject(id: unit), at: Instant(seconds: second)).experiments[0]
        let line = explained.text.split(separator: "\n").first { $0.contains("    traffic") }
        return (String(explained.sentence.drop { $0 != ":" }), String(line ?? ""))
    }

    @Test("An explanation says which step applies, which is next, and when a unit enters")
    func explanations() throws {
        let later = try Self.explanation(500_000..<1_000_000, at: 130)
        #expect(later.sentence == ": only 50% are enrolled, and it is not among them; from 1970-01-01T00:03Z on it is.")
        #expect(later.line.contains("is not below 500000 (50% since 1970-01-01T00:02Z; 100% from 1970-01-01T00:03Z)"))
        let enrolled = try Self.explanation(0..<100_000, at: 200)
        #expect(enrolled.line.contains("is below 1000000 (100% since 1970-01-01T00:03Z)"))
        #expect(Self.steps.text(at: Instant(seconds: 0)) == "0%; 10% from 1970-01-01T00:01Z")
        // A step after the end enrols no unit.
        let never = try Self.explanation(500_000..<1_000_000, at: 130, ends: 150)
        #expect(never.sentence == ": only 50% are enrolled, and it is not among them.")
        #expect(never.line.contains("is not below 500000 (50% since 1970-01-01T00:02Z)"))
    }
}
