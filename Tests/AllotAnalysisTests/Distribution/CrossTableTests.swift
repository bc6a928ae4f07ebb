import AllotCore
import Testing

@testable import AllotAnalysis

/// What bit sets and threads count, against counting unit by unit.
struct CrossTableTests {
    private static func randomisations() throws -> [Randomisation] {
        [
            try .experiment("a"), try .experiment("b", variants: 3, traffic: 400_000),
            try .experiment("c", variants: 5), try .gate(.layer, "l", share: 300_000),
            try .gate(.holdout, "h", share: 20_000),
        ]
    }

    /// More than a block, and no multiple of 64.
    @Test("Cross tables agree with an oracle", arguments: [1, 63, 64, 129, 20_001])
    func againstAnOracle(unitCount: Int) async throws {
        let randomisations = try Self.randomisations()
        let sample = try await DistributionStudy(randomisations, salts: 0).sample(
            GeneratedUnits(.email, count: unitCount))
        let units = (0..<unitCount).map { UnitShape.email.unitID($0) }
        let categories = randomisations.map { randomisation in
            units.map { randomisation.category(of: SlowBucketing.allot($0, randomisation.hash)) }
        }
        #expect(sample.unitCount == unitCount)
        for (division, expected) in zip(sample.divisions, categories) {
            for category in division.categories {
                #expect(category.count == expected.count { $0 == category.name })
            }
        }
        #expect(sample.pairs.count == 10)
        for pair in sample.pairs {
            let names = [pair.left, pair.right].map { sample.divisions[$0].categories.map(\.name) }
            let expected = names[0].map { row in
                names[1].map { column in
                    units.indices.count { categories[pair.left][$0] == row && categories[pair.right][$0] == column }
                }
            }
            #expect(sample.table(of: pair) == expected)
        }
    }

    /// The same buckets through another function that is called unit by unit.
    @Test("Another function with the same buckets gives the same tables")
    func anotherFunctionWithTheSameBuckets() async throws {
        var study = DistributionStudy(try Self.randomisations(), salts: 50, of: 500)
        let fast = try await study.report(.unicode, units: 5000)
        study.function = SlowBucketing(buckets: SlowBucketing.allot)
        let slow = try await study.report(.unicode, units: 5000)
        #expect(fast.samples.map(\.json) == slow.samples.map(\.json))
    }

    @Test("The number of tasks does not change the tables", arguments: [2, 8])
    func theSameForAnyNumberOfTasks(taskCount: Int) async throws {
        var study = DistributionStudy(try Self.randomisations(), salts: 10, of: 17_000)
        let one = try await study.report(.uuid, units: 40_000)
        study.taskCount = taskCount
        let several = try await study.report(.uuid, units: 40_000)
        #expect(one.json == several.json)
        #expect(one.textLines == several.textLines)
        #expect(one.page == several.page)
        #expect(one.isFine)
    }

    @Test("Progress adds up to the number of hashes")
    func progressAddsUpToAllHashes() async throws {
        let study = DistributionStudy(try Self.randomisations(), salts: 40, of: 1000)
        let source = GeneratedUnits(.hex, count: 20_000)
        let counter = Counter()
        _ = try await study.sample(source) { counter.add($0) }
        #expect(counter.sum == 20_000 * 5 + 40 * 1000)
        #expect(study.hashCount(of: [source]) == counter.sum)
    }
}
