import AllotCore
import Synchronization
import Testing

@testable import AllotAnalysis

/// Adds up the numbers of several threads.
final class Counter: Sendable {
    private let total = Atomic<Int>(0)

    func add(_ number: Int) {
        total.add(number, ordering: .relaxed)
    }

    var sum: Int { total.load(ordering: .relaxed) }
}

/// A bucketing function of the tests: what one unit ID gives under a salt.
struct SlowBucketing: BucketingFunction {
    let name = "slow"
    var bucketCount = Bucketing.bucketCount
    var hasEnrolmentBucket = true
    let buckets: @Sendable (_ unitID: String, _ hash: UnitHash) -> (first: Int, second: Int)

    func fill(_ buckets: inout UnitBuckets, for units: UnitBlock, under hash: UnitHash) {
        for index in 0..<units.count {
            let pair = self.buckets(String(decoding: units.bytes[units[index]], as: UTF8.self), hash)
            buckets.first[index] = UInt32(pair.first)
            buckets.second[index] = UInt32(pair.second)
        }
    }

    /// Allot's buckets, one unit ID at a time.
    static func allot(_ unitID: String, _ hash: UnitHash) -> (first: Int, second: Int) {
        let pair = PreparedHash(hash).buckets(of: unitID)
        return (pair.first, pair.second)
    }
}

extension Randomisation {
    /// An experiment with variants of equal share.
    static func experiment(
        _ name: String, salt: String? = nil, variants: Int = 2, traffic: Int = Bucketing.bucketCount
    ) throws -> Randomisation {
        let bounds = (0...variants).map { $0 * Bucketing.bucketCount / variants }
        let categories = zip(bounds, bounds.dropFirst()).enumerated().map { index, ends in
            Category("v\(index)", [ends.0..<ends.1])
        }
        return Randomisation(
            .experiment, name: name, hash: .sha256(try #require(Salt(salt ?? name))), traffic: traffic,
            categories: categories)
    }

    /// A layer or a holdout that takes the first buckets.
    static func gate(_ kind: Kind, _ name: String, share: Int) throws -> Randomisation {
        Randomisation(
            kind, name: name, hash: .sha256(try #require(Salt(name))), decidedBy: .first,
            categories: [Category("in", [0..<share])], remainderName: "out")
    }

    /// The category of a pair of buckets by the definition: a bucket is a place in 0 ..< 1.
    func category(
        of buckets: (first: Int, second: Int), among count: Int = Bucketing.bucketCount, hasEnrolment: Bool = true
    ) -> String {
        func millionth(_ bucket: Int) -> Int { bucket * 1_000_000 / count }
        let deciding = millionth(decidedBy == .first && hasEnrolment ? buckets.first : buckets.second)
        guard !hasEnrolment || millionth(buckets.first) < traffic else { return remainderName }
        return categories.first { $0.ranges.contains { $0.contains(deciding) } }?.name ?? remainderName
    }
}

extension DistributionStudy {
    /// A study with some A/A comparisons.
    init(_ randomisations: [Randomisation], salts: Int, of saltUnits: Int = 1000) {
        self.init(randomisations)
        (saltCount, saltUnitCount) = (salts, saltUnits)
    }

    /// The report on generated unit IDs.
    func report(_ shape: UnitShape = .sequential, units: Int) async throws -> DistributionReport {
        DistributionReport(self, samples: [try await sample(GeneratedUnits(shape, count: units, seed: seed))])
    }
}
