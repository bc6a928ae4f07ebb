import Testing

@testable import AllotCore

/// Cases that other systems publish for those who write an SDK.
struct PublishedHashCaseTests {
    struct Case: Sendable {
        let scheme: HashScheme
        let salt: String
        let unit: String
        /// The number, or the fraction of all numbers.
        let value: Double

        init(_ scheme: HashScheme, _ salt: String, _ unit: String, _ value: Double) {
            (self.scheme, self.salt, self.unit, self.value) = (scheme, salt, unit, value)
        }
    }

    @Test(
        "A published fraction is that of the number",
        arguments: [
            // The cases "hash" of GrowthBook's SDK specification, `cases.json`, but for those without a seed.
            Case(.growthbook1, "b", "a", 0.946), Case(.growthbook1, "ef", "d", 0.652),
            Case(.growthbook1, "asdf", "8952klfjas09ujk", 0.549), Case(.growthbook2, "seed", "a", 0.0505),
            Case(.growthbook2, "seed", "b", 0.2696), Case(.growthbook2, "foo", "ab", 0.2575),
            Case(.growthbook2, "foo", "def", 0.2019), Case(.growthbook2, "89123klj", "8952klfjas09ujkasdf", 0.124),
            Case(.growthbook2, "90850943850283058242805", "123", 0.7516),
            Case(.growthbook2, "()**(%$##$%#$#", "___)((*\":&", 0.0128),
            // PlanOut 0.6.0 (PyPI): `a = Assignment("exp-1"); a.variant = RandomFloat(min=0, max=1, unit="1")`
            Case(.planout1, "exp-1.variant", "1", 0.6669864548409482),
        ])
    func fractions(_ expected: Case) throws {
        let number = try #require(ForeignHash(expected.scheme, salt: expected.salt)).number(of: expected.unit)
        #expect(expected.scheme.fraction(ofBucket: number) == expected.value)
    }

    /// The bucketing tests of LaunchDarkly's SDKs: key and salt of a flag, then the seed of an experiment.
    @Test(
        "LaunchDarkly's fractions in single precision are those of the number",
        arguments: [
            ("hashKey.saltyA", "userKeyA", 0.42157587), ("hashKey.saltyA", "userKeyB", 0.6708485),
            ("hashKey.saltyA", "userKeyC", 0.10343106), ("61", "userKeyA", 0.09801207),
            ("61", "userKeyB", 0.14483777), ("61", "userKeyC", 0.9242641),
        ])
    func launchDarkly(salt: String, unit: String, value: Double) throws {
        let number = try #require(ForeignHash(.launchdarkly1, salt: salt)).number(of: unit)
        #expect(abs(HashScheme.launchdarkly1.fraction(ofBucket: number) - value) < 1e-7)
    }

    @Test(
        "A published number is that of the hash",
        arguments: [
            // `test_bucketing.py` of Optimizely's SDK for Python.
            Case(.optimizely1, "1886780721", "ppid1", 5254), Case(.optimizely1, "1886780721", "ppid2", 4299),
            Case(.optimizely1, "1886780722", "ppid2", 2434), Case(.optimizely1, "1886780721", "ppid3", 5439),
            Case(.optimizely1, "1886780721", "a\(String(repeating: " very", count: 15)) long ppd string", 6128),
            // The unit tests of Unleash's SDKs, which count from 1.
            Case(.unleash1, "gr1", "123", 72), Case(.unleash1, "groupX", "999", 24),
            Case(.unleashVariants1, "gr1", "123", 95), Case(.unleashVariants1, "groupX", "999", 59),
        ])
    func numbers(_ expected: Case) throws {
        let resolution = expected.scheme == .unleashVariants1 ? 100 : nil
        let hash = try #require(ForeignHash(expected.scheme, salt: expected.salt, resolution: resolution))
        #expect(Double(hash.number(of: expected.unit)) == expected.value)
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
