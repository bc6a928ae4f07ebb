import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

extension PowerFromData {
    /// The plan for people.
    package var report: Report {
        Report(
            verdict, title: "Power of \(question.definition.key), from data", isGood: !disagrees,
            lead: [.facts(facts), .notes(data.notes)],
            (data.metrics.indices.map(section) + (replay.map { [section($0)] } ?? [])).map(Report.Block.section))
    }

    /// Whether the replay contradicts a formula.
    package var disagrees: Bool { replay?.disagrees ?? false }

    private var hasEffect: Bool { question.effect != nil || question.relativeEffect != nil }

    private var verdict: String {
        let span = data.hasTimes ? " after \(counted(weeks.count, "week"))" : ""
        let texts = (weeks.last?.findings ?? []).enumerated().map { metric, finding in
            hasEffect
                ? "\(percent(finding.power.fixed)) for \(signed(changes[metric], metric)) of \(name(metric))"
                : "\(number(finding.fixed, metric)) of \(name(metric))"
        }
        let answer = hasEffect ? "Power" : "Smallest change found with a probability of \(target)"
        let doubt = disagrees ? "; the replay contradicts the formula" : ""
        return "\(answer)\(span): \(texts.joined(separator: "; "))\(doubt)"
    }

    private var target: String { percent(question.power) }

    private func percent(_ share: Double) -> String { NumberFormat.percent(share, digits: 4) }

    private func name(_ metric: Int) -> PrintableText { PrintableText(data.metrics[metric].question.name) }

    /// The noun for what the sizes of arms count.
    private var armNoun: String { data.washedOutCount == nil ? "units" : "windows" }

    // MARK: Facts

    private var facts: [Report.Fact] {
        let shares = zip(arms.names, arms.shares).map { "\(PrintableText($0)) \(percent($1))" }
        let row = data.washedOutCount == nil ? "unit" : "row"
        let pairs = data.pairs.map { " of \(NumberFormat.countedInGroups($0.count, "pair"))" } ?? ""
        let clusters =
            data.clusterCount.map { count in
                " in \(NumberFormat.countedInGroups(count, data.unitName))\(pairs), the largest with "
                    + NumberFormat.countedInGroups(data.largestCluster, row)
            } ?? ""
        let eligible = "\(PrintableText(data.name)): \(NumberFormat.countedInGroups(data.unitCount, row))\(clusters)"
        let enrolled = weeks.last.map(total) ?? ""
        let others = Reason.allCases.filter { data.reasons[Int($0.rawValue)] > 0 && $0 != .split }
            .map { "\(NumberFormat.grouped(data.reasons[Int($0.rawValue)])) \($0.text)" }
        let excluded = others.isEmpty ? [] : ["rows that are not eligible: \(others.joined(separator: ", "))"]
        let period = question.period.map { ["anew \($0.text)"] } ?? []
        return [
            Report.Fact("experiment", ["\(question.definition.key): \(shares.joined(separator: ", "))"] + period),
            Report.Fact(
                "data", ["\(eligible) eligible, \(enrolled) expected to be enrolled"] + excluded + [arrivals]),
            Report.Fact("test", [method, sequentialMethod]),
        ]
    }

    /// The expected number of units of all arms.
    private func total(_ week: Week) -> String { NumberFormat.grouped(Int(week.sizes.reduce(0, +).rounded())) }

    private var arrivals: String {
        guard data.hasTimes else { return "without times: all units together, no weeks" }
        return "\(data.unitName)s count from their first row on, over \(NumberFormat.significant(data.days, 4)) days; "
            + "nothing is extrapolated"
    }

    private var method: String {
        let sides = question.sides == .two ? "two-sided" : "one-sided"
        let treatments = arms.names.count - 1
        let holm =
            "\(percent(question.alpha)) divided by \(data.metrics.count) metrics, the first step of Holm's correction"
        let several =
            switch question.correction {
            case .dunnett: "Dunnett's for \(treatments) treatments"
            case .bonferroni: "Bonferroni's for \(treatments) treatments"
            case .none: "no correction for \(treatments) treatments"
            }
        let grounds = (data.metrics.count > 1 ? [holm] : []) + (treatments > 1 ? [several] : [])
        let cause = grounds.isEmpty ? "" : " (\(grounds.joined(separator: "; ")))"
        let smallestText = Set(arms.shares.dropFirst()).count > 1 ? "; the smallest treatment decides" : ""
        let test = data.pairs == nil ? "Welch's \(sides)" : "the \(sides) paired"
        return "fixed: one look at the end, \(test) t-test at \(percent(level.fixed))\(cause)\(smallestText)"
    }

