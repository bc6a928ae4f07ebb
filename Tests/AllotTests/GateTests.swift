import TestSupport
import Testing

@testable import AllotCore

/// The gates of experiments. Proofs of tests compare them with decisions of the engine.
struct GateTests {
    private struct Row {
        let status: ExperimentStatus
        var winner: String?
        var hash: UnitHash?
        var hasLayer = false
        /// The experiment is live from 10 until before 20.
        var instant: Int64? = 15
        let gates: String
    }

    @Test("Status, hash, layer and instant decide which gates there are")
    func table() throws {
        let own = UnitHash.sha256(try #require(Salt("tested")))
        let other = try #require(UnitHash(.optimizely1, salt: "tested"))
        let rows = [
            Row(status: .paused, hash: own, hasLayer: true, gates: "unit, paused"),
            Row(status: .paused, gates: "paused"),
            Row(status: .draft, hash: other, instant: nil, gates: "unit, forced, draft"),
            Row(status: .draft, instant: 25, gates: "draft"),
            Row(status: .running, hash: own, instant: 9, gates: "unit, forced, displaced, not-started"),
            Row(status: .running, hash: own, hasLayer: true, instant: 20, gates: "unit, forced, displaced, ended"),
            Row(status: .running, instant: 9, gates: "displaced, not-started"),
            Row(
                status: .running, hash: own, hasLayer: true,
                gates: "unit, forced, displaced, holdout, slot, requirement, audience, traffic 400000, split, split, "
                    + "unallocated"),
            Row(
                status: .running, hash: own, instant: nil,
                gates: "unit, forced, displaced, holdout, requirement, audience, traffic 700000, split, split, "
                    + "unallocated"),
            Row(
                status: .running, hash: other, hasLayer: true,
                gates: "unit, forced, displaced, holdout, slot, requirement, audience, split, split, unallocated"),
            Row(status: .running, gates: "displaced, requirement, audience, everyone"),
            Row(
                status: .concluded, winner: "b", hash: own, hasLayer: true, instant: 9,
                gates: "unit, displaced, holdout, requirement, audience, winner"),
            Row(
                status: .concluded, hash: other, instant: 25,
                gates: "unit, displaced, holdout, requirement, audience, concluded"),
            Row(status: .concluded, winner: "a", gates: "displaced, requirement, audience, winner"),
        ]
        let layer = LayerDefinition(name: "layer", hash: own, unit: "user_id")
        let holdout = HoldoutDefinition(name: "holdout", hash: own, unit: "user_id", share: 1, scope: nil)
        for row in rows {
            var experiment = ExperimentDefinition.sample("tested")
            experiment.status = row.status
            experiment.winner = row.winner
            experiment.draw = row.hash.map { UnitDraw(unit: "user_id", hash: $0) }
            experiment.traffic = .steps([
                .init(from: Instant(seconds: 11), share: 400_000), .init(from: Instant(seconds: 16), share: 700_000),
            ])
            (experiment.starts, experiment.ends) = (Instant(seconds: 10), Instant(seconds: 20))
            experiment.variants = ["a", "b"].map { VariantDefinition(key: $0, buckets: [], overrides: [:]) }
            experiment.requirements = [.init(experiment: "other", .noVariant)]
            if row.hash != nil { experiment.forced = [.init(unitID: "ada", variant: "a")] }
            let gates = experiment.gates(
                layer: row.hasLayer ? layer : nil, holdouts: [holdout], at: row.instant.map { Instant(seconds: $0) })
            #expect(gates.map(\.word).joined(separator: ", ") == row.gates)
        }
    }
}

extension Gate {
    fileprivate var word: String {
        switch self {
        case .unit: "unit"
        case .forced: "forced"
        case .displacement: "displaced"
        case .buckets(_, let set, .traffic): "traffic \(set.count)"
        case .buckets(_, _, let reason): reason.text
        case .requirement: "requirement"
        case .audience: "audience"
        case .variant: "split"
        case .end(let decision): decision.reason.text
        }
    }
}
