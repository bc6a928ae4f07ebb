import AllotConfiguration
import AllotReports
import AllotStatistics

extension DistributionReport {
    /// The report for a terminal, line by line: the verdict, then its grounds.
    package var textLines: [String] {
        headLines + samples.flatMap(\.textLines)
    }

    /// The number of findings and pairs that are shown; the JSON has all.
    fileprivate static let mostShown = 10

    private var headLines: [String] {
        var lines = [verdict]
        if findings.count > 1 { lines += findings.prefix(Self.mostShown).map { "  - \($0.description)" } }
        let more = findings.count - Self.mostShown
        if more > 0 { lines.append("  - \(NumberFormat.countedInGroups(more, "more finding")); the JSON has all") }
        lines += [
            "", "\(functionName): \(inventory), seed \(seed).",
            "Every unit goes through every randomisation by itself, whatever the status, schedule, audience and gates.",
        ]
        lines += notes
        guard samples.count > 1 else { return lines }
        let rows = zip(samples, summaries).map { sample, summary in
            [
                sample.name, NumberFormat.countedInGroups(sample.unitCount, "unit ID"),
                NumberFormat.countedInGroups(summary.testCount, "test"),
                "smallest p = \(summary.smallest.map { "\($0.pValue)" } ?? "–")",
                NumberFormat.countedInGroups(summary.failureCount, "failure"),
            ]
        }
        return lines + [""] + TextTable(rows, numberColumns: [1, 2, 4]).lines(indent: 2)
    }

    /// The number of randomisations of each kind: `9 experiments, 3 layers, 1 holdout`.
    var inventory: String {
        Randomisation.Kind.allCases.map { kind in
            NumberFormat.countedInGroups(randomisations.count { $0.kind == kind }, kind.rawValue)
        }.joined(separator: ", ")
    }

    var notes: [String] {
        var notes = leftOut
        let units = Set(randomisations.map(\.unit)).sorted().map { PrintableText($0).description }
        if units.count > 1 {
            notes.append("Units are randomised by \(units.joined(separator: ", ")); here all get the same unit IDs.")
        }
        let halved = randomisations.filter(\.isHalved).map(\.label)
        if !halved.isEmpty {
            notes.append(
                "Halves of the buckets are tested where there is nothing to divide: \(halved.joined(separator: ", ")).")
        }
        return notes
    }
}

extension DistributionSample {
    private static let bars = 20

    /// `1,000 unit IDs: sequential`
    var title: String {
        "\(NumberFormat.countedInGroups(unitCount, "unit ID")): \(name)"
    }

    /// The pairs that were tested, the smallest p-value first.
    var testedPairs: [(pair: PairResult, test: TestResult)] {
        pairs.filter { !$0.sharesSalt }.compactMap { pair in pair.test.map { (pair, $0) } }
            .sorted { $0.1.pValue == $1.1.pValue ? $0.0.crossOffset < $1.0.crossOffset : $0.1.pValue < $1.1.pValue }
    }

    /// How many pairs have a p-value below some thresholds, and how many should.
    var thresholdCells: [(threshold: Double, count: String, expected: String)] {
        let tested = testedPairs
        return [0.5, 0.1, 0.01, 0.001, 0.0001].map { threshold in
            let count = tested.count { $0.test.pValue < PValue(threshold) }
            return (threshold, NumberFormat.grouped(count), NumberFormat.grouped(Double(tested.count) * threshold, 1))
        }
    }

    fileprivate var textLines: [String] {
        var lines = ["", title, String(repeating: "=", count: title.count)] + notes
        guard unitCount > 0 else { return lines }
        for result in uniformity { lines += [""] + result.histogram(atMost: Self.bars).textLines }
        if !divisions.isEmpty { lines += ["", "Counts of each randomisation"] + divisions.flatMap(\.textLines) }
        if !pairs.isEmpty { lines += [""] + pairLines }
        if let trial { lines += [""] + trial.textLines }
        return lines
    }

