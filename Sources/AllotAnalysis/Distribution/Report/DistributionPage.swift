import AllotReports
import AllotStatistics

extension DistributionReport {
    /// The report as one self-contained page: HTML with inline styles and SVG plots, without scripts.
    public var page: String {
        let title = "Distribution of \(functionName)"
        return Markup.page(title) { markup in
            markup.element("h1", title)
            writeHead(&markup)
            for sample in samples { sample.write(in: &markup, alarm: PValue(alarmLevel)) }
            markup.element("h2", "How it was tested")
            markup.element("ul") { markup in
                for method in methods { markup.element("li", method) }
            }
        }
    }

    private static let mostFindings = 20

    private func writeHead(_ markup: inout Markup) {
        markup.element("p", ["class": isFine && testCount > 0 ? "verdict" : "verdict bad"], verdict)
        if findings.count > 1 {
            markup.element("ul") { markup in
                for finding in findings.prefix(Self.mostFindings) { markup.element("li", finding.description) }
                let more = findings.count - Self.mostFindings
                if more > 0 { markup.element("li", "and \(NumberFormat.countedInGroups(more, "more finding"))") }
            }
        }
        let facts = [
            ("Randomised", inventory), ("Seed", "\(seed)"),
            ("Tests", "\(NumberFormat.grouped(testCount)), corrected for one another (Holm)"),
            ("Alarm", "corrected p-value below \(alarmLevel)"),
        ]
        markup.element("dl") { markup in
            for (name, value) in facts + notes.map({ ("Note", $0) }) {
                markup.element("dt", name)
                markup.element("dd", value)
            }
        }
        guard samples.count > 1 else { return }
        let rows = zip(samples, summaries).map { sample, summary in
            [
                sample.name, NumberFormat.grouped(sample.unitCount), NumberFormat.grouped(summary.testCount),
                summary.smallest.map { "\($0.pValue)" } ?? "–",
                summary.smallest.map { "\($0.adjustedPValue)" } ?? "–", NumberFormat.grouped(summary.failureCount),
            ]
        }
        markup.table(["unit IDs", "number", "tests", "smallest p", "corrected", "failures"], rows, textColumns: [0])
    }

