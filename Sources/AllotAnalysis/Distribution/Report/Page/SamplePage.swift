import AllotStatistics

/// The part of a page that is about one sample.
struct SamplePage {
    private let sample: DistributionSample
    private let report: DistributionReport

    private static let mostPairs = 20

    init(_ sample: DistributionSample, of report: DistributionReport) {
        self.sample = sample
        self.report = report
    }

    func write(in markup: inout Markup) {
        markup.endLine()
        markup.element("h2", "\(NumberText.counted(sample.unitCount, "unit ID")): \(sample.name)")
        for note in sample.notes { markup.element("p", ["class": "faint"], note) }
        guard sample.unitCount > 0 else { return }
        writeBuckets(&markup)
        if !sample.pairs.isEmpty { writePairs(&markup) }
        if let trial = sample.trial { write(trial, &markup) }
        if !sample.divisions.isEmpty {
            markup.element("h3", "Counts of each randomisation")
            CountTable(sample.divisions, alarmLevel: report.alarmLevel).write(in: &markup)
        }
    }

    private func writeBuckets(_ markup: inout Markup) {
        guard !sample.uniformity.isEmpty else { return }
        markup.element("h3", "Buckets of all salts together")
        markup.element("div", ["class": "plots"]) { markup in
            for result in sample.uniformity {
                markup.element("figure") { markup in
                    markup.element("div", ["class": "scroll"]) { BucketPlot.draw(result, in: &$0) }
                    markup.element("figcaption", caption(of: result))
                }
            }
        }
    }

    private func caption(of result: UniformityResult) -> String {
        let meaning = result.bucket == .first ? "enrolment, slots and holdouts" : "variants"
        let expected = NumberText.fixed(Double(result.drawCount) / Double(max(result.histogram.count, 1)), 0)
        let draws = NumberText.grouped(result.drawCount)
        return "The \(result.bucket.rawValue) buckets, which decide \(meaning): \(draws) draws in "
            + "\(result.histogram.count) bars, \(expected) expected in each. Grey: two standard deviations, which about "
            + "5 bars of 100 exceed. Over \(NumberText.grouped(result.cellCount)) cells \(TestText.text(result.test))."
    }

    private func writePairs(_ markup: inout Markup) {
        let map = PairHeatMap(sample, alarmLevel: report.alarmLevel)
        let tested = sample.testedPairs
        markup.element("h3", "Independence of \(NumberText.counted(sample.pairs.count, "pair"))")
        markup.element("div") { markup in
            markup.element("figure") { markup in
                markup.element("div", ["class": "scroll"]) { map.draw(in: &$0) }
                markup.element("figcaption") { markup in
                    markup.write("Each cell is a pair of randomisations; numbers as in the table of counts. ")
                    for (shade, count) in map.legend {
                        markup.element("br", [:])
                        markup.element("span", ["class": "key \(shade.style)"], "")
                        markup.write("\(shade.label): \(NumberText.counted(count, "pair"))")
                    }
                }
            }
        }
        if tested.count >= 20 {
            markup.element("div", ["class": "plots"]) { markup in
                write(
                    QuantilePlot(tested.map(\.test.pValue), of: "pairs"),
                    caption: "P-values of \(NumberText.grouped(tested.count)) pairs, in order.", &markup)
            }
        }
        guard !tested.isEmpty else { return }
        markup.table(
            ["p below", "pairs", "expected"],
            PairText.thresholds.map { threshold in
                [
                    "\(threshold == 0.0001 ? "0.0001" : "\(threshold)")",
                    NumberText.grouped(tested.count { $0.test.pValue < PValue(threshold) }),
                    NumberText.fixed(Double(tested.count) * threshold, 1),
                ]
            }, textColumns: [])
        markup.element("h3", "The pairs with the smallest p-values")
        let names = sample.divisions.map(\.randomisation.label)
        markup.table(
            ["pair", "", "χ²", "df", "p", "corrected p", "φ"],
            tested.prefix(Self.mostPairs).map { pair, test in
                [
                    names[pair.left], names[pair.right], NumberText.fixed(test.statistic, 2),
                    "\(test.degreesOfFreedom)", "\(test.pValue)", "\(test.adjustedPValue)",
                    NumberText.signed(pair.phi, 5),
                ]
            }, textColumns: [0, 1])
    }

    private func write(_ trial: SaltTrial, _ markup: inout Markup) {
        markup.element(
            "h3",
            "A/A comparisons: \(NumberText.counted(trial.saltCount, "salt")), "
                + "\(NumberText.counted(trial.unitCount, "unit")) each")
        markup.table(
            [
                "level", "exact rate for fair splits", "rate found", "salts rejected", "99% interval of the rate", "",
                "p",
            ],
            trial.levels.map { level in
                [
                    NumberText.percent(level.nominal), NumberText.percent(level.attained, 3),
                    NumberText.percent(level.rate, 3), NumberText.grouped(level.rejectionCount),
                    "\(NumberText.percent(level.interval.lowerBound, 3)) to "
                        + NumberText.percent(level.interval.upperBound, 3),
                    level.isInside ? "inside" : "OUTSIDE", level.test.map { "\($0.pValue)" } ?? "–",
                ]
            }, textColumns: [5])
        let test = trial.uniformity.map {
            " Kolmogorov–Smirnov: D = \(NumberText.fixed($0.statistic, 4)), p = \($0.pValue)."
        }
        markup.element("div", ["class": "plots"]) { markup in
            write(
                QuantilePlot(trial.pValues.map { PValue($0) }, of: "A/A comparisons"),
                caption: "P-values of \(NumberText.counted(trial.saltCount, "salt")), in order." + (test ?? ""), &markup
            )
        }
    }

    private func write(_ plot: QuantilePlot, caption: String, _ markup: inout Markup) {
        markup.element("figure") { markup in
            markup.element("div", ["class": "scroll"]) { plot.draw(in: &$0) }
            markup.element(
                "figcaption",
                "\(caption) Grey: the band that so many uniform values leave anywhere with a "
                    + "probability of 1%.")
        }
        markup.element("figure") { markup in
            markup.element("div", ["class": "scroll"]) { plot.drawLogarithms(in: &$0) }
            markup.element(
                "figcaption",
                "The same as powers of ten, where small p-values show. Grey: the band that each "
                    + "value by itself leaves with a probability of 1%.")
        }
    }
}