    private var pairLines: [String] {
        let tested = testedPairs
        let count = NumberFormat.countedInGroups(pairs.count, "pair")
        var lines = ["Independence of \(count) of randomisations (cross tables of their categories)"]
        let shared = pairs.count { $0.sharesSalt }
        if shared > 0 {
            let number = NumberFormat.countedInGroups(shared, "pair")
            lines.append("    \(number) not judged by chance: they share a salt")
        }
        let untested = pairs.count - shared - tested.count
        if untested > 0 {
            lines.append("    \(NumberFormat.countedInGroups(untested, "pair")) \(TestResult.untested)")
        }
        guard !tested.isEmpty else { return lines }
        let thresholds = thresholdCells.map { threshold, count, expected in
            ["p below \(NumberFormat.percent(threshold))", count, "expected \(expected)"]
        }
        let names = divisions.map(\.randomisation.name)
        let smallest = tested.prefix(DistributionReport.mostShown).map { pair, test in
            let cells = test.cells(phi: pair.phi)
            return [
                "\(names[pair.left]) × \(names[pair.right])", "χ² = \(cells[0])", "\(cells[1]) df", "p = \(cells[2])",
                "adjusted \(cells[3])", "φ = \(cells[4])",
            ]
        }
        return lines + TextTable(thresholds, numberColumns: [1, 2]).lines() + ["    the smallest p-values"]
            + TextTable(smallest, numberColumns: [1, 2]).lines(indent: 6)
    }
}

extension TestResult {
    fileprivate static let untested = "not tested: fewer than 5 units are expected somewhere"

    /// The p-value after Holm's correction, where it is small by itself.
    private var correction: String {
        pValue < PValue(0.05) ? " (adjusted \(adjustedPValue))" : ""
    }

    /// `χ² = 1.25, 2 df, p = 0.5353`.
    var text: String {
        "χ² = \(NumberFormat.grouped(statistic, 2)), \(NumberFormat.grouped(degreesOfFreedom)) df, p = \(pValue)"
            + correction
    }

    /// Chi-square, degrees of freedom, p-value, corrected p-value, and φ of a pair.
    func cells(phi: Double) -> [String] {
        [
            NumberFormat.grouped(statistic, 2), "\(degreesOfFreedom)", "\(pValue)", "\(adjustedPValue)",
            NumberFormat.signed(phi, 5),
        ]
    }

    /// `first p = 0.12`.
    fileprivate static func short(_ name: String, _ test: TestResult?) -> String {
        "\(name) p = \(test.map { "\($0.pValue)\($0.correction)" } ?? "–")"
    }
}

extension DivisionResult {
    fileprivate var textLines: [String] {
        let rows = categories.map { category in
            let cells = category.cells
            let note = category == largestDeviation ? " (largest)" : ""
            return Array(cells[...2]) + ["expected", cells[3], cells[4] + "%", cells[5] + " σ" + note]
        }
        var lines = ["  \(randomisation.label)"] + TextTable(rows, numberColumns: [1, 2, 4, 5]).lines()
        lines.append("    shares: \(shares?.text ?? TestResult.untested)")
        var tests = [("first buckets uniform", firstBuckets), ("second", secondBuckets)].compactMap { name, result in
            result.map { TestResult.short(name, $0.test) }
        }
        if tests.count == 2 { tests.append(TestResult.short("independent", independence)) }
        return tests.isEmpty ? lines : lines + ["    " + tests.joined(separator: "; ")]
    }
}

extension DivisionResult.Category {
    /// Name, count, share, expected share, deviation in percentage points, and in standard deviations of chance.
    var cells: [String] {
        [
            name, NumberFormat.grouped(count), NumberFormat.grouped(share * 100, 3) + "%",
            NumberFormat.percent(shareNumerator, of: shareDenominator),
            NumberFormat.signed((share - expectedShare) * 100, 3), NumberFormat.signed(standardScore, 1),
        ]
    }
}

extension UniformityResult {
    /// Bars end at this many standard deviations, each of this many characters.
    private static let (deviations, charactersPerDeviation) = (4, 4)

