import AllotConfiguration
import AllotReports
import AllotStatistics

extension DistributionReport {
    package var report: Report {
        var report = Report(verdict, title: "Distribution of \(functionName)", isGood: isFine && testCount > 0)
        if findings.count > 1 {
            let more = findings.count - Self.mostShown
            let rest = more > 0 ? ["\(NumberFormat.countedInGroups(more, "more finding")); the JSON has all"] : []
            report.lead = [.list(findings.prefix(Self.mostShown).map(\.description) + rest)]
        }
        let subject = [
            "\(functionName): \(inventory), seed \(seed).",
            "Every unit goes through every randomisation by itself, whatever the status, schedule, audience and gates.",
        ]
        report.add(.notes(subject + notes))
        if samples.count > 1 { report.add(summaryTable) }
        report.blocks += samples.map { Report.Block.section($0.section(alarm: PValue(alarmLevel))) }
        let method = Report.Section("How it was tested", style: .chapter, [.list(methods)])
        report.add(.either(text: [], page: [.section(method)]))
        return report
    }

    package var textLines: [String] { TextRenderer().lines(report) }
    /// The report as one self-contained page: HTML with inline styles and SVG plots, without scripts.
    public var page: String { HTMLRenderer().page(report) }

    /// The number of findings and pairs that are shown; the JSON has all.
    fileprivate static let mostShown = 10

    private var summaryTable: Report.Block {
        let rows = zip(samples, summaries).map { sample, summary in
            [
                sample.name, NumberFormat.countedInGroups(sample.unitCount, "unit ID"),
                NumberFormat.countedInGroups(summary.testCount, "test"),
                "smallest p = \(summary.smallest.map { "\($0.pValue)" } ?? "–")",
                NumberFormat.countedInGroups(summary.failureCount, "failure"),
            ]
        }
        return .table(
            [.text("source"), .number("unit IDs"), .number("tests"), .text("smallest p-value"), .number("failures")],
            texts: rows, showsHead: false)
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

    private var methods: [String] {
        [
            "Every unit ID goes through the salt of every experiment, layer and holdout by itself. Status, schedule, "
                + "audience, requirements, forced units and other gates play no part: experiments of one layer never "
                + "meet, but their salts must be independent all the same.",
            "Shares: Pearson's chi-square test of the units of each category against the exact shares of its buckets. "
                + "\"Not enrolled\" are the units without a variant, by the traffic or by buckets that no variant "
                + "owns. Deviations are in percentage points, and in standard deviations σ of chance.",
            "Buckets: Pearson's chi-square test of equal frequency over as many equal cells as expect 5 draws or more: "
                + "all buckets when there are enough. For the plots of all salts together each salt counts once.",
            "Enrolment and variant: the first and the second bucket of an experiment come from one hash; the "
                + "chi-square test of independence over ten parts of each shows whether they are two decisions.",
            "Pairs: Pearson's chi-square test of independence of the cross table of the categories of two "
                + "randomisations; φ = √(χ²/units). Pairs with one salt are one decision and are reported as such.",
            "Where a cell expects fewer than 5 units nothing is tested. Where one expects fewer than 1,000, a p-value "
                + "below 0.001 is the larger one of Pearson's and the likelihood-ratio test, as Pearson's "
                + "exaggerates far out in the tail.",
            "A/A: each of many salts splits the same units in halves, and Pearson's chi-square test looks for a "
                + "difference. Counts are whole numbers, so the test does not reject a fair split exactly as "
                + "often as its level says; the rate is compared with the exact binomial probability (p is that of all "
                + "counts that are no more probable than the one found). The "
                + "p-values in the plot are exact binomial ones, randomised within their steps, which makes "
                + "them uniform if nothing is wrong.",
            "All \(NumberFormat.countedInGroups(testCount, "test")) are corrected for one another by Holm's method: if "
                + "nothing is wrong, the probability of any alarm at all is at most \(alarmLevel).",
        ]
    }
}

extension DistributionSample {
    /// From this many pairs on the quantiles of their p-values are plotted.
    private static let fewestForPlot = 20

    var title: String { "\(NumberFormat.countedInGroups(unitCount, "unit ID")): \(name)" }

    /// The pairs that were tested, the smallest p-value first.
    var testedPairs: [(pair: PairResult, test: TestResult)] {
        pairs.filter { !$0.sharesSalt }.compactMap { pair in pair.test.map { (pair, $0) } }
            .sorted { $0.1.pValue == $1.1.pValue ? $0.0.crossOffset < $1.0.crossOffset : $0.1.pValue < $1.1.pValue }
    }

