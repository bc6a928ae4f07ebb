import AllotCore
import AllotStatistics
import Foundation
import Testing

/// A ramp must not decide who gets which variant: the step at which a unit enters and the variant that it has are
/// independent, and no unit changes its variant on the way.
///
/// `ALLOT_RAMP_UNITS` sets the number of units; the published numbers are those of 1,000,000.
struct RampIndependenceTests {
    private static let units = ProcessInfo.processInfo.environment["ALLOT_RAMP_UNITS"].flatMap(Int.init) ?? 30_000
    private static let shares = [10_000, 100_000, 500_000, 1_000_000]
    private static let variants = 4

    /// What a ramp does: by variant in the end and step of entry the number of units, and how many changed variants.
    private struct Outcome {
        var table = Array(repeating: Array(repeating: 0, count: shares.count), count: variants)
        var moved = 0

        /// - Parameter variant: The variant of a unit while a share is enrolled; `nil` for none.
        init(_ variant: (_ unit: Int, _ share: Int) -> Int?) throws {
            for unit in 0..<RampIndependenceTests.units {
                let seen = RampIndependenceTests.shares.map { variant(unit, $0) }
                let step = try #require(seen.firstIndex { $0 != nil })
                let last = try #require(seen[seen.count - 1])
                table[last][step] += 1
                moved += seen[step...].contains { $0 != last } ? 1 : 0
            }
        }

        func test() throws -> IndependenceTest { try IndependenceTest(table: table) }
    }

    private static func name(_ unit: Int) -> String { "user-\(unit)" }

    @Test("The variant of a unit does not depend on the step at which it entered")
    func twoBuckets() throws {
        let hash = SaltedHash(try #require(Salt("checkout-button")))
        var pairs: [BucketPair] = []
        for unit in 0..<Self.units { pairs.append(hash.buckets(of: Self.name(unit))) }
        let outcome = try Outcome { unit, share in
            pairs[unit].first < share ? pairs[unit].second * Self.variants / 1_000_000 : nil
        }
        let test = try outcome.test()
        #expect(test.degreesOfFreedom == 9)
        #expect(test.pValue.value > 0.001, "chi-square \(test.statistic), p \(test.pValue.value)")
        #expect(outcome.moved == 0)
    }

    @Test("An engine that enrols and assigns by one hash fails: those who enter first all get the first variant")
    func oneHash() throws {
        let hash = SaltedHash(try #require(Salt("checkout-button")))
        let outcome = try Outcome { unit, share in
            let bucket = hash.buckets(of: Self.name(unit)).first
            return bucket < share ? bucket * Self.variants / 1_000_000 : nil
        }
        let test = try outcome.test()
        #expect(test.pValue.value < 1e-100)
        #expect(outcome.moved == 0)
    }

    @Test("A rollout within a fraction, as with flagd, fails as well, and moves units between variants")
    func rolloutInFraction() throws {
        let hash = try #require(ForeignHash(.flagd1, salt: "checkout-button", resolution: 1_000_000))
        let outcome = try Outcome { unit, share in
            let bucket = hash.number(of: Self.name(unit))
            // Four equal weights that come to the share, and the rest for no variant.
            return bucket < share ? bucket * Self.variants / share : nil
        }
        let test = try outcome.test()
        #expect(test.pValue.value < 1e-100)
        #expect(outcome.moved > Self.units / 5)
    }
}
