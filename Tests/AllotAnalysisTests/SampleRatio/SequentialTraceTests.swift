import AllotStatistics
import TestSupport
import Testing

@testable import AllotAnalysis

struct SequentialTraceTests {
    /// The shortcut of the trace and the test itself, unit after unit.
    @Test("The trace agrees with the test after every unit", arguments: 0..<6)
    func agreesWithTheTest(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let weights: [[Double]] = [[1, 1], [9, 1], [1, 2, 3]]
        let weight = weights[seed % 3]
        let bias = seed < 3 ? 0.0 : 0.04
        var trace = try #require(SequentialTrace(weights: weight, threshold: PValue(0.001)))
        var test = try SequentialRatioTest(shares: weight)
        var crossing: Int?
        for line in 2..<8000 {
            let total = weight.reduce(0, +)
            var rest = Double.random(in: 0..<total, using: &generator) - bias * total
            var variant = 0
            while variant < weight.count - 1, rest >= weight[variant] {
                rest -= weight[variant]
                variant += 1
            }
            trace.observe(variant, count: 1, step: line)
            trace.endMoment()
            test.observe(counts: weight.indices.map { $0 == variant ? 1 : 0 })
            if crossing == nil, test.pValue < PValue(0.001) { crossing = line }
            let difference = trace.pValue.logarithm - test.pValue.logarithm
            guard abs(difference) < 1e-8 else {
                Issue.record("line \(line): \(trace.pValue.logarithm), expected \(test.pValue.logarithm)")
                return
            }
        }
        #expect(trace.crossing?.unitCount == crossing.map { $0 - 1 })
        // A deviation of 4 of 100 is found among 8,000 units, and none is found where none is.
        #expect((crossing != nil) == (seed >= 3))
    }

    /// 400 units of one variant and then 400 of the other, all of one moment, are in the best order.
    @Test("Rows of one moment are tested together")
    func rowsOfOneMomentAreTestedTogether() throws {
        func pValue(isOneMoment: Bool) throws -> PValue {
            var trace = try #require(SequentialTrace(weights: [1, 1], threshold: PValue(0.001)))
            for line in 2..<802 {
                trace.observe(line < 402 ? 0 : 1, count: 1, step: isOneMoment ? 1 : line)
            }
            trace.endMoment()
            return trace.pValue
        }
        #expect(try pValue(isOneMoment: true) == PValue(1))
        #expect(try pValue(isOneMoment: false) < PValue(1e-20))
    }
}
