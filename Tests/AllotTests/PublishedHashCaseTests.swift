import Testing

@testable import AllotCore

/// Cases that other systems publish for those who write an SDK.
struct PublishedHashCaseTests {
    struct Case: Sendable {
        let salt: String
        let unit: String
        let value: Double

        init(_ salt: String, _ unit: String, _ value: Double) {
            (self.salt, self.unit, self.value) = (salt, unit, value)
        }
    }

    private func number(_ scheme: HashScheme, _ expected: Case, resolution: Int? = nil) throws -> Int {
        try #require(ForeignHash(scheme, salt: expected.salt, resolution: resolution)).number(of: expected.unit)
    }

    /// The cases "hash" of GrowthBook's SDK specification, `cases.json`, but for those without a seed.
    @Test(
        "GrowthBook's hash version 1",
        arguments: [
            Case("b", "a", 0.946), Case("ef", "d", 0.652), Case("asdf", "8952klfjas09ujk", 0.549),
        ])
    func growthBookVersion1(_ expected: Case) throws {
        #expect(HashScheme.growthbook1.fraction(ofBucket: try number(.growthbook1, expected)) == expected.value)
    }

    @Test(
        "GrowthBook's hash version 2",
        arguments: [
            Case("seed", "a", 0.0505), Case("seed", "b", 0.2696), Case("foo", "ab", 0.2575), Case("foo", "def", 0.2019),
            Case("89123klj", "8952klfjas09ujkasdf", 0.124), Case("90850943850283058242805", "123", 0.7516),
            Case("()**(%$##$%#$#", "___)((*\":&", 0.0128),
        ])
    func growthBookVersion2(_ expected: Case) throws {
        #expect(HashScheme.growthbook2.fraction(ofBucket: try number(.growthbook2, expected)) == expected.value)
    }

    /// `test_bucketing.py` of Optimizely's SDK for Python.
    @Test(
        "Optimizely",
        arguments: [
            Case("1886780721", "ppid1", 5254), Case("1886780721", "ppid2", 4299), Case("1886780722", "ppid2", 2434),
            Case("1886780721", "ppid3", 5439),
            Case(
                "1886780721",
                "a very very very very very very very very very very very very very very very long ppd string", 6128),
        ])
    func optimizely(_ expected: Case) throws {
        #expect(Double(try number(.optimizely1, expected)) == expected.value)
    }

    /// The unit tests of Unleash's SDKs, which count from 1.
    @Test("Unleash's rollouts", arguments: [Case("gr1", "123", 73), Case("groupX", "999", 25)])
    func unleash(_ expected: Case) throws {
        #expect(Double(try number(.unleash1, expected)) + 1 == expected.value)
    }

    @Test("Unleash's variants", arguments: [Case("gr1", "123", 96), Case("groupX", "999", 60)])
    func unleashVariants(_ expected: Case) throws {
        #expect(Double(try number(.unleashVariants1, expected, resolution: 100)) + 1 == expected.value)
    }

    /// The bucketing tests of LaunchDarkly's SDKs: key and salt of a flag, then the seed of an experiment.
    @Test(
        "LaunchDarkly",
        arguments: [
            Case("hashKey.saltyA", "userKeyA", 0.42157587), Case("hashKey.saltyA", "userKeyB", 0.6708485),
            Case("hashKey.saltyA", "userKeyC", 0.10343106), Case("61", "userKeyA", 0.09801207),
            Case("61", "userKeyB", 0.14483777), Case("61", "userKeyC", 0.9242641),
        ])
    func launchDarkly(_ expected: Case) throws {
        let fraction = HashScheme.launchdarkly1.fraction(ofBucket: try number(.launchdarkly1, expected))
        #expect(abs(fraction - expected.value) < 1e-7)
    }

    /// PlanOut 0.6.0 (PyPI): `a = Assignment("exp-1"); a.variant = RandomFloat(min=0, max=1, unit="1")`
    @Test("PlanOut")
    func planOut() throws {
        let number = try number(.planout1, Case("exp-1.variant", "1", 0))
        #expect(HashScheme.planout1.fraction(ofBucket: number) == 0.6669864548409482)
    }

    /// Test vectors of draft-eastlake-fnv, appendix C.
    @Test("FNV-1a", arguments: [("", 0x811C_9DC5), ("a", 0xE40C_292C), ("foobar", 0xBF9C_F968)] as [(String, UInt32)])
    func fnv1a(_ message: String, _ expected: UInt32) {
        var hash = FNV1a()
        hash.add(Array(message.utf8).span)
        #expect(hash.value == expected)
    }

    /// SMHasher's verification value: hashes of 0, 1, … 255 bytes under the seeds 256, 255, … are hashed once more.
    @Test("MurmurHash3", arguments: [0, 1, 2, 3, 5])
    func murmurHash3(split: Int) {
        func hash(_ message: [UInt8], seed: UInt32) -> UInt32 {
            var hash = MurmurHash3(seed: seed)
            hash.add(message.span.extracting(first: min(split, message.count)))
            hash.add(message.span.extracting(droppingFirst: min(split, message.count)))
            return hash.value
        }
        var hashes: [UInt8] = []
        var key: [UInt8] = []
        for length in 0..<256 {
            let hash = hash(key, seed: UInt32(256 - length))
            for shift in [0, 8, 16, 24] as [UInt32] { hashes.append(UInt8(truncatingIfNeeded: hash >> shift)) }
            key.append(UInt8(length))
        }
        #expect(hash(hashes, seed: 0) == 0xB0F5_7EE3)
    }
}