    fileprivate func section(alarm: PValue) -> Report.Section {
        var section = Report.Section(Report.Cell(title), style: .chapter, [.notes(notes)])
        guard unitCount > 0 else { return section }
        let map = PairHeatMap(self, alarm: alarm)
        section.blocks += uniformity.map(\.block)
        if !divisions.isEmpty {
            let counts = divisions.enumerated().map { index, division in
                division.block(note: map.isNamed ? nil : "\(index + 1)")
            }
            section.blocks.append(.section(Report.Section("Counts of each randomisation", counts)))
        }
        if !pairs.isEmpty { section.blocks.append(.section(pairSection(map))) }
        if let trial { section.blocks.append(.section(trial.section)) }
        return section
    }

    private func pairSection(_ map: PairHeatMap) -> Report.Section {
        let tested = testedPairs
        let count = NumberFormat.countedInGroups(pairs.count, "pair")
        let opposite = pairs.count { $0.isOpposite(of: divisions) }
        let shared = pairs.count { $0.sharesSalt } - opposite
        let others = [
            (shared, "not judged by chance: they share a salt"),
            (opposite, "not judged by chance: windows of a balanced pair have opposite variants by design"),
            (pairs.count - shared - opposite - tested.count, TestResult.untested),
        ]
        var section = Report.Section(
            "Independence of \(count) of randomisations (cross tables of their categories)",
            [
                .list(others.filter { $0.0 > 0 }.map { "\(NumberFormat.countedInGroups($0, "pair")) \($1)" }),
                .plot(Report.Plot("Each cell is a pair of randomisations; numbers as at their counts.", map.draw)),
            ])
        guard !tested.isEmpty else { return section }
        let thresholds = [0.5, 0.1, 0.01, 0.001, 0.0001].map { threshold in
            [
                "p below \(NumberFormat.percent(threshold))",
                NumberFormat.grouped(tested.count { $0.test.pValue < PValue(threshold) }),
                "expected \(NumberFormat.grouped(Double(tested.count) * threshold, 1))",
            ]
        }
        let names = divisions.map(\.randomisation.title)
        let smallest = tested.prefix(DistributionReport.mostShown).map { pair, test in
            [
                "\(names[pair.left]) × \(names[pair.right])", "χ² = \(NumberFormat.grouped(test.statistic, 2))",
                "\(test.degreesOfFreedom) df", "p = \(test.pValue)", "adjusted \(test.adjustedPValue)",
                "φ = \(NumberFormat.signed(pair.phi, 5))",
            ]
        }
        let head: [Report.Column] = [.text("p-values"), .number("pairs"), .number("expected")]
        section.blocks.append(.table(head, texts: thresholds, showsHead: false))
        if tested.count >= Self.fewestForPlot {
            section.blocks += QuantilePlot(pValues: tested.map(\.test.pValue), subject: "pairs").blocks(
                "P-values of \(NumberFormat.grouped(tested.count)) pairs, in order.")
        }
        let columns: [Report.Column] = [
            .text("pair"), .number("χ²"), .number("df"), .text("p"), .text("corrected"), .text("φ"),
        ]
        section.blocks += [.text("the smallest p-values"), .table(columns, texts: smallest, showsHead: false)]
        return section
    }
}

extension TestResult {
    fileprivate static let untested = "not tested: fewer than 5 units are expected somewhere"

    /// The p-value after Holm's correction, where it is small by itself.
    private var correction: String { pValue < PValue(0.05) ? " (adjusted \(adjustedPValue))" : "" }

    /// `χ² = 1.25, 2 df, p = 0.5353`.
    var text: String {
        "χ² = \(NumberFormat.grouped(statistic, 2)), \(NumberFormat.grouped(degreesOfFreedom)) df, p = \(pValue)"
            + correction
    }

    fileprivate static func short(_ name: String, _ test: TestResult?) -> String {
        "\(name) p = \(test.map { "\($0.pValue)\($0.correction)" } ?? "–")"
    }
}

extension DivisionResult {
    fileprivate func block(note: String?) -> Report.Block {
        let rows = categories.map { category in
            [
                category.name, NumberFormat.grouped(category.count),
                NumberFormat.grouped(category.share * 100, 3) + "%", "expected",
                NumberFormat.percent(category.shareNumerator, of: category.shareDenominator),
                NumberFormat.signed((category.share - category.expectedShare) * 100, 3) + "%",
                NumberFormat.signed(category.standardScore, 1) + " σ"
                    + (category == largestDeviation ? " (largest)" : ""),
            ]
        }
        var tests = [("first buckets uniform", firstBuckets), ("second", secondBuckets)].compactMap { name, result in
            result.map { TestResult.short(name, $0.test) }
        }
        if tests.count == 2 { tests.append(TestResult.short("independent", independence)) }
        let columns: [Report.Column] = [
            .text("category"), .number("units"), .number("share"), .text(""), .number("share"), .number("deviation"),
            .text("standard deviations"),
        ]
        let lines = ["shares: \(shares?.text ?? TestResult.untested)", tests.joined(separator: "; ")]
        return .section(
            Report.Section(
                Report.Cell(randomisation.label), note: note,
                [.table(columns, texts: rows, showsHead: false), .list(lines.filter { !$0.isEmpty })]))
    }
}

extension UniformityResult {
    /// Bars end at this many standard deviations, each of this many characters.
    private static let (deviations, charactersPerDeviation) = (4, 4)
    private static let bars = 20

