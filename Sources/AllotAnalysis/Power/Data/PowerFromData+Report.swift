import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

extension PowerFromData {
    /// The plan for people.
    package var report: Report {
        var report = Report(verdict, title: "Power of \(question.definition.key), from data", isGood: !disagrees)
        report.lead = [.facts(facts), .notes(data.notes)]
        for metric in data.metrics.indices { report.add(.section(section(metric))) }
        if let replay { report.add(.section(section(replay))) }
        return report
    }

    /// Whether the replay contradicts a formula.
    package var disagrees: Bool { replay?.disagrees ?? false }

    private var hasEffect: Bool { question.effect != nil || question.relativeEffect != nil }

    private var verdict: String {
        let span = data.hasTimes ? " after \(counted(weeks.count, "week"))" : ""
        let findings = weeks.last?.findings ?? []
        let texts = zip(data.metrics.indices, findings).map { metric, finding in
            let name = PrintableText(data.metrics[metric].question.name)
            return hasEffect
                ? "\(NumberFormat.percent(finding.power.fixed, digits: 4)) for "
                    + "\(signed(changes[metric], metric)) of \(name)"
                : "\(number(finding.fixed, metric)) of \(name)"
        }
        let answer = hasEffect ? "Power" : "Smallest change found with a probability of \(target)"
        let doubt = disagrees ? "; the replay contradicts the formula" : ""
        return "\(answer)\(span): \(texts.joined(separator: "; "))\(doubt)"
    }

    private var target: String { NumberFormat.percent(question.power, digits: 4) }

    // MARK: Facts

    private var facts: [Report.Fact] {
        let shares = zip(arms.names, arms.shares).map { "\(PrintableText($0)) \(NumberFormat.percent($1, digits: 4))" }
        let sizes = weeks.last?.sizes ?? []
        let row = data.washedOutCount == nil ? "unit" : "row"
        let units = NumberFormat.countedInGroups(data.unitCount, row)
        let pairs = data.pairs.map { " of \(NumberFormat.countedInGroups($0.count, "pair"))" } ?? ""
        let clusters =
            data.clusterCount.map { count in
                " in \(NumberFormat.countedInGroups(count, data.unitName))\(pairs), the largest with "
                    + NumberFormat.countedInGroups(data.largestCluster, row)
            } ?? ""
        let enrolled = NumberFormat.grouped(Int(sizes.reduce(0, +).rounded()))
        let others = Reason.allCases.filter { data.reasons[Int($0.rawValue)] > 0 && $0 != .split }
            .map { "\(NumberFormat.grouped(data.reasons[Int($0.rawValue)])) \($0.text)" }
        let excluded = others.isEmpty ? [] : ["rows that are not eligible: \(others.joined(separator: ", "))"]
        return [
            Report.Fact(
                "experiment",
                ["\(question.definition.key): \(shares.joined(separator: ", "))"]
                    + [question.period.map { "anew \($0.text)" }].compactMap(\.self)),
            Report.Fact(
                "data",
                ["\(PrintableText(data.name)): \(units)\(clusters) eligible, \(enrolled) expected to be enrolled"]
                    + excluded + [arrivals]),
            Report.Fact("test", [method, sequentialMethod]),
        ]
    }

    private var arrivals: String {
        guard data.hasTimes else { return "without times: all units together, no weeks" }
        return "\(data.unitName)s count from their first row on, over \(NumberFormat.significant(data.days, 4)) days; "
            + "nothing is extrapolated"
    }

    private var method: String {
        let sides = question.sides == .two ? "two-sided" : "one-sided"
        let treatments = arms.names.count - 1
        let holm =
            data.metrics.count > 1
            ? "\(NumberFormat.percent(question.alpha, digits: 4)) divided by \(data.metrics.count) metrics, "
                + "the first step "
                + "of Holm's correction" : nil
        let several =
            switch question.correction {
            case _ where treatments == 1: String?.none
            case .dunnett: "Dunnett's for \(treatments) treatments"
            case .bonferroni: "Bonferroni's for \(treatments) treatments"
            case .none: "no correction for \(treatments) treatments"
            }
        let grounds = [holm, several].compactMap(\.self)
        let cause = grounds.isEmpty ? "" : " (\(grounds.joined(separator: "; ")))"
        let smallestText = Set(arms.shares.dropFirst()).count > 1 ? "; the smallest treatment decides" : ""
        let test = data.pairs == nil ? "Welch's \(sides)" : "the \(sides) paired"
        return "fixed: one look at the end, \(test) t-test at \(NumberFormat.percent(level.fixed, digits: 4))"
            + "\(cause)\(smallestText)"
    }

    private var sequentialMethod: String {
        let mixing = zip(data.metrics, mixtures).map { metric, mixture in
            let name = data.metrics.count > 1 ? "\(PrintableText(metric.question.name)) " : ""
            return "\(name)tau² = \(NumberFormat.significant(mixture.variance, 4))"
        }
        return "sequential: two-sided mSPRT with a normal mixture, valid at every look, at "
            + "\(NumberFormat.percent(level.sequential, digits: 4)); \(mixing.joined(separator: ", ")), "
            + "tuned to the last "
            + "week"
    }