    private var sequentialMethod: String {
        let mixing = mixtures.indices.map { metric in
            (mixtures.count > 1 ? "\(name(metric)) " : "")
                + "tau² = \(NumberFormat.significant(mixtures[metric].variance, 4))"
        }
        return "sequential: two-sided mSPRT with a normal mixture, valid at every look, at "
            + "\(percent(level.sequential)); \(mixing.joined(separator: ", ")), tuned to the last week"
    }

    // MARK: Metrics

    private func section(_ index: Int) -> Report.Section {
        let effects = "The smallest change of \(name(index)) that is found with a probability of \(target), by week."
        let power = "The power for a change of \(signed(changes[index], index)) of \(name(index)), by week."
        let plots: [Report.Block] = [
            .plot(Report.Plot(effects) { plotEffects(index, in: &$0) }),
            .plot(Report.Plot(power) { plotPower(index, in: &$0) }),
        ]
        return Report.Section(
            .name(data.metrics[index].question.name), style: .chapter,
            [.text(grounds(data.metrics[index])), table(index), .notes(notes(index))] + (weeks.count > 1 ? plots : []))
    }

    private func grounds(_ metric: PlannedMetric) -> String {
        func text(_ value: Double) -> String { NumberFormat.significant(value, 4) }
        var sentences = [
            "\(metric.question.ratio == nil ? "Mean" : "Ratio") \(NumberFormat.significant(metric.ratio, 6)), standard "
                + "deviation of a \(data.unitName) \(NumberFormat.significant(metric.variance.squareRoot(), 6)), "
                + "skewness \(text(metric.skewness))."
        ]
        if let effect = metric.designEffect {
            sentences.append("Design effect of the \(data.unitName)s: \(text(effect)).")
        }
        if let correlation = metric.pairCorrelation {
            sentences.append("The correlation of the two windows of a pair is \(text(correlation)).")
        }
        if let correlation = metric.correlation, let before = metric.question.before {
            sentences.append(
                "The correlation with \(PrintableText(before)) is \(text(correlation)), and CUPED removes "
                    + "\(percent(correlation * correlation)) of the variance.")
        }
        return sentences.joined(separator: " ")
    }

    private func table(_ index: Int) -> Report.Block {
        let adjusts = data.metrics[index].correlation != nil
        let hasMargin = margins != nil
        let columns: [Report.Column] =
            [data.hasTimes ? .number("week") : .text("units of"), .number(armNoun), .number("smallest change")]
            + (adjusts ? [.number("without CUPED")] : [])
            + [.number("sequential"), .number("power"), .number("sequential power")]
            + (hasMargin ? [.number("smallest margin"), .number("power at the margin")] : [])
        let rows = weeks.map { week in
            let head = [data.hasTimes ? "\(week.number)" : "all", total(week)]
            guard let finding = week.findings?[index] else {
                return head + Array(repeating: "–", count: columns.count - head.count)
            }
            let margins = finding.powerOfMargin.map { [number(finding.margin, index), percent($0)] } ?? []
            let unadjusted = adjusts ? [number(finding.unadjusted ?? finding.fixed, index)] : []
            return head + [number(finding.fixed, index)] + unadjusted + [number(finding.sequential, index)]
                + [percent(finding.power.fixed), percent(finding.power.sequential)] + margins
        }
        return .table(columns, texts: rows)
    }

