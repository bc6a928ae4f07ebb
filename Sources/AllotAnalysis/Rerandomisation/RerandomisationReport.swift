import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

/// The differences of the arms of an experiment in one outcome, with their randomisation tests.
package struct RerandomisationReport: Sendable {
    private let experiment: String
    private let salt: Salt
    private let choice: ChosenRandomisation?
    private let metric: String
    private let question: RerandomisationQuestion
    let sample: Sample
    let analyses: [Analysis]
    /// The number of salts that were tried for the draws.
    let candidateCount: Int
    let notes: [String]

    /// The tests by one estimator.
    struct Analysis: Sendable {
        let isAdjusted: Bool
        let observed: OutcomeColumns.Means
        let tests: EffectTests
    }

    init(
        question: RerandomisationQuestion, experiment: Plan.Experiment, salt: Salt, sample: Sample, metric: String,
        analyses: [Analysis], candidateCount: Int, notes: [String]
    ) {
        (self.question, self.experiment, self.salt) = (question, experiment.key, salt)
        (self.sample, self.metric, self.analyses) = (sample, metric, analyses)
        (choice, self.candidateCount, self.notes) = (experiment.randomisation, candidateCount, notes)
    }

    private var isRatio: Bool { question.ratio != nil }

    private var outcome: String {
        let name = PrintableText(metric, atMost: QuotedText.limit).description
        return question.ratio.map { "\(name) / \(PrintableText($0, atMost: QuotedText.limit))" } ?? name
    }

    /// The differences of one analysis, in words.
    private func sentence(_ analysis: Analysis, _ arm: Int) -> String {
        let test = analysis.tests.tests[arm - 1]
        let interval = test.interval(level: question.alpha)
        let bounds = [interval.lowerBound, interval.upperBound].map(difference).joined(separator: " to ")
        return "\(difference(test.estimate)) (\(NumberFormat.percent(1 - question.alpha)) interval \(bounds), "
            + "p = \(analysis.tests.adjustedPValues[arm - 1]))"
    }

    private var verdict: String {
        let analysis = analyses[analyses.count - 1]
        let adjustment = analysis.isAdjusted ? ", adjusted for \(covariates)" : ""
        let control = PrintableText(sample.arms[0].variant).description
        let differences = (1..<sample.arms.count).map { arm in
            "\(PrintableText(sample.arms[arm].variant)) - \(control) \(sentence(analysis, arm))"
        }
        return "\(outcome)\(adjustment): \(differences.joined(separator: "; "))."
    }

    private var covariates: String { question.adjust.map { PrintableText($0).description }.joined(separator: ", ") }

    private func value(_ value: Double) -> String {
        sample.isProportion ? NumberFormat.percent(value, digits: 4) : NumberFormat.significant(value, 6)
    }

    private func difference(_ value: Double) -> String {
        guard value.isFinite else { return value < 0 ? "-∞" : "∞" }
        let text = sample.isProportion ? NumberFormat.percent(value, digits: 4) : NumberFormat.significant(value, 4)
        return value > 0 ? "+\(text)" : text
    }
}

extension RerandomisationReport {
    /// The report for people.
    package var report: Report {
        var report = Report(verdict, title: "Effects of \(PrintableText(experiment)) on \(outcome)")
        report.add(
            .table(
                [
                    .text("variant"), .number("units"),
                    .number(isRatio ? "ratio" : sample.isProportion ? "rate" : "mean"),
                ],
                sample.arms.map { [.name($0.variant), "\(NumberFormat.grouped($0.units))", "\(value($0.value))"] }))
        report.add(.table(Self.columns, analyses.flatMap(rows)))
        for analysis in analyses where sample.arms.count > 2 {
            report.add(
                .text(
                    "No effect of any arm\(analysis.isAdjusted ? ", adjusted" : ""): "
                        + "p = \(analysis.tests.jointPValue) for all arms together."))
        }
        report.add(.notes(methods + notes.map { "\($0)." }))
        let plots = analyses.flatMap { analysis in
            (1..<sample.arms.count).map { arm in plot(analysis, arm) }
        }
        report.add(.either(text: [], page: plots.map(Report.Block.plot)))
        return report
    }

    private static let columns: [Report.Column] = [
        .text("difference"), .text("means"), .number("estimate"), .number("from"), .number("to"), .number("p-value"),
        .number("after Holm"),
    ]

    private func rows(_ analysis: Analysis) -> [[Report.Cell]] {
        (1..<sample.arms.count).map { arm in
            let test = analysis.tests.tests[arm - 1]
            let interval = test.interval(level: question.alpha)
            return [
                .name("\(sample.arms[arm].variant) - \(sample.arms[0].variant)"),
                Report.Cell(analysis.isAdjusted ? "adjusted" : "plain"), Report.Cell(difference(test.estimate)),
                Report.Cell(difference(interval.lowerBound)), Report.Cell(difference(interval.upperBound)),
                Report.Cell("\(test.pValue)"), Report.Cell("\(analysis.tests.adjustedPValues[arm - 1])"),
            ]
        }
    }

    private func plot(_ analysis: Analysis, _ arm: Int) -> Report.Plot {
        let test = analysis.tests.tests[arm - 1]
        let adjusted = analysis.isAdjusted ? ", adjusted" : ""
        return Report.Plot(
            "\(sample.arms[arm].variant) - \(sample.arms[0].variant)\(adjusted): the differences that draws give "
                + "without an effect, and the observed one as a line."
        ) { DrawPlot(effects: test.effects, observed: test.estimate).draw(in: &$0) }
    }