    // MARK: Metrics

    private func section(_ index: Int) -> Report.Section {
        let metric = data.metrics[index]
        var blocks: [Report.Block] = [.text(grounds(metric)), table(index), .notes(notes(index))]
        if weeks.count > 1 {
            blocks += [
                .plot(
                    Report.Plot(
                        "The smallest change of \(PrintableText(metric.question.name)) that is found with a "
                            + "probability of "
                            + "\(target), by week."
                    ) { plotEffects(index, in: &$0) }),
                .plot(
                    Report.Plot(
                        "The power for a change of \(signed(changes[index], index)) of "
                            + "\(PrintableText(metric.question.name)), by week."
                    ) { plotPower(index, in: &$0) }),
            ]
        }
        return Report.Section(.name(metric.question.name), style: .chapter, blocks)
    }

    private func grounds(_ metric: PlannedMetric) -> String {
        let deviation = Double.squareRoot(metric.variance)()
        let kind = metric.question.ratio == nil ? "Mean" : "Ratio"
        var text =
            "\(kind) \(NumberFormat.significant(metric.ratio, 6)), standard deviation of a \(data.unitName) "
            + "\(NumberFormat.significant(deviation, 6)), skewness \(NumberFormat.significant(metric.skewness, 4))."
        if let effect = metric.designEffect {
            text += " Design effect of the \(data.unitName)s: \(NumberFormat.significant(effect, 4))."
        }
        if let correlation = metric.pairCorrelation {
            text += " The correlation of the two windows of a pair is \(NumberFormat.significant(correlation, 4))."
        }
        if let correlation = metric.correlation, let before = metric.question.before {
            let share = NumberFormat.percent(correlation * correlation, digits: 4)
            text +=
                " The correlation with \(PrintableText(before)) is "
                + "\(NumberFormat.significant(correlation, 4)), and CUPED "
                + "removes \(share) of the variance."
        }
        return text
    }

    private func table(_ index: Int) -> Report.Block {
        let metric = data.metrics[index]
        let adjusts = metric.correlation != nil
        let margin = margins?[index]
        var columns: [Report.Column] = [
            data.hasTimes ? .number("week") : .text("units of"),
            .number(data.washedOutCount == nil ? "units" : "windows"), .number("smallest change"),
        ]
        if adjusts { columns.append(.number("without CUPED")) }
        columns.append(.number("sequential"))
        columns += [.number("power"), .number("sequential power")]
        if margin != nil { columns += [.number("smallest margin"), .number("power at the margin")] }
        let rows = weeks.map { week in
            let head = [
                data.hasTimes ? "\(week.number)" : "all", NumberFormat.grouped(Int(week.sizes.reduce(0, +).rounded())),
            ]
            guard let finding = week.findings?[index] else {
                return head + Array(repeating: "–", count: columns.count - head.count)
            }
            let margins =
                finding.powerOfMargin.map {
                    [number(finding.margin, index), NumberFormat.percent($0, digits: 4)]
                } ?? []
            let unadjusted = adjusts ? [number(finding.unadjusted ?? finding.fixed, index)] : []
            return head + [number(finding.fixed, index)] + unadjusted + [number(finding.sequential, index)]
                + [finding.power.fixed, finding.power.sequential].map { NumberFormat.percent($0, digits: 4) } + margins
        }
        return .table(columns, texts: rows)
    }

    private func notes(_ index: Int) -> [String] {
        let metric = data.metrics[index]
        let means =
            effects[index] == .added(changes[index]) ? "added to each value" : "by which each value is multiplied"
        var notes = [
            "The power is that for \(signed(changes[index], index)), \(means); the sequential power counts this look "
                + "alone, and with the earlier ones it is at least this."
        ]
        if let margin = margins?[index] {
            notes.append(
                "The margin of non-inferiority is \(number(margin, index)): the power at the margin is that "
                    + "of an interval "
                    + "of the same level that ends above it, without a true difference.")
        }
        let needed = metric.unitsForNormality
        if let fewest = weeks.last?.sizes.min(), fewest < needed {
            notes.append(
                "Note: an arm has \(NumberFormat.grouped(Int(fewest.rounded()))) "
                    + "\(data.washedOutCount == nil ? "units" : "windows"), below 355 · skewness² = "
                    + "\(NumberFormat.grouped(Int(needed.rounded(.up)))); the true false alarms and power "
                    + "may differ from "
                    + "these numbers\(replay == nil ? ", and a replay shows by how much" : "").")
        }
        return notes
    }

    /// A change with its share of the mean: `0.52 (3.1%)`.
    private func number(_ change: Double, _ index: Int) -> String {
        let ratio = abs(data.metrics[index].ratio)
        let share = ratio > 0 ? " (\(NumberFormat.percent(change / ratio, digits: 3)))" : ""
        return NumberFormat.significant(change, 4) + share
    }

