import AllotConfiguration
import AllotCore
import Testing

@testable import AllotAnalysis

struct RecomputationTests {
    @Test("Recomputed variants agree with the engine")
    func agreesWithTheEngine() throws {
        let plan = try Plan.of([
            "button.yaml": """
            status: running
            variants:
              - { key: a, buckets: [10%..<20%, 50%..<60%] }
              - { key: b, buckets: [0..<100000, 20%..<45%] }
              - { key: c, buckets: [99%..<100%] }
            """
        ])
        for number in 0..<3000 {
            let unit = "user-\(number)"
            let assignment = plan.assignments(for: Subject(id: unit), at: Instant(seconds: 0))[0]
            #expect(plan.recomputedVariant(of: unit) == assignment.variant)
        }
    }

    /// Whatever its status, an experiment knows whom it forced.
    @Test("Forced units are recognised", arguments: ["draft", "running", "paused", "concluded"])
    func forcedUnits(status: String) throws {
        let plan = try Plan.of([
            "button.yaml":
                "status: \(status)\nvariants: [{ key: a }, { key: b }]\nforced: { tester-1: b, \"7\": a }\n"
        ])
        let recomputation = Recomputation(plan, experiment: 0)
        #expect("tester-1".withBytes { recomputation.isForced($0) })
        #expect("7".withBytes { recomputation.isForced($0) })
        #expect(!"tester-2".withBytes { recomputation.isForced($0) })
        #expect(!"".withBytes { recomputation.isForced($0) })
    }
}
