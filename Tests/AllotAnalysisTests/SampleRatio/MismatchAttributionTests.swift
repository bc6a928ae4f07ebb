import AllotCore
import AllotStatistics
import TestSupport
import Testing

@testable import AllotAnalysis

struct MismatchAttributionTests {
    /// The report on units of an experiment, some of them lost or given another variant.
    ///
    /// - Parameters:
    ///   - loss: The probability that a unit of a variant is not recorded.
    ///   - moves: The probability that a unit of a variant is recorded with another.
    private func report(
        _ seed: Int, _ count: Int = 10_000, loss: [String: Double] = [:], moves: [String: (to: String, Double)] = [:],
        variants: String = "[{ key: control }, { key: green }]"
    ) throws -> SampleRatioReport {
        let plan = try Plan.of(["button.yaml": "status: running\nvariants: \(variants)\n"])
        let experiment = plan.experiments[0]
        var generator = SeededGenerator(seed: seed)
        var csv = "unit,variant\n"
        for _ in 0..<count {
            let unit = "user-\(UInt64.random(in: 0 ... .max, using: &generator))"
            var held = plan.recomputedVariant(of: unit) ?? experiment.variants[0].key
            if generator.chance(loss[held] ?? 0) { continue }
            if let move = moves[held], generator.chance(move.1) { held = move.to }
            csv += "\(unit),\(held)\n"
        }
        return try sampleRatio(csv, .plan(plan, at: Instant(seconds: 0))) {
            $0.experiments = [experiment.key]
            $0.wrongShare = 0.9
        }.reports[0]
    }

    private typealias Moves = [String: (to: String, Double)]

    /// Units that are lost, units that are reassigned, and what is found.
    private static let findings: [(loss: [String: Double], moves: Moves, MismatchAttribution.Finding)] = [
        ([:], [:], .agreement), (["green": 0.1], [:], .capture), ([:], ["control": ("green", 0.08)], .reassignment),
        (["control": 0.1], ["control": ("green", 0.05)], .both), ([:], ["control": ("green", 1)], .reassignment),
    ]

    @Test(
        "Units that are lost were not captured, those with another variant were reassigned, and both can be at once",
        arguments: findings.indices, 0..<4)
    func finding(index: Int, seed: Int) throws {
        let (loss, moves, finding) = Self.findings[index]
        let report = try report(seed, loss: loss, moves: moves)
        let cause = try #require(report.attribution)
        #expect(cause.finding == finding)
        if index > 0 { #expect(report.isMismatch) }
        if let capture = cause.capture { #expect((capture.pValue < PValue(0.001)) == !loss.isEmpty) }
        #expect((cause.reassignedCount == 0) == moves.isEmpty)
        #expect(cause.examples.isEmpty == moves.isEmpty)
        #expect(cause.examples.allSatisfy { $0.recorded == "green" && $0.recomputed == "control" })
        #expect(cause.rows.map(\.reassigned) == [-cause.reassignedCount, cause.reassignedCount])
        if finding == .capture { #expect(cause.captureShare == 1) }
    }

    @Test("Units of buckets without an owner were reassigned")
    func unitsWithoutAnOwner() throws {
        let report = try report(1, variants: "[{ key: a, buckets: [0%..<40%] }, { key: b, buckets: [40%..<80%] }]")
        let cause = try #require(report.attribution)
        // A fifth of the units, within 4 standard deviations, is recorded for the first variant without an owner.
        #expect(abs(cause.unallocatedCount - 2000) < 160)
        #expect(cause.finding == .reassignment)
        #expect(cause.examples.allSatisfy { $0.recomputed == nil })
    }

    @Test("Some reassigned units are no mismatch")
    func someReassigned() throws {
        let some = try report(1, moves: ["control": ("green", 0.01), "green": ("control", 0.01)])
        #expect(some.attribution?.finding == .someReassigned)
    }

    /// 8% of one variant are lost and 4% of the other one moved into it, so that the ratio is as it should be.
    @Test("Loss and reassignment that cancel out are found", arguments: 0..<40)
    func errorsThatCancelOut(seed: Int) throws {
        let report = try report(seed, 3000, loss: ["green": 0.08], moves: ["control": ("green", 0.04)])
        #expect(report.test.map { $0.pValue >= PValue(0.001) } == true)
        #expect(report.isMismatch)
        #expect(report.attribution?.finding == .masked)
        let oneSided = try #require(report.attribution?.oneSided)
        #expect((oneSided.from, oneSided.to, oneSided.back) == (0, 1, 0))
        // The sign test: as many heads as tosses, on either side.
        #expect(abs(oneSided.pValue.logarithm - Double(1 - oneSided.count) * 0.6931471805599453) < 1e-6)
    }

    @Test("The ratio of the captured units is an alarm of its own", arguments: 0..<3)
    func captureIsAnAlarm(seed: Int) throws {
        let names = try report(seed, 20_000, loss: ["green": 0.08], moves: ["control": ("green", 0.04)])
            .mismatches.map(\.name)
        #expect(names.contains("capture"))
        #expect(!names.contains("ratio"))
    }

    /// An alarm has a probability of 0.001 each time.
    @Test("Reassignment in both directions alike is not an alarm")
    func reassignmentInBothDirections() throws {
        var alarms = 0
        for seed in 0..<40 {
            let moves = ["control": (to: "green", 0.02), "green": (to: "control", 0.02)]
            if try report(seed, 2000, moves: moves).isMismatch { alarms += 1 }
        }
        #expect(alarms == 0)
    }

    @Test("Of several pairs of variants the most one-sided is named")
    func theMostOneSidedPair() throws {
        let table = [[1000, 10, 0, 0], [12, 1000, 30, 0], [0, 2, 1000, 0]]
        let found = try #require(cause(table, ["a", "b", "c"]).oneSided)
        #expect((found.from, found.to, found.count, found.back) == (2, 1, 30, 2))
        // binomtest(2, 32).pvalue = 2.463e-7, times 2 pairs
        #expect(abs(found.pValue.value / 4.926696e-7 - 1) < 1e-3)
    }

    private func cause(
        _ table: [[Int]], reasons: [Int] = Array(repeating: 0, count: Reason.count), _ variants: [String],
        _ basis: MismatchAttribution.Basis = .decision
    ) throws -> MismatchAttribution {
        let empty = RecordAttributes(LocalisationTally(wanted: nil), ExposureLedger(), time: nil)
        let wrong = WrongVariants(
            RecordSample(classCount: 2), variants: variants, empty, tolerated: 0, confidence: 0.9
        ) { _ in (0, nil) }
        return MismatchAttribution(
            AttributionTally(table: table, reasons: reasons, basis: basis, wrong: wrong),
            shares: try VariantShares(variants.map { ($0, 1) }), isMismatch: false, threshold: PValue(0.001))
    }

    @Test("Only reasons that are about single units are reported")
    func reasonsOfUnitsAloneAreReported() throws {
        let reasons = Array(repeating: 1, count: Reason.count)
        func ineligible(_ basis: MismatchAttribution.Basis) throws -> Set<Reason> {
            Set(try cause([[0, 0, 0], [0, 0, 0]], reasons: reasons, ["a", "b"], basis).ineligible.keys)
        }
        #expect(
            try ineligible(.decision) == [
                .noUnit, .displaced, .notStarted, .ended, .holdout, .slot, .requirement, .audience, .traffic,
                .unallocated,
            ])
        #expect(try !ineligible(.withoutAttributes(["country"])).contains(.audience))
        #expect(try ineligible(.buckets(.paused)).isEmpty)
    }
}
