import AllotCore
import AllotStatistics
import Testing

@testable import AllotAnalysis

/// Good bucketing is found good, and each kind of bad bucketing bad, for the right reason.
struct VerdictTests {
    private static func randomisations() throws -> [Randomisation] {
        [try .experiment("a"), try .experiment("b", traffic: 300_000), try .gate(.holdout, "h", share: 100_000)]
    }

    private static func report(
        _ function: any BucketingFunction, units: Int = 20_000
    ) async throws -> DistributionReport {
        var study = DistributionStudy(try randomisations(), salts: 200)
        study.function = function
        return try await study.report(units: units)
    }

    @Test("Allot has no findings", arguments: UnitShape.allCases)
    func allotIsFine(shape: UnitShape) async throws {
        let study = DistributionStudy(try Self.randomisations(), salts: 100)
        let report = try await study.report(shape, units: 20_000)
        #expect(report.isFine)
        #expect(report.verdict.hasPrefix("No fault found: "))
        // 2 for all salts, 3 counts, 3 + 2 buckets, 2 independences, 3 pairs, 3 rates and their distribution.
        #expect(report.testCount == 19)
        let trial = try #require(report.samples[0].trial)
        #expect(trial.levels.allSatisfy { $0.isInside })
    }

    @Test("One unit ID proves nothing")
    func oneUnitID() async throws {
        let report = try await DistributionStudy(try Self.randomisations(), salts: 100).report(units: 1)
        #expect(report.isFine)
        #expect(!report.verdict.contains("No fault found"))
    }

    private static let always = Salt("always").map(UnitHash.sha256)

    /// The buckets of a unit under a salt that does not count.
    private static func unsalted(_ unitID: String) -> (first: Int, second: Int) {
        always.map { SlowBucketing.allot(unitID, $0) } ?? (first: 0, second: 0)
    }

    /// Faults by the findings that they must have and those that they must not have.
    private static let faults: [(function: SlowBucketing, units: Int, found: [String], notFound: [String])] = [
        (
            SlowBucketing { unitID, hash in
                let buckets = SlowBucketing.allot(unitID, hash)
                return (buckets.first, buckets.second < 20_000 ? buckets.second + 500_000 : buckets.second)
            }, 20_000,
            [
                "the second buckets of all salts are not uniform", "the counts of experiment a do not fit its shares",
                "the second buckets of experiment a are not uniform",
            ], ["the first buckets of all salts are not uniform", "depend on each other"]
        ),
        (
            SlowBucketing { unitID, _ in unsalted(unitID) }, 20_000,
            ["experiment a and experiment b depend on each other", "experiment b and holdout h depend on each other"],
            ["the counts of experiment a do not fit its shares"]
        ),
        // A salt that moves every bucket by the same step leaves experiments dependent.
        (
            SlowBucketing { unitID, hash in
                let shift = hash.salt.utf8.reduce(0) { $0 * 31 + Int($1) } * 7919
                let buckets = unsalted(unitID)
                return ((buckets.first + shift) % 1_000_000, (buckets.second + shift) % 1_000_000)
            }, 20_000, ["experiment a and "], []
        ),
        (
            SlowBucketing { unitID, hash in
                let buckets = SlowBucketing.allot(unitID, hash)
                return (buckets.first, (buckets.first + buckets.second / 2) % 1_000_000)
            }, 20_000, ["enrolment and variant of experiment b depend on each other"], []
        ),
        // Alternate units alternate between the halves: too even to be random.
        (
            SlowBucketing { unitID, hash in
                let isOdd = (Int(unitID) ?? 0) % 2 == 1
                let half = SlowBucketing.allot(unitID, hash).second / 2
                return (SlowBucketing.allot(unitID, hash).first, isOdd ? half : half + 500_000)
            }, 20_000,
            [
                "the p-values of A/A comparisons are not uniform", "experiment a and experiment b depend on each other",
            ], []
        ),
        // The halves of A/A comparisons are uneven.
        (
            SlowBucketing { unitID, hash in
                let buckets = SlowBucketing.allot(unitID, hash)
                guard hash.salt.hasPrefix("aa-") else { return buckets }
                return (0, buckets.second * 9 / 10)
            }, 20_000,
            [
                "A/A comparisons at 5% find too many or too few differences",
                "the p-values of A/A comparisons are not uniform",
            ], []
        ),
        // Of fifty buckets one is met: shares, pairs and A/A comparisons cannot see it, the buckets can.
        (
            SlowBucketing { unitID, hash in
                let buckets = SlowBucketing.allot(unitID, hash)
                return (buckets.first / 50 * 50, buckets.second)
            }, 60_000, ["the first buckets of all salts are not uniform"], ["experiment", "holdout", "A/A", "second"]
        ),
    ]

