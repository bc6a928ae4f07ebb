import AllotCore
import AllotDefinitions
import TestSupport
import Testing

@testable import AllotAnalysis

struct CategoryMapTests {
    /// A randomisation with ranges anywhere, few or many.
    private static func random(_ random: inout SeededGenerator) throws -> Randomisation {
        let cuts = Set(
            (0..<Int.random(in: 1...60, using: &random)).map { _ in Int.random(in: 1..<999_999, using: &random) })
        let bounds = [0] + cuts.sorted() + [1_000_000]
        var ranges: [[Range<Int>]] = [[], [], []]
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            let owner = Int.random(in: 0...3, using: &random)
            if owner < 3 { ranges[owner].append(start..<end) }
        }
        return Randomisation(
            .experiment, name: "e", hash: .sha256(try #require(Salt("e"))),
            traffic: Bool.random(using: &random) ? 1_000_000 : Int.random(in: 1...999_999, using: &random),
            decidedBy: Bool.random(using: &random) ? .first : .second,
            categories: ranges.enumerated().map { Randomisation.Category("c\($0)", $1) })
    }

    @Test("Each bucket has the category of its range", arguments: 1...40)
    func categoriesOfBuckets(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let randomisation = try Self.random(&random)
        let bucketCount = [1_000_000, 10_000, 100, 1 << 20][seed % 4]
        let function = SlowBucketing(
            bucketCount: bucketCount, hasEnrolmentBucket: seed % 3 != 0, buckets: SlowBucketing.allot)
        let map = CategoryMap(randomisation, for: function)
        let count = 2000
        var buckets = UnitBuckets(count: count)
        for unit in 0..<count {
            buckets.first[unit] = UInt32.random(in: 0..<UInt32(bucketCount), using: &random)
            buckets.second[unit] = UInt32.random(in: 0..<UInt32(bucketCount), using: &random)
        }
        var categories = [UInt16](repeating: 0, count: count)
        map.fill(&categories, count: count, from: buckets)
        for unit in 0..<count {
            let expected = randomisation.category(
                of: (Int(buckets.first[unit]), Int(buckets.second[unit])), among: bucketCount,
                hasEnrolment: function.hasEnrolmentBucket)
            #expect(map.names[Int(categories[unit])] == expected)
        }
    }

    /// Shares by counting all pairs of buckets of a small function.
    @Test("Expected shares are exact", arguments: 1...20)
    func sharesAreExact(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        var randomisation = try Self.random(&random)
        if seed % 2 == 0 { randomisation = try .experiment("e", variants: 3, traffic: 333_333) }
        let function = SlowBucketing(bucketCount: 60, buckets: SlowBucketing.allot)
        let map = CategoryMap(randomisation, for: function)
        var counts: [String: Int] = [:]
        for first in 0..<60 {
            for second in 0..<60 {
                counts[randomisation.category(of: (first, second), among: 60), default: 0] += 1
            }
        }
        #expect(Dictionary(uniqueKeysWithValues: zip(map.names, map.shareNumerators)) == counts)
        #expect(map.shareDenominator == 3600)
        #expect(map.shareNumerators.reduce(0, +) == 3600)
    }

    @Test("The shares of Allot are those of the plan")
    func sharesOfAllot() throws {
        let map = CategoryMap(try .experiment("e", variants: 3, traffic: 125_000), for: AllotBucketing())
        #expect(map.names == ["v0", "v1", "v2", "not enrolled"])
        #expect(map.shareNumerators == [41_666_625_000, 41_666_625_000, 41_666_750_000, 875_000_000_000])
        #expect(map.shareDenominator == 1_000_000_000_000)
    }
}
