import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

extension HoldoutReport {
    package var lines: [String] { TextRenderer().lines(report) }

    /// The report for people.
    package var report: Report {
        func part(_ name: Report.Cell, _ blocks: [Report.Block]) -> Report.Block {
            .section(Report.Section(name, style: .part, blocks))
        }
        let comparison =
            metrics.isEmpty ? [] : [part("Without and with the experiments", [metricTable, .notes(notes)])]
        let time = weeks.isEmpty ? [] : [part("Held out, by week", [weekTable, .plot(weekPlot)])]
        let late =
            "Shares are those of the units in the audience, once no unit is held out. Units that come back meet their "
            + "variants late: leave them out of results, or give an experiment that goes on a new salt."
        let end = part("Who comes back when it ends", [.table(returningColumns, returning), .notes([late])])
        return Report(
            verdict, title: "Holdout \(holdout.name)", isGood: !isMismatch, [.facts(facts)] + comparison + time + [end])
    }

    private var verdict: String {
        let share = holdout.hash.percentage(of: holdout.share)
        let size = "\(holdout.name) holds out \(share) of units (\(holdout.unit), \(holdout.hash.words))"
        guard let counts, let all = ratios.first(where: { $0.part == .all }) else { return "\(size)." }
        let seen =
            "of \(NumberFormat.countedInGroups(all.unitCount, "unit")) in \(counts.fileName) "
            + "\(NumberFormat.grouped(all.heldOut)) (\(part(all)))"
        guard let worst = ratios.filter({ $0.adjusted < PValue(alpha) }).min(by: { $0.adjusted < $1.adjusted }) else {
            let least = ratios.map(\.adjusted).min() ?? all.adjusted
            return "\(size); \(seen): no sign of a mismatch (p = \(least))."
        }
        return
            "\(size); \(seen): MISMATCH of \(Self.name(worst.part)) (\(part(worst)) held out, p = \(worst.adjusted)). "
            + "Units of one side are missing from the data, so no difference between the sides can be trusted."
    }

    private func part(_ ratio: HoldoutRatio) -> String {
        NumberFormat.share(Double(ratio.heldOut) / Double(ratio.unitCount))
    }

    private static func name(_ part: HoldoutRatio.Part) -> String {
        switch part {
        case .all: "all units"
        case .touched: "units that experiments touch"
        case .week(let day): "the week from \(CalendarDate(daysSince1970: day).text)"
        }
    }

    /// The share of units on the other side that an experiment touches: that met it if exposures are given, or else
    /// that it gives a variant; `nil` without data.
    var dilution: Double? { counts.flatMap { share(exposed == nil ? $0.others.touchedCount : $0.others.exposedCount) } }

    /// The share of units on the other side; `nil` if there are none.
    private func share(_ count: Int) -> Double? {
        counts.flatMap { $0.others.unitCount > 0 ? Double(count) / Double($0.others.unitCount) : nil }
    }

    private var facts: [Report.Fact] {
        let covers = Report.Fact("covers", [counted(experiments.count, "experiment")])
        guard let counts, let dilution, let touched = share(counts.others.touchedCount) else { return [covers] }
        let effect = ": an effect on these is \(NumberFormat.significant(dilution, 2)) of it among all units"
        let assigned = "\(NumberFormat.share(touched)) of the other units get a variant of an experiment"
        let diluted =
            exposed.map { exposed in
                let leaked = counts.heldOut.exposedCount
                return [
                    "\(NumberFormat.share(dilution)) of the other units met an experiment, by the exposures in "
                        + exposed.fileName + effect, assigned,
                ] + (leaked > 0 ? ["\(NumberFormat.countedInGroups(leaked, "held-out unit")) met one as well"] : [])
            } ?? [assigned + effect]
        let heldOut = counts.heldOut
        let back = ratios.first { $0.part == .touched }.map { ratio in
            "\(NumberFormat.grouped(heldOut.touchedCount)) of "
                + "\(NumberFormat.countedInGroups(heldOut.unitCount, "held-out unit")) get a variant when it ends; of "
                + "all units with a variant \(part(ratio)) are held out (p = \(ratio.pValue))"
        }
        let left = [
            (counts.forcedCount, "a variant by force"), (counts.repeatCount, "an ID that came before"),
            (counts.invalidCount, "no valid ID"),
        ].filter { $0.0 > 0 }.map { "\(NumberFormat.countedInGroups($0.0, "row")) with \($0.1)" }
        let missing = counts.missingAttributes.map { PrintableText($0).description }.joined(separator: ", ")
        return [
            covers, Report.Fact("dilution", diluted), Report.Fact("comes back", back.map { [$0] } ?? []),
            Report.Fact("left out", left.isEmpty ? [] : [left.joined(separator: ", ")]),
            Report.Fact(
                "not in the data", missing.isEmpty ? [] : ["\(missing): decisions read it and take it as missing"]),
        ].filter { !$0.blocks.isEmpty }
    }

