import PeerBucketing
import Testing

/// Cases that the systems publish for those who write an SDK.
@Suite struct PublishedCaseTests {
    struct Case: Sendable {
        let salt: String
        let unit: String
        let value: Double

        init(_ salt: String, _ unit: String, _ value: Double) {
            (self.salt, self.unit, self.value) = (salt, unit, value)
        }
    }

    /// The cases "hash" of GrowthBook's SDK specification, `cases.json`, but for the one of an unknown version.
    @Test(arguments: [
        Case("", "a", 0.22), Case("", "b", 0.077), Case("b", "a", 0.946), Case("ef", "d", 0.652),
        Case("asdf", "8952klfjas09ujk", 0.549), Case("", "123", 0.011), Case("", "___)((*\":&", 0.563),
    ])
    func growthBookVersion1(_ expected: Case) {
        #expect(Double(GrowthBook(.v1).bucket(of: expected.unit, under: expected.salt)) / 1000 == expected.value)
    }

    @Test(arguments: [
        Case("seed", "a", 0.0505), Case("seed", "b", 0.2696), Case("foo", "ab", 0.2575), Case("foo", "def", 0.2019),
        Case("89123klj", "8952klfjas09ujkasdf", 0.124), Case("90850943850283058242805", "123", 0.7516),
        Case("()**(%$##$%#$#", "___)((*\":&", 0.0128),
    ])
    func growthBookVersion2(_ expected: Case) {
        #expect(Double(GrowthBook(.v2).bucket(of: expected.unit, under: expected.salt)) / 10_000 == expected.value)
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
    func optimizely(_ expected: Case) {
        #expect(Double(Optimizely().bucket(of: expected.unit, under: expected.salt)) == expected.value)
    }

    /// The unit tests of Unleash's SDKs; the first two also with seed 86028157, modulo 100, which here is 1000.
    @Test("Unleash", arguments: [Case("gr1", "123", 73), Case("groupX", "999", 25)])
    func unleash(_ expected: Case) {
        #expect(Double(Unleash(.rollout).bucket(of: expected.unit, under: expected.salt)) + 1 == expected.value)
    }

    @Test("Unleash variants", arguments: [Case("gr1", "123", 96), Case("groupX", "999", 60)])
    func unleashVariants(_ expected: Case) {
        let bucket = Unleash(.variants).bucket(of: expected.unit, under: expected.salt)
        #expect(Double(bucket % 100) + 1 == expected.value)
    }

    /// The bucketing tests of LaunchDarkly's SDKs: key and salt of a flag, then the seed of an experiment.
    @Test(
        "Launch darkly",
        arguments: [
            Case("hashKey.saltyA", "userKeyA", 0.42157587), Case("hashKey.saltyA", "userKeyB", 0.6708485),
            Case("hashKey.saltyA", "userKeyC", 0.10343106), Case("61", "userKeyA", 0.09801207),
            Case("61", "userKeyB", 0.14483777), Case("61", "userKeyC", 0.9242641),
        ])
    func launchDarkly(_ expected: Case) {
        let fraction = LaunchDarkly.fraction(Array("\(expected.salt).\(expected.unit)".utf8).span)
        #expect(abs(fraction - expected.value) < 1e-7)
        #expect(LaunchDarkly().bucket(of: expected.unit, under: expected.salt) == UInt32(fraction * 100_000))
    }
}