    private func notes(_ index: Int) -> [String] {
        let isAdded = effects[index] == .added(changes[index])
        var notes = [
            "The power is that for \(signed(changes[index], index)), "
                + (isAdded ? "added to each value" : "by which each value is multiplied")
                + "; the sequential power counts this look alone, and with the earlier ones it is at least this."
        ]
        if let margin = margins?[index] {
            notes.append(
                "The margin of non-inferiority is \(number(margin, index)): the power at the margin is that of an "
                    + "interval of the same level that ends above it, without a true difference.")
        }
        let needed = data.metrics[index].unitsForNormality
        if let fewest = weeks.last?.sizes.min(), fewest < needed {
            notes.append(
                "Note: an arm has \(NumberFormat.grouped(Int(fewest.rounded()))) \(armNoun), below 355 · skewness² = "
                    + "\(NumberFormat.grouped(Int(needed.rounded(.up)))); the true false alarms and power may differ "
                    + "from these numbers\(replay == nil ? ", and a replay shows by how much" : "").")
        }
        return notes
    }

    /// A change with its share of the mean: `0.52 (3.1%)`.
    private func number(_ change: Double, _ index: Int) -> String {
        let ratio = abs(data.metrics[index].ratio)
        let share = ratio > 0 ? " (\(NumberFormat.percent(change / ratio, digits: 3)))" : ""
        return NumberFormat.significant(change, 4) + share
    }

    private func signed(_ change: Double, _ index: Int) -> String { (change > 0 ? "+" : "") + number(change, index) }

    // MARK: Plots

    private func plotEffects(_ index: Int, in markup: inout Markup) {
        let lines: [(String, (Finding) -> Double?)] = [
            ("one look", { $0.fixed }), ("no CUPED", { $0.unadjusted }), ("sequential", { $0.sequential }),
        ]
        plot(index, lines, nameUp: "smallest change", in: &markup)
    }

    private func plotPower(_ index: Int, in markup: inout Markup) {
        let lines: [(String, (Finding) -> Double?)] = [
            ("one look", { $0.power.fixed }), ("sequential", { $0.power.sequential }),
        ]
        plot(index, lines, nameUp: "power", most: 1, in: &markup)
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
        markup.chart(height: 260, "The \(nameUp) of \(name(index)) by week") { markup in
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
            let claim = rate.claim == .equal ? "" : rate.claim == .atMost ? "at most " : "at least "
            return [
                Report.Cell(label(rate.kind)), Report.Cell(NumberFormat.percent(rate.share, 2)),
                Report.Cell(interval.joined(separator: " to ")),
                Report.Cell("\(claim)\(NumberFormat.percent(rate.formula, 2))"),
                Report.Cell(rate.disagrees ? "DIFFERS" : "agrees", isBad: rate.disagrees),
            ]
        }
        let doubts = replay.rates.filter(\.disagrees).map { rate in
            "\(label(rate.kind)): the interval excludes the formula's \(NumberFormat.percent(rate.formula, 2)); plan "
                + "with \(NumberFormat.percent(rate.share, 2)), with more units, or with a metric of fewer extreme "
                + "values."
        }
        let plots = replay.pValues.indices.filter { !replay.pValues[$0].isEmpty }.flatMap { metric in
            QuantilePlot(
                pValues: replay.pValues[metric], subject: "\(name(metric)) under \(replay.saltCount) salts"
            ).blocks("P-values of \(name(metric)) without an effect, in order.")
        }
        let salts = "\(replaySalt(1)) to \(replaySalt(replay.saltCount))"
        return Report.Section(
            "Replay: the same units split under \(counted(replay.saltCount, "salt")), \(salts)", style: .chapter,
            isGood: !replay.disagrees,
            [
                .table(
                    [.text("found in"), .number("salts"), .number("interval"), .number("formula"), .text("")], rows),
                .text(
                    "All \(rows.count) intervals together hold the true rates with a probability of "
                        + "\(NumberFormat.percent(1 - Replay.error)) or more: each is the one of Clopper and Pearson "
                        + "for \(NumberFormat.percent(replay.confidence)) (Bonferroni)."),
                .list(doubts),
            ] + plots)
    }

    private func label(_ kind: Replay.Kind) -> String {
        guard let metric = kind.metric else {
            return "false alarms, " + (kind.isSequential ? "sequential, a look each week" : "one look at the end")
        }
        return (kind.isSequential ? "sequential power" : "power")
            + " for \(signed(changes[metric], metric)) of \(name(metric))"
    }
}