    // MARK: Metrics

    private var metricTable: Report.Block {
        let rows = metrics.map { metric -> [Report.Cell] in
            let interval = metric.comparison?.interval(confidence: Self.confidence)
            func number(_ value: Double?) -> String { value.map { NumberFormat.significant($0, 4) } ?? "–" }
            func mean(_ side: SampleMoments) -> String { number(side.count > 0 ? side.mean : nil) }
            let bounds = interval.map { "\(number($0.lowerBound)) to \(number($0.upperBound))" } ?? "–"
            return [.name(metric.name), metric.isOfTouched ? "with a variant" : "all units"]
                + [
                    mean(metric.heldOut), mean(metric.others), number(metric.comparison?.difference), bounds,
                    number(metric.detectable),
                ].map { Report.Cell($0) }
        }
        return .table(
            [
                .text("metric"), .text("units"), .number("held out"), .number("others"), .number("difference"),
                .number("95% interval"), .number("found from"),
            ], rows)
    }

    private var notes: [String] {
        var notes = [
            "The difference is what all experiments together do (Welch's interval). \"found from\" is the smallest one "
                + "that is found with a probability of 80% at a level of 5%. Units with a variant are those that an "
                + "experiment touches, or would touch without the holdout: Allot knows them on both sides."
        ]
        for (metric, count) in zip(metrics.filter { !$0.isOfTouched }, counts?.missingCounts ?? []) where count > 0 {
            notes.append(
                "\(NumberFormat.countedInGroups(count, "unit")) without \(PrintableText(metric.name)): left out.")
        }
        let fewest = metrics.lazy.map { min($0.heldOut.count, $0.others.count) }.min() ?? 0
        if fewest < HoldoutMetric.plenty {
            notes.append(
                "A side has only \(NumberFormat.countedInGroups(fewest, "unit")): below "
                    + "\(NumberFormat.grouped(HoldoutMetric.plenty)) the interval of a skewed metric is too narrow.")
        }
        return notes
    }

    // MARK: Weeks

    private var weeks: [(day: Int, ratio: HoldoutRatio)] {
        ratios.compactMap { ratio in
            guard case .week(let day) = ratio.part else { return nil }
            return (day, ratio)
        }
    }

    private var weekTable: Report.Block {
        .table(
            [.text("from"), .number("units"), .number("held out"), .number("share"), .number("p, corrected")],
            weeks.map { week in
                [
                    Report.Cell(CalendarDate(daysSince1970: week.day).text),
                    Report.Cell(NumberFormat.grouped(week.ratio.unitCount)),
                    Report.Cell(NumberFormat.grouped(week.ratio.heldOut)), Report.Cell(part(week.ratio)),
                    Report.Cell("\(week.ratio.adjusted)", isBad: week.ratio.adjusted < PValue(alpha)),
                ]
            })
    }

    private var weekPlot: Report.Plot {
        let weeks = weeks
        let target = Double(holdout.share) / Double(holdout.hash.resolution)
        let intervals = weeks.map {
            ProportionInterval.clopperPearson(
                successes: $0.ratio.heldOut, trials: $0.ratio.unitCount, confidence: Self.confidence)
        }
        let top = max(intervals.map(\.upperBound).max() ?? target, target) * 1.05
        let caption =
            "The share of each week's units that is held out, with its 95% interval (Clopper and Pearson), and the "
            + "holdout's share as a line."
        return Report.Plot(caption) { markup in
            let frame = PlotFrame(horizontal: 0...Double(weeks.count), vertical: 0...top, pictureHeight: 190)
            markup.chart(height: 190, caption) { markup in
                let distance = (weeks.count - 1) / 3 + 1
                let across = stride(from: 0, to: weeks.count, by: distance).map {
                    (Double($0) + 0.5, CalendarDate(daysSince1970: weeks[$0].day).text)
                }
                frame.drawAxes(
                    &markup, ticksAcross: across, nameAcross: "week (UTC)",
                    ticksUp: [0, target].map { ($0, NumberFormat.percent($0, 3)) }, nameUp: "held out")
                markup.line(
                    "axis", from: (frame.x(0), frame.y(target)), to: (frame.x(Double(weeks.count)), frame.y(target)))
                for (index, (week, interval)) in zip(weeks, intervals).enumerated() {
                    let x = frame.x(Double(index) + 0.5)
                    markup.line(
                        week.ratio.adjusted < PValue(alpha) ? "far" : "tick", from: (x, frame.y(interval.lowerBound)),
                        to: (x, frame.y(interval.upperBound)))
                    let y = frame.y(Double(week.ratio.heldOut) / Double(week.ratio.unitCount))
                    markup.element(
                        "path", ["class": "points", "d": "M\(PlotFrame.text(x)) \(PlotFrame.text(y))h0"])
                }
            }
        }
    }

