import AllotConfiguration
import AllotReports
import AllotStatistics

/// Everything a study has found on one or more samples, with one verdict.
///
/// All tests of all samples are corrected for one another by Holm's method (1979), which holds whatever the
/// dependence between them: if nothing is wrong, the probability of any alarm at all is at most ``alarmLevel``.
public struct DistributionReport: Sendable {
    let functionName: String
    /// The randomisations that were tested.
    public let randomisations: [Randomisation]
    let seed: UInt64
    /// A p-value below this after correction is an alarm.
    public let alarmLevel: Double
    /// The samples, with corrected p-values.
    public let samples: [DistributionSample]
    /// The number of tests that were corrected for one another.
    public let testCount: Int
    /// The smallest p-value, and what it is after correction; `nil` without tests.
    let smallest: TestResult?
    let leftOut: [String]
    /// The faults, the worst first.
    public let findings: [DistributionFinding]
    let summaries: [Summary]

    struct Summary: Sendable, Hashable {
        var testCount = 0
        var smallest: TestResult?
        var failureCount = 0
    }

    /// The alarm level unless the caller says otherwise, the same as for a sample ratio mismatch.
    public static let standardAlarmLevel = RatioTest.threshold

    /// Judges samples of a study, one for each shape of unit IDs; the alarm level is above 0 and below 1.
    public init(_ study: DistributionStudy, samples: [DistributionSample], alarmLevel: Double = standardAlarmLevel) {
        (functionName, randomisations) = (study.function.name, study.randomisations)
        (seed, leftOut, self.alarmLevel) = (study.seed, study.leftOut, alarmLevel)
        var samples = samples
        var tests: [TestResult] = []
        for index in samples.indices { samples[index].forEachTest { test, _ in tests.append(test) } }
        let adjusted = Holm.adjusted(tests.map(\.pValue))
        var place = 0
        var summaries = samples.map { _ in Summary() }
        var found: [(pValue: PValue, place: Int, finding: DistributionFinding)] = []
        for index in samples.indices {
            let name = samples[index].name
            samples[index].forEachTest { test, failure in
                test.adjustedPValue = adjusted[place]
                place += 1
                summaries[index].testCount += 1
                if summaries[index].smallest.map({ test.pValue < $0.pValue }) ?? true {
                    summaries[index].smallest = test
                }
                guard test.adjustedPValue < PValue(alarmLevel) else { return }
                summaries[index].failureCount += 1
                let finding = DistributionFinding(text: failure(), sample: name, adjustedPValue: test.adjustedPValue)
                found.append((test.adjustedPValue, place, finding))
            }
        }
        self.samples = samples
        testCount = tests.count
        self.summaries = summaries
        smallest = summaries.compactMap(\.smallest).min { $0.pValue < $1.pValue }
        let sorted = found.sorted { ($0.pValue, $0.place) < ($1.pValue, $1.place) }
        findings = Self.sharedSalts(study.randomisations) + sorted.map(\.finding)
    }

    /// Randomisations with one salt, which are one decision.
    private static func sharedSalts(_ randomisations: [Randomisation]) -> [DistributionFinding] {
        Dictionary(grouping: randomisations.indices) { randomisations[$0].hashedText }.values
            // The windows of a balanced pair are of one randomisation on purpose.
            .map { indices in indices.filter { !randomisations[$0].isMirrored } }.filter { $0.count > 1 }
            .sorted { ($0.first ?? 0) < ($1.first ?? 0) }
            .map { indices in
                let labels = indices.map { randomisations[$0].label }
                let names = labels.dropLast().joined(separator: ", ") + " and " + (labels.last ?? "")
                return DistributionFinding(
                    text:
                        "\(names) have one salt, \(QuotedText(randomisations[indices[0]].hash.salt)), so that units "
                        + "get the same buckets in \(indices.count == 2 ? "both" : "all of them")",
                    sample: nil, adjustedPValue: nil)
            }
    }

    package var isFine: Bool { findings.isEmpty }

    private var untested: String {
        let (count, all) = untestedCounts
        guard count > 0 else { return "" }
        let randomisations = NumberFormat.countedInGroups(all, "randomisation")
        return "; the counts of \(count) of \(randomisations) were too small to be tested"
    }

    private var untestedCounts: (count: Int, all: Int) {
        let divisions = samples.flatMap(\.divisions)
        return (divisions.count { $0.shares == nil }, divisions.count)
    }

    /// Whether anything is wrong, in one sentence.
    public var verdict: String {
        guard let worst = findings.first else {
            guard let smallest else { return "No test was possible: every test needs more unit IDs." }
            let tests = NumberFormat.countedInGroups(testCount, "test")
            let (count, all) = untestedCounts
            guard count < all || all == 0
            else { return "Too few unit IDs to say anything: \(tests) found no deviation\(untested)." }
            return "No fault found: \(tests) found no deviation (the smallest p-value is \(smallest.pValue), after "
                + "Holm's correction \(smallest.adjustedPValue); an alarm is below \(alarmLevel))\(untested)."
        }
        let others = findings.count - 1
        let rest = others == 0 ? "" : "; and \(NumberFormat.countedInGroups(others, "other finding"))"
        return "Something is wrong: \(worst.description)\(rest)."
    }
}

/// Something that is wrong.
public struct DistributionFinding: Sendable, Hashable, CustomStringConvertible {
    /// The fault: a clause that could follow a colon.
    let text: String
    /// The name of the sample that shows it; `nil` where no unit ID is needed to see it.
    let sample: String?
    /// The p-value of the test that fails, after Holm's correction; `nil` where no test is needed.
    let adjustedPValue: PValue?

    /// The clause with the sample and the p-value.
    public var description: String {
        let evidence = [sample, adjustedPValue.map { "adjusted p = \($0)" }].compactMap { $0 }
        return evidence.isEmpty ? text : "\(text) (\(evidence.joined(separator: "; ")))"
    }
}
