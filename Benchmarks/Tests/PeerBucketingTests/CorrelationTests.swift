import Allot
import AllotAnalysis
import AllotStatistics
import PeerBucketing
import Testing

/// What is known of weak hashes shows: how alike two experiments divide the same users in halves.
struct CorrelationTests {
    private static func phi(_ system: any PeerSystem, _ left: String, _ right: String, unitCount: Int = 20_000) throws
        -> Double
    {
        let salts = try [left, right].map { try #require(Salt($0)) }
        let half = UInt32(system.bucketCount / 2)
        let source = GeneratedUnits(.uuid, count: unitCount)
        var block = UnitBlock()
        var buckets = salts.map { _ in UnitBuckets(count: unitCount) }
        var table = [[0, 0], [0, 0]]
        while source.next(into: &block) != nil {
            for index in salts.indices { system.fill(&buckets[index], for: block, under: .sha256(salts[index])) }
            for unit in 0..<block.count {
                table[buckets[0].second[unit] < half ? 0 : 1][buckets[1].second[unit] < half ? 0 : 1] += 1
            }
        }
        return try IndependenceTest(table: table).phi
    }

    @Test("Growth book version1 correlates")
    func growthBookVersion1Correlates() throws {
        #expect(try abs(Self.phi(#require(Peers.named("GrowthBook v1")), "exp-1", "exp-9") - 0.77) < 0.02)
    }

    @Test("Crc32 with the salt first is one decision")
    func crc32WithTheSaltFirstIsOneDecision() throws {
        #expect(try abs(Self.phi(CRC32Prefix(), "exp-1", "exp-2") - 1) < 1e-12)
        #expect(try abs(Self.phi(CRC32Prefix(), "exp-1", "exp-9") + 1) < 1e-12)
    }

    /// Six standard deviations of chance.
    @Test(
        "Others do not",
        arguments: ["GrowthBook v2", "Optimizely", "Unleash variants", "PlanOut", "Statsig user bucket"])
    func othersDoNot(_ name: String) throws {
        let system = try #require(Peers.named(name))
        #expect(try abs(Self.phi(system, "exp-1", "exp-9")) < 6 / 20_000.0.squareRoot())
    }
}
