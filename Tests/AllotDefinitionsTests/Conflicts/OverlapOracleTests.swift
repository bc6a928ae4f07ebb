import AllotConfiguration
import AllotCore
import Foundation
import TestSupport
import Testing

@testable import AllotDefinitions

/// More seeds than those of a quick run, as many times as the environment says.
private let factor = ProcessInfo.processInfo.environment["ALLOT_PROOF_SEEDS"].flatMap { Int($0) } ?? 1

/// Proofs about random folders, against single decisions of the engine.
struct OverlapOracleTests {
    private static let conditions: [JSONValue] = [
        [:], ["country": "DE"], ["country": ["$in": ["DE", "AT"]]], ["country": ["$ne": "DE"]],
        ["country": ["$nin": ["AT", "FR"]]], ["country": ["$startsWith": "F"]], ["country": ["$ini": ["de", "fr"]]],
        ["country": ["$exists": false]], ["seats": ["$gt": 5]], ["seats": ["$lte": 5]], ["seats": 5],
        ["seats": ["$in": [1, 9]]], ["seats": ["$gt": 5, "$lt": 3]], ["country": "FR", "seats": ["$gte": 5]],
        ["$or": [["country": "DE"], ["seats": ["$lt": 4]]]], ["$nor": [["country": "DE"], ["seats": 9]]],
        ["app": ["$vgte": "2.0"]], ["app": ["$vlt": "2.0"]], ["app": ["$regex": "^2"]],
        ["address": ["$inNetwork": "10.0.0.0/8"]], ["address": ["$notInNetwork": ["10.1.0.0/16", "11.0.0.0/8"]]],
    ]

    private static func subject(_ random: inout SeededGenerator) -> Subject {
        var subject = Subject()
        func set(_ name: String, _ values: [JSONValue]) {
            guard random.chance(0.9) else { return }
            let value = random.pick(values)
            if case .string(let text) = value, random.chance(0.5) {
                subject.setUntyped(name, text)
            } else {
                subject.setTyped(name, value)
            }
        }
        // No experiment forces these.
        for unit in ["user_id", "org_id"] { set(unit, [.string("free-\(random.number(0...99))")]) }
        set("country", ["DE", "AT", "FR", "de", "Fiji", .null])
        set("seats", [1, 3, 5, 5.5, 9, "5", "9.0", "many", true])
        set("app", ["2.0.0", "1.9", "2.1-beta", "v3", 2])
        set("address", ["10.0.0.1", "10.1.2.3", "11.0.0.1", "::1", "none"])
        return subject
    }

    @Test(
        "No unit is in two experiments that are proved apart, or in one that no unit can enter",
        arguments: 1...40 * factor)
    func proofsHold(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let parsed = Self.conditions.compactMap {
            ConditionParser.parse($0, segments: SegmentTable()).condition
        }
        try #require(parsed.count == Self.conditions.count)
        let definitions = RandomDefinitions.make(&random, audience: { $0.pick(parsed) })
        let plan = Plan(definitions)
        var proof = OverlapProof(definitions.experiments)
        let pairs = definitions.experiments.indices.flatMap { left in
            definitions.experiments.indices.filter { $0 > left }.map { (left, $0) }
        }
        let apart = pairs.filter { proof.separation(of: $0, $1) != nil }
        let empty = definitions.experiments.indices.filter {
            proof.contradiction(inAudienceOf: $0).map { !$0.admitsList } ?? false
        }
        for _ in 0..<200 {
            let subject = Self.subject(&random)
            let instant = Instant(seconds: Int64.random(in: -1...31, using: &random))
            let decisions = plan.decide(subject, at: instant).decisions
            for (left, right) in apart {
                let areBoth = decisions[left].variant != nil && decisions[right].variant != nil
                #expect(!areBoth, "\(plan.experiments[left].key) and \(plan.experiments[right].key): \(subject)")
            }
            for index in empty {
                #expect(decisions[index].variant == nil, "\(plan.experiments[index].key): \(subject)")
            }
        }
    }
}