    /// A histogram of deviations: the bars of the counts themselves would look alike.
    fileprivate var block: Report.Block {
        let plot = Report.Plot(caption) { BucketPlot.draw(self, in: &$0) }
        return .either(text: histogram(atMost: Self.bars).textLines, page: [.plot(plot)])
    }

    private var caption: String {
        let meaning = bucket == .first ? "enrolment, slots and holdouts" : "variants"
        let expected = NumberFormat.grouped(Double(drawCount) / Double(max(histogram.count, 1)), 0)
        return "The \(bucket.rawValue) buckets of all salts together, which decide \(meaning): "
            + "\(NumberFormat.grouped(drawCount)) draws in \(histogram.count) bars, \(expected) expected in each. "
            + "Grey: two standard deviations, which about 5 bars of 100 exceed. Over "
            + "\(NumberFormat.grouped(cellCount)) cells \(test.text)."
    }

    private var textLines: [String] {
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
            String(repeating: " ", count: 2 * width + countWidth + countWidth % 2 + 10) + scale,
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

    fileprivate var section: Report.Section {
        let salts = NumberFormat.countedInGroups(saltCount, "salt")
        let rows = levels.map { level in
            [
                NumberFormat.percent(level.nominal), "expected \(NumberFormat.percent(level.attained, 3))",
                "\(NumberFormat.percent(level.rate, 3)) (\(NumberFormat.grouped(level.rejectionCount)))",
                "\(NumberFormat.percent(level.interval.lowerBound, 3)) to "
                    + NumberFormat.percent(level.interval.upperBound, 3),
                level.isInside ? "inside" : "OUTSIDE",
            ]
        }
        let uniform = uniformity.map {
            "p-values uniform (Kolmogorov–Smirnov): D = \(NumberFormat.grouped($0.statistic, 4)), p = \($0.pValue)"
        }
        let plots = QuantilePlot(pValues: pValues.map { PValue($0) }, subject: "A/A comparisons")
        let columns: [Report.Column] = [
            .number("level"), .number("fair splits rejected"), .number("found"), .text("99% interval"), .text(""),
        ]
        return Report.Section(
            "A/A comparisons: \(salts) split the same \(NumberFormat.countedInGroups(unitCount, "unit")) in halves",
            [
                .table(columns, texts: rows), .list([uniform].compactMap(\.self)),
                .either(text: histogramLines, page: plots.blocks("P-values of \(salts), in order.")),
            ])
    }

    private var histogramLines: [String] {
        var counts = [Int](repeating: 0, count: Self.bars)
        for value in pValues { counts[min(Int(value * Double(Self.bars)), Self.bars - 1)] += 1 }
        let expected = Double(saltCount) / Double(Self.bars)
        return counts.enumerated().map { index, count in
            let length = min(Int(Double(count) / expected * Double(Self.barWidth) * 0.75 + 0.5), Self.barWidth)
            let bounds = [index, index + 1].map { NumberFormat.grouped(Double($0) / Double(Self.bars), 1) }
            return "p \(bounds[0]) to \(bounds[1])  \(NumberFormat.grouped(count).leftPadded(to: 7))  "
                + String(repeating: "█", count: length)
        }
    }
}

extension QuantilePlot {
    func blocks(_ caption: String) -> [Report.Block] {
        let band = "Grey: the band that as many uniform values leave anywhere with a probability of 1%."
        let powers =
            "The values as powers of ten, where small p-values show. Grey: the band that each value by itself leaves "
            + "with a probability of 1%."
        return [.plot(Report.Plot("\(caption) \(band)", draw)), .plot(Report.Plot(powers, drawLogarithms))]
    }
}

extension PairResult {
    /// Whether the two are the windows of a balanced pair.
    fileprivate func isOpposite(of divisions: [DivisionResult]) -> Bool {
        sharesSalt && divisions[left].randomisation.isMirrored != divisions[right].randomisation.isMirrored
    }
}