    private var methods: [String] {
        [
            "Every unit ID goes through the salt of every experiment, layer and holdout by itself. Status, schedule, "
                + "audience, requirements, forced units and other gates play no part: experiments of one layer never "
                + "meet, but their salts must be independent all the same.",
            "Shares: Pearson's chi-square test of the units of each category against the exact shares of its buckets. "
                + "\"Not enrolled\" are the units without a variant, by the traffic or by buckets that no variant "
                + "owns.",
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
    private static let mostPairs = 20
    /// From this many pairs on the quantiles of their p-values are plotted.
    private static let fewestForPlot = 20

    fileprivate func write(in markup: inout Markup, alarm: PValue) {
        markup.endLine()
        markup.element("h2", title)
        for note in notes { markup.element("p", ["class": "faint"], note) }
        guard unitCount > 0 else { return }
        if !uniformity.isEmpty {
            markup.element("h3", "Buckets of all salts together")
            markup.element("div", ["class": "plots"]) { markup in
                for result in uniformity { markup.figure(result.caption) { BucketPlot.draw(result, in: &$0) } }
            }
        }
        if !pairs.isEmpty { writePairs(&markup, alarm: alarm) }
        if let trial { trial.write(in: &markup) }
        if !divisions.isEmpty { writeCounts(&markup, alarm: alarm) }
    }

    private func writePairs(_ markup: inout Markup, alarm: PValue) {
        let map = PairHeatMap(self, alarm: alarm)
        let tested = testedPairs
        markup.element("h3", "Independence of \(NumberFormat.countedInGroups(pairs.count, "pair"))")
        markup.element("div") { markup in
            markup.element("figure") { markup in
                markup.element("div", ["class": "scroll"]) { map.draw(in: &$0) }
                markup.element("figcaption") { markup in
                    markup.write("Each cell is a pair of randomisations; numbers as in the table of counts. ")
                    for (shade, count) in map.legend {
                        markup.element("br", [:])
                        markup.element("span", ["class": "key \(shade.style)"], "")
                        markup.write("\(shade.label): \(NumberFormat.countedInGroups(count, "pair"))")
                    }
                }
            }
        }
        if tested.count >= Self.fewestForPlot {
            QuantilePlot(tested.map(\.test.pValue), of: "pairs").write(
                in: &markup, caption: "P-values of \(NumberFormat.grouped(tested.count)) pairs, in order.")
        }
        guard !tested.isEmpty else { return }
        markup.table(
            ["p below", "pairs", "expected"],
            thresholdCells.map { [NumberFormat.significant($0.threshold, 4), $0.count, $0.expected] }, textColumns: [])
        markup.element("h3", "The pairs with the smallest p-values")
        let names = divisions.map(\.randomisation.label)
        markup.table(
            ["pair", "", "χ²", "df", "p", "corrected p", "φ"],
            tested.prefix(Self.mostPairs).map { pair, test in
                [names[pair.left], names[pair.right]] + test.cells(phi: pair.phi)
            }, textColumns: [0, 1])
    }

    private func writeCounts(_ markup: inout Markup, alarm: PValue) {
        let head = [
            "", "randomisation", "units", "share", "expected", "deviation", "σ", "p shares", "p first", "p second",
            "p independent",
        ]
        markup.element("h3", "Counts of each randomisation")
        markup.element("div", ["class": "scroll"]) { markup in
            markup.element("table") { markup in
                markup.element("thead") { $0.row("th", head, textColumns: [1]) }
                for (index, division) in divisions.enumerated() {
                    markup.element("tbody", ["class": "group"]) { markup in
                        division.write(in: &markup, number: index + 1, alarm: alarm)
                    }
                    markup.endLine()
                }
            }
        }
        markup.element(
            "p", ["class": "faint"],
            "Deviations are in percentage points, and in standard deviations σ of chance. The p-values, uncorrected: "
                + "counts against shares; uniformity of the first buckets and of the second ones over up to 1,000 "
                + "cells; independence of first and second bucket.")
    }
}

extension DivisionResult {
    fileprivate func write(in markup: inout Markup, number: Int, alarm: PValue) {
        markup.element("tr") { markup in
            markup.element("td", "\(number)")
            markup.element("td", ["class": "text"], randomisation.label)
            for _ in 0..<5 { markup.element("td", "") }
            for test in [shares, firstBuckets?.test, secondBuckets?.test, independence] {
                let isBad = test.map { $0.adjustedPValue < alarm } ?? false
                markup.element("td", isBad ? ["class": "bad"] : [:], test.map { "\($0.pValue)" } ?? "–")
            }
        }
        for category in categories { markup.row("td", [""] + category.cells, textColumns: [1]) }
    }
}

extension UniformityResult {
    fileprivate var caption: String {
        let meaning = bucket == .first ? "enrolment, slots and holdouts" : "variants"
        let expected = NumberFormat.grouped(Double(drawCount) / Double(max(histogram.count, 1)), 0)
        return "The \(bucket.rawValue) buckets, which decide \(meaning): \(NumberFormat.grouped(drawCount)) draws in "
            + "\(histogram.count) bars, \(expected) expected in each. Grey: two standard deviations, which about "
            + "5 bars of 100 exceed. Over \(NumberFormat.grouped(cellCount)) cells \(test.text)."
    }
}

extension SaltTrial {
    fileprivate func write(in markup: inout Markup) {
        let salts = NumberFormat.countedInGroups(saltCount, "salt")
        markup.element(
            "h3", "A/A comparisons: \(salts), \(NumberFormat.countedInGroups(unitCount, "unit")) each")
        let head = [
            "level", "exact rate for fair splits", "rate found", "salts rejected", "99% interval of the rate", "", "p",
        ]
        let rows = levels.map { $0.cells + [$0.test.map { "\($0.pValue)" } ?? "–"] }
        markup.table(head, rows, textColumns: [5])
        let test = uniformity.map {
            " Kolmogorov–Smirnov: D = \(NumberFormat.grouped($0.statistic, 4)), p = \($0.pValue)."
        }
        QuantilePlot(pValues.map { PValue($0) }, of: "A/A comparisons").write(
            in: &markup, caption: "P-values of \(salts), in order." + (test ?? ""))
    }
}

extension QuantilePlot {
    fileprivate func write(in markup: inout Markup, caption: String) {
        let band = "Grey: the band that as many uniform values leave anywhere with a probability of 1%."
        markup.element("div", ["class": "plots"]) { markup in
            markup.figure("\(caption) \(band)") { draw(in: &$0) }
            markup.figure(
                "The values as powers of ten, where small p-values show. Grey: the band that each value by itself "
                    + "leaves with a probability of 1%."
            ) { drawLogarithms(in: &$0) }
        }
    }
}
