import AllotConfiguration
import AllotCore
import Testing

@testable import AllotAnalysis

/// Other systems' hashes under the tests of distributions.
struct SchemeBucketingTests {
    private static let own = "{ status: running, variants: [ { key: a }, { key: b } ] }"

    private static func moved(_ scheme: HashScheme, _ more: String = "", of count: Int) -> String {
        "{ status: running, hash: \(scheme.rawValue), salt: 'a b', \(more) "
            + "variants: [ { key: a, buckets: [0..<\(count / 2)] }, { key: b, buckets: [\(count / 2)..<\(count)] } ] }"
    }

    @Test("A hash is tested with the experiments that have it, else with all as if they had it")
    func choosesRandomisations() throws {
        let plan = try Plan.of(["own.yaml": Self.own, "moved.yaml": Self.moved(.growthbook2, of: 10_000)])
        let ownStudy = try Randomisation.study(of: plan)
        #expect(ownStudy.randomisations.map(\.name) == ["own"])
        #expect(
            ownStudy.leftOut == [
                "Left out is what has another hash; choose the hash growthbook/2 to test it: experiment moved."
            ])
        let movedStudy = try Randomisation.study(of: plan, scheme: .growthbook2)
        #expect(movedStudy.randomisations.map(\.name) == ["moved"])
        #expect(movedStudy.function.name == "growthbook/2")
        #expect(try Randomisation.study(of: plan, selection: [0]).function.name == "growthbook/2")
        let other = try Randomisation.study(of: plan, scheme: .eppo1)
        #expect(other.randomisations.map(\.name) == ["own"])
        #expect(other.function.bucketCount == 10_000)
    }

    @Test("Different numbers of buckets, and hashes that need to be named, are errors")
    func refuses() throws {
        let plan = try Plan.of([
            "one.yaml": Self.moved(.eppo1, of: 10_000),
            "two.yaml": Self.moved(.eppo1, "resolution: 1000,", of: 1000),
        ])
        let mixed = #expect(throws: AnalysisError.self) { try Randomisation.study(of: plan, scheme: .eppo1) }
        #expect(mixed?.description.contains("different numbers of buckets (1000, 10000)") == true)
        let unnamed = #expect(throws: AnalysisError.self) { try Randomisation.study(of: plan) }
        #expect(unnamed?.description == "only hashes of other systems are used here; choose one to test: eppo/1")
        #expect(try Randomisation.study(of: plan, scheme: .eppo1, selection: [1]).function.bucketCount == 1000)
    }

    @Test("Every hash gives its own numbers, and one of 60 bits equal parts of them", arguments: HashScheme.allCases)
    func fillsNumbers(scheme: HashScheme) throws {
        guard scheme != .sha256 else { return }
        let function = SchemeBucketing(scheme)
        var block = UnitBlock()
        _ = GeneratedUnits(.email, count: 100, seed: 1).next(into: &block)
        var buckets = UnitBuckets(count: block.count)
        let salt = try #require(Salt("salt"))
        function.fill(&buckets, for: block, under: .sha256(salt))
        let hash = try #require(ForeignHash(scheme, salt: "salt"))
        for index in 0..<block.count {
            let unit = String(decoding: block.bytes[block[index]], as: UTF8.self)
            #expect(Int(buckets.second[index]) == hash.number(of: unit) / (hash.resolution / function.bucketCount))
        }
    }
}