    /// A histogram of deviations: the bars of the counts themselves would look alike.
    fileprivate var textLines: [String] {
        let meaning = bucket == .first ? "enrolment, slots, holdouts" : "variants"
        let cells = "\(NumberFormat.grouped(drawCount)) draws over \(NumberFormat.grouped(cellCount)) cells"
        let half = Self.deviations * Self.charactersPerDeviation
        let width = NumberFormat.grouped(bucketCount).count
        let countWidth = histogram.map { NumberFormat.grouped($0).count }.max() ?? 0
        let scale =
            "-\(Self.deviations)σ".leftPadded(to: 3) + "0".leftPadded(to: half - 2)
            + "+\(Self.deviations)σ".leftPadded(to: half + 1)
        let step = bucketCount / histogram.count
        let bars = zip(histogram, histogramScores).enumerated().map { index, bar in
            let range =
                NumberFormat.grouped(index * step).leftPadded(to: width) + "..<"
                + NumberFormat.grouped((index + 1) * step).rightPadded(to: width)
            let count = NumberFormat.grouped(bar.0).leftPadded(to: countWidth)
            return "    \(range) \(count)  \(Self.bar(bar.1, half: half)) \(NumberFormat.signed(bar.1, 1)) σ"
        }
        return [
            "The \(bucket.rawValue) buckets (\(meaning)): \(cells), "
                + "\(NumberFormat.grouped(expectedPerCell, 1)) expected in each",
            "    \(test.text)",
            String(repeating: " ", count: 2 * width + 2 * countWidth / 2 + countWidth % 2 + 10) + scale,
        ] + bars
    }

    private static func bar(_ score: Double, half: Int) -> String {
        let length = min(Int(abs(score) * Double(charactersPerDeviation) + 0.5), half)
        let filled = String(repeating: "█", count: length)
        let empty = String(repeating: " ", count: half)
        return score < 0 ? "\(filled.leftPadded(to: half))|\(empty)" : "\(empty)|\(filled.rightPadded(to: half))"
    }
}

extension SaltTrial {
    private static let (bars, barWidth) = (10, 40)

    fileprivate var textLines: [String] {
        let rows = levels.map { level in
            let cells = level.cells
            return [cells[0], "expected \(cells[1])", "\(cells[2]) (\(cells[3]))", cells[4], cells[5]]
        }
        let header = ["level", "fair splits rejected", "found", "99% interval", ""]
        let subject =
            "\(NumberFormat.countedInGroups(saltCount, "salt")) split the same "
            + "\(NumberFormat.countedInGroups(unitCount, "unit")) in halves"
        let uniform = uniformity.map {
            "    p-values uniform (Kolmogorov–Smirnov): D = \(NumberFormat.grouped($0.statistic, 4)), p = \($0.pValue)"
        }
        return ["A/A comparisons: \(subject)"] + TextTable([header] + rows, numberColumns: [0, 1, 2]).lines()
            + [uniform].compactMap(\.self) + histogramLines
    }

    private var histogramLines: [String] {
        var counts = [Int](repeating: 0, count: Self.bars)
        for value in pValues { counts[min(Int(value * Double(Self.bars)), Self.bars - 1)] += 1 }
        let expected = Double(saltCount) / Double(Self.bars)
        return counts.enumerated().map { index, count in
            let length = min(Int(Double(count) / expected * Double(Self.barWidth) * 0.75 + 0.5), Self.barWidth)
            let bounds = [index, index + 1].map { NumberFormat.grouped(Double($0) / Double(Self.bars), 1) }
            return "    p \(bounds[0]) to \(bounds[1])  \(NumberFormat.grouped(count).leftPadded(to: 7))  "
                + String(repeating: "█", count: length)
        }
    }
}

extension SaltTrial.Level {
    /// Level, expected rate, rate, number of rejections, interval of the rate, and whether it holds the expected rate.
    var cells: [String] {
        [
            NumberFormat.percent(nominal), NumberFormat.percent(attained, 3), NumberFormat.percent(rate, 3),
            NumberFormat.grouped(rejectionCount),
            "\(NumberFormat.percent(interval.lowerBound, 3)) to \(NumberFormat.percent(interval.upperBound, 3))",
            isInside ? "inside" : "OUTSIDE",
        ]
    }
}