    // MARK: Experiments

    private var returningColumns: [Report.Column] {
        [.text("experiment"), .text("status"), .text("variant"), .number("share")]
            + (counts == nil ? [] : [.number("held-out units"), .number("other units")])
    }

    private var returning: [[Report.Cell]] {
        experiments.indices.flatMap { index -> [[Report.Cell]] in
            let experiment = experiments[index]
            return experiment.variants.indices.map { variant in
                let sides = counts.map { [$0.heldOut, $0.others] } ?? []
                return [
                    variant == 0 ? .name(experiment.key) : "",
                    Report.Cell(variant == 0 ? experiment.status.rawValue : ""),
                    .name(experiment.variants[variant].key), Report.Cell("\(shares[index][variant])"),
                ] + sides.map { Report.Cell(NumberFormat.grouped($0.variants[index][variant])) }
            }
        }
    }
}

extension HoldoutReport {
    /// The report for programs.
    package var json: JSONValue {
        let plan = JSONValue(members: [
            "holdout": holdout.name, "unit": holdout.unit, "salt": holdout.hash.salt,
            "share": Double(holdout.share) / Double(holdout.hash.resolution), "alarm": isMismatch,
            "experiments": experiments.indices.objects { index in
                [
                    "experiment": experiments[index].key, "status": experiments[index].status.rawValue,
                    "variants": experiments[index].variants.indices.map { json(index, variant: $0) },
                ]
            },
        ])
        guard let counts else { return plan }
        return plan.merging(
            JSONValue(members: [
                "units": counts.heldOut.unitCount + counts.others.unitCount, "held_out": counts.heldOut.unitCount,
                "forced": counts.forcedCount, "repeated": counts.repeatCount, "invalid": counts.invalidCount,
                "dilution": dilution, "dilution_by": exposed == nil ? "decision" : "exposure",
                "others_exposed": exposed.map { _ in counts.others.exposedCount },
                "held_out_exposed": exposed.map { _ in counts.heldOut.exposedCount },
                "missing_attributes": counts.missingAttributes, "ratios": ratios.map(json(ratio:)),
                "metrics": metrics.objects { metric in
                    let interval = metric.comparison?.interval(confidence: Self.confidence)
                    return [
                        "metric": metric.name, "of": metric.isOfTouched ? "touched" : "all",
                        "held_out": json(metric.heldOut), "others": json(metric.others),
                        "difference": metric.comparison?.difference,
                        "interval": interval.map { [$0.lowerBound, $0.upperBound] },
                        "detectable_effect": metric.detectable,
                    ]
                },
            ]))
    }

    private func json(_ index: Int, variant: Int) -> JSONValue {
        let plan = JSONValue(members: [
            "variant": experiments[index].variants[variant].key, "share": shares[index][variant].json,
        ])
        guard let counts else { return plan }
        return plan.merging(
            JSONValue(members: [
                "held_out": counts.heldOut.variants[index][variant], "others": counts.others.variants[index][variant],
            ]))
    }

    private func json(ratio: HoldoutRatio) -> JSONValue {
        let test = JSONValue(members: [
            "of": ratio.part == .all ? "all" : ratio.part == .touched ? "touched" : "week", "units": ratio.unitCount,
            "held_out": ratio.heldOut, "p_value": ratio.pValue.json, "p_value_corrected": ratio.adjusted.json,
        ])
        guard case .week(let day) = ratio.part else { return test }
        return test.merging(JSONValue(members: ["from": CalendarDate(daysSince1970: day).text]))
    }

    private func json(_ moments: SampleMoments) -> JSONValue {
        JSONValue(members: [
            "units": moments.count, "mean": moments.count > 0 ? moments.mean : nil,
            "standard_deviation": moments.count > 1 ? moments.variance.squareRoot() : nil,
        ])
    }
}