    private func signed(_ change: Double, _ index: Int) -> String {
        (change > 0 ? "+" : "") + number(change, index)
    }

    // MARK: Plots

    private func plotEffects(_ index: Int, in markup: inout Markup) {
        let lines: [(String, (Finding) -> Double?)] = [
            ("one look", { $0.fixed }), ("no CUPED", { $0.unadjusted }), ("sequential", { $0.sequential }),
        ]
        plot(index, lines, nameUp: "smallest change", in: &markup)
    }

    private func plotPower(_ index: Int, in markup: inout Markup) {
        plot(
            index, [("one look", { $0.power.fixed }), ("sequential", { $0.power.sequential })], nameUp: "power",
            most: 1,
            in: &markup)
    }

    private func plot(
        _ index: Int, _ lines: [(String, (Finding) -> Double?)], nameUp: String, most: Double? = nil,
        in markup: inout Markup
    ) {
        let curves = lines.enumerated().map { number, line in
            PlotLine(
                line.0, PlotSeries(number),
                weeks.compactMap { week in
                    (week.findings?[index]).flatMap(line.1).map { (x: Double(week.number), y: $0) }
                })
        }
        // The first weeks have few units, and would press the others to the ground.
        let shown = weeks.suffix(max(weeks.count * 3 / 4, 1)).compactMap { $0.findings?[index] }
        let highest = most ?? shown.flatMap { finding in lines.compactMap { $0.1(finding) } }.max() ?? 1
        let frame = PlotFrame(
            horizontal: 1...Double(max(weeks.count, 2)), vertical: 0...highest, pictureHeight: 260,
            right: PlotLine.nameWidth)
        let across = AxisTicks(upTo: Double(weeks.count))
        let up = (0...4).map { Double($0) / 4 * highest }
        let name = PrintableText(data.metrics[index].question.name)
        markup.chart(height: 260, "The \(nameUp) of \(name) by week") { markup in
            frame.drawAxes(
                &markup, ticksAcross: across.labels(from: 0, to: Double(weeks.count)).filter { $0.0 >= 1 },
                nameAcross: "week",
                ticksUp: up.map { ($0, most == nil ? NumberFormat.significant($0, 3) : NumberFormat.percent($0)) },
                nameUp: nameUp)
            PlotLine.draw(curves, in: frame, &markup)
        }
    }

    // MARK: Replay

    private func section(_ replay: Replay) -> Report.Section {
        let rows: [[Report.Cell]] = replay.rates.map { rate in
            let interval = [rate.interval.lowerBound, rate.interval.upperBound].map { NumberFormat.percent($0, 2) }
            let claim =
                switch rate.claim {
                case .equal: ""
                case .atMost: "at most "
                case .atLeast: "at least "
                }
            return [
                Report.Cell(label(rate.kind)), Report.Cell(NumberFormat.percent(rate.share, 2)),
                Report.Cell(interval.joined(separator: " to ")),
                Report.Cell("\(claim)\(NumberFormat.percent(rate.formula, 2))"),
                Report.Cell(rate.disagrees ? "DIFFERS" : "agrees", isBad: rate.disagrees),
            ]
        }
        let all = "All \(rows.count) intervals together hold the true rates with a probability of "
        var blocks: [Report.Block] = [
            .table([.text("found in"), .number("salts"), .number("interval"), .number("formula"), .text("")], rows),
            .text(
                all + "\(NumberFormat.percent(1 - Replay.error)) or more: each is the one of Clopper and Pearson for "
                    + "\(NumberFormat.percent(replay.confidence)) (Bonferroni)."),
        ]
        let doubts = replay.rates.filter(\.disagrees).map { rate in
            "\(label(rate.kind)): the interval excludes the formula's "
                + "\(NumberFormat.percent(rate.formula, 2)); plan with "
                + "\(NumberFormat.percent(rate.share, 2)), with more units, or with a metric of fewer extreme values."
        }
        blocks.append(.list(doubts))
        for (metric, pValues) in zip(data.metrics, replay.pValues) where !pValues.isEmpty {
            blocks += QuantilePlot(
                pValues: pValues, subject: "\(PrintableText(metric.question.name)) under \(replay.saltCount) salts"
            )
            .blocks("P-values of \(PrintableText(metric.question.name)) without an effect, in order.")
        }
        let name = counted(replay.saltCount, "salt")
        let range = "\(replaySalt(1)) to \(replaySalt(replay.saltCount))"
        return Report.Section(
            "Replay: the same units split under \(name), \(range)", style: .chapter, isGood: !replay.disagrees, blocks)
    }

    private func label(_ kind: Replay.Kind) -> String {
        guard let metric = kind.metric else {
            return "false alarms, " + (kind.isSequential ? "sequential, a look each week" : "one look at the end")
        }
        return (kind.isSequential ? "sequential power" : "power")
            + " for \(signed(changes[metric], metric)) of \(PrintableText(data.metrics[metric].question.name))"
    }
}