    private var methods: [String] {
        let draws = NumberFormat.countedInGroups(question.draws, "draw")
        let candidates = NumberFormat.grouped(candidateCount)
        let design =
            switch choice?.rule {
            case .accept(let share)?:
                "\(draws) of the arms: the salts that are among the best \(NumberFormat.percent(share)), as \(salt) "
                    + "is, of \(candidates) after those that were tried."
            case .tries(let count)?:
                "\(draws) of the arms: each the best salt of \(NumberFormat.grouped(count)), as \(salt) is, "
                    + "of \(candidates) after those that were tried."
            case nil: "\(draws) of the arms, under a salt each: the salt \(salt) was not chosen for balance."
            }
        var methods = [
            "Randomisation test with \(design) p = (1 + draws as extreme) / (1 + draws). Intervals are the effects, "
                + "the same for each unit, that the test does not reject."
        ]
        if sample.arms.count > 2 {
            methods.append(
                "The test of all arms together is exact. For one difference, the effects of the other arms are taken "
                    + "as estimated.")
        }
        if isRatio {
            methods.append("The difference of ratios is linearised (delta method), which is near to it for many units.")
        }
        if analyses.count > 1 {
            methods.append(
                "Adjusted: least squares on the arms and \(covariates), with the same slopes in all arms (ANCOVA). The "
                    + "test is exact for these estimates too.")
        }
        if sample.recorded.wrong > 0 {
            methods.append(
                "\(sample.recorded.wrong) of \(sample.recorded.all) units have another variant on record than the one "
                    + "that Allot computes, by which they count here; allot srm looks for the cause.")
        } else if sample.recorded.all > 0 {
            methods.append("The variant on record is the one that Allot computes, for all units that have one.")
        }
        return methods
    }

    /// The report for programs.
    package var json: JSONValue {
        let (accept, tries): (Double?, Int?) =
            switch choice?.rule {
            case .accept(let share)?: (share, nil)
            case .tries(let count)?: (nil, count)
            case nil: (nil, nil)
            }
        return [
            "experiment": .string(experiment), "salt": .string(salt.text), "metric": .string(metric),
            "ratio": .text(question.ratio), "adjust": .strings(question.adjust),
            "measure": .string(isRatio ? "ratio" : sample.isProportion ? "proportion" : "mean"),
            "alpha": .double(question.alpha), "draws": .int(question.draws), "candidates": .int(candidateCount),
            "accept": .double(accept), "tries": .int(tries),
            "recorded": .int(sample.recorded.all), "recorded_otherwise": .int(sample.recorded.wrong),
            "arms": .array(
                sample.arms.map {
                    ["variant": .string($0.variant), "units": .int($0.units), "value": .double($0.value)]
                }),
            "analyses": .array(analyses.map(json)), "notes": .strings(notes),
        ]
    }

    private func json(_ analysis: Analysis) -> JSONValue {
        [
            "adjusted": .boolean(analysis.isAdjusted), "p_value_joint": analysis.tests.jointPValue.json,
            "differences": .array(
                (1..<sample.arms.count).map { arm in
                    let test = analysis.tests.tests[arm - 1]
                    let interval = test.interval(level: question.alpha)
                    return [
                        "variant": .string(sample.arms[arm].variant), "control": .string(sample.arms[0].variant),
                        "estimate": .double(test.estimate), "lower": .double(interval.lowerBound),
                        "upper": .double(interval.upperBound), "p_value": test.pValue.json,
                        "p_value_corrected": analysis.tests.adjustedPValues[arm - 1].json,
                    ]
                }),
        ]
    }
}

/// The differences of draws as a histogram, with the observed difference.
struct DrawPlot {
    private let effects: [Double]
    private let observed: Double

    private static let size = (width: 560.0, height: 240.0)
    private static let bars = 40

    init(effects: [Double], observed: Double) {
        self.effects = effects.filter(\.isFinite)
        self.observed = observed
    }

    func draw(in markup: inout Markup) {
        let most = max(effects.map(abs).max() ?? 0, abs(observed))
        guard most > 0 else { return }
        var counts = [Int](repeating: 0, count: Self.bars)
        for effect in effects {
            let place = (effect / most + 1) / 2 * Double(Self.bars)
            counts[min(max(Int(place), 0), Self.bars - 1)] += 1
        }
        let up = AxisTicks(upTo: Double(counts.max() ?? 1))
        let top = up.end(above: Double(counts.max() ?? 1))
        let frame = PlotFrame(
            horizontal: -1...1, vertical: 0...max(top, 1), left: 60, top: 10, width: Self.size.width - 90,
            height: Self.size.height - 60)
        markup.picture(
            width: Self.size.width, height: Self.size.height, "Differences of \(effects.count) draws without an effect"
        ) { markup in
            let ticks = [-1, -0.5, 0, 0.5, 1].map { ($0, NumberFormat.significant($0 * most, 3)) }
            frame.drawAxes(
                &markup, ticksAcross: ticks, nameAcross: "difference", ticksUp: up.labels(from: 0, to: top),
                nameUp: "draws")
            let width = frame.width / Double(Self.bars)
            for (bar, count) in counts.enumerated() where count > 0 {
                let y = frame.y(Double(count))
                markup.rectangle(
                    "bar", x: frame.left + Double(bar) * width + 0.5, y: y, width: width - 1,
                    height: frame.top + frame.height - y)
            }
            let x = frame.x(observed / most)
            markup.line("now", from: (x, frame.top), to: (x, frame.top + frame.height))
        }
    }
}