    @Test("Each kind of bad bucketing is found for its own reason", arguments: VerdictTests.faults.indices)
    func badBucketing(index: Int) async throws {
        let (function, units, found, notFound) = Self.faults[index]
        let report = try await Self.report(function, units: units)
        #expect(!report.isFine)
        #expect(report.verdict.hasPrefix("Something is wrong: "))
        let isOutside = report.samples[0].trial?.levels.contains { !$0.isInside }
        #expect(report.textLines.contains { $0.hasSuffix("OUTSIDE") } == isOutside)
        let texts = report.findings.map(\.text)
        for text in found { #expect(texts.contains { $0.hasPrefix(text) }, "\(text)") }
        for text in notFound { #expect(!texts.contains { $0.contains(text) }, "\(text)") }
    }

    @Test("One salt of two experiments is found")
    func oneSaltForTwoExperiments() async throws {
        let randomisations: [Randomisation] = [
            try .experiment("a", salt: "same"), try .experiment("b"), try .experiment("c", salt: "same", variants: 3),
        ]
        let report = try await DistributionStudy(randomisations, salts: 0).report(units: 20_000)
        #expect(
            report.verdict == """
                Something is wrong: experiment a and experiment c have one salt, "same", so that units get the same \
                buckets in both.
                """)
        #expect(report.findings.count == 1)
        let pair = try #require(report.samples[0].pairs.first { $0.sharesSalt })
        #expect([pair.left, pair.right] == [0, 2])
        #expect(report.samples[0].pairs.count { $0.sharesSalt } == 1)
        // The buckets of the salt count once among all salts.
        #expect(report.samples[0].uniformity[1].drawCount == 40_000)
    }

    @Test("One salt of three experiments is found")
    func threeWithOneSalt() async throws {
        let randomisations = try ["a", "b", "c"].map { try Randomisation.experiment($0, salt: "s") }
        let report = try await DistributionStudy(randomisations, salts: 0).report(units: 1000)
        #expect(
            report.findings.map { "\($0)" } == [
                """
                experiment a, experiment b and experiment c have one salt, "s", so that units get the same buckets in \
                all of them
                """
            ])
    }

    /// Experiments of one layer never meet, but that is not the fault of their salts.
    @Test("Experiments of one layer are not dependent")
    func oneLayerIsNotADependence() async throws {
        let randomisations: [Randomisation] = [
            try .experiment("a"), try .experiment("b"), try .gate(.layer, "l", share: 500_000),
        ]
        #expect(try await DistributionStudy(randomisations, salts: 0).report(units: 40_000).isFine)
    }

    @Test("Too few units leave nothing to test")
    func tooFewUnits() async throws {
        let report = try await DistributionStudy(try Self.randomisations(), salts: 0).report(units: 3)
        #expect(report.testCount == 0)
        #expect(report.verdict == "No test was possible: every test needs more unit IDs.")
        #expect(report.samples[0].divisions.allSatisfy { $0.shares == nil && $0.firstBuckets == nil })
    }

    @Test("Nothing to randomise leaves nothing to test")
    func nothingRandomised() async throws {
        var study = DistributionStudy([])
        study.saltCount = 100
        let report = try await study.report(units: 1000)
        #expect(report.testCount == 4)
        #expect(report.isFine)
        #expect(report.page.contains("</html>"))
    }

    /// A function with one bucket, and few of them, as other systems have.
    @Test("A function with one bucket is rejected")
    func aFunctionWithOneBucket() async throws {
        let function = SlowBucketing(bucketCount: 100, hasEnrolmentBucket: false) { unitID, salt in
            (Int.max >> 40, SlowBucketing.allot(unitID, salt).second / 10_000)
        }
        let report = try await Self.report(function)
        #expect(report.isFine)
        #expect(report.samples[0].uniformity.map(\.bucket) == [.second])
        #expect(report.samples[0].uniformity[0].cellCount == 100)
        #expect(report.samples[0].divisions.allSatisfy { $0.firstBuckets == nil && $0.independence == nil })
        // Traffic needs a bucket of its own.
        #expect(report.samples[0].divisions[1].categories.map(\.name) == ["v0", "v1"])
    }

    /// Holm's correction goes over all samples.
    @Test("Tests of several samples are corrected together")
    func severalSamples() async throws {
        let study = DistributionStudy(try Self.randomisations(), salts: 0)
        let one = try await study.sample(GeneratedUnits(.hex, count: 20_000))
        let single = DistributionReport(study, samples: [one])
        let double = DistributionReport(study, samples: [one, one])
        #expect(double.testCount == 2 * single.testCount)
        #expect(double.summaries.map(\.testCount) == [single.testCount, single.testCount])
        let smallest = try #require(single.smallest)
        #expect(double.smallest?.pValue == smallest.pValue)
        #expect(try #require(double.smallest).adjustedPValue >= smallest.adjustedPValue)
        let lenient = DistributionReport(study, samples: [one], alarmLevel: 0.9999999)
        #expect(lenient.findings.isEmpty == (smallest.adjustedPValue >= PValue(0.9999999)))
    }
}
