import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

extension HoldoutReport {
    package var lines: [String] { TextRenderer().lines(report) }

    /// The report for people.
    package var report: Report {
        var report = Report(verdict, title: "Holdout \(holdout.name)", isGood: !isMismatch)
        report.add(.facts(facts))
        if !metrics.isEmpty {
            report.add(
                .section(
                    Report.Section("Without and with the experiments", style: .part, [metricTable, .notes(notes)])))
        }
        if !weeks.isEmpty {
            report.add(.section(Report.Section("Held out, by week", style: .part, [weekTable, .plot(weekPlot)])))
        }
        report.add(
            .section(
                Report.Section(
                    "Who comes back when it ends", style: .part,
                    [
                        .table(
                            counts == nil ? Self.planColumns : Self.planColumns + Self.countColumns, returning,
                            showsHead: true),
                        .notes([
                            "Shares are those of the units in the audience, once no unit is held out. Units that come "
                                + "back meet their variants late: leave them out of results, or give an experiment "
                                + "that goes on a new salt."
                        ]),
                    ])))
        return report
    }

    private var share: String { holdout.hash.percentage(of: holdout.share) }

    private var verdict: String {
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

    /// The share of units on the other side that an experiment gives a variant; `nil` without data.
    var dilution: Double? {
        counts.flatMap { $0.others.unitCount > 0 ? Double($0.others.touchedCount) / Double($0.others.unitCount) : nil }
    }

    private var facts: [Report.Fact] {
        var facts = [
            Report.Fact("covers", [counted(experiments.count, "experiment")])
        ]
        guard let counts, let dilution else { return facts }
        facts.append(
            Report.Fact(
                "dilution",
                [
                    "\(NumberFormat.share(dilution)) of the other units get a variant of an experiment: an effect on "
                        + "these is \(NumberFormat.significant(dilution, 2)) of it among all units"
                ]))
        if let touched = ratios.first(where: { $0.part == .touched }) {
            facts.append(
                Report.Fact(
                    "comes back",
                    [
                        "\(NumberFormat.grouped(counts.heldOut.touchedCount)) of "
                            + "\(NumberFormat.countedInGroups(counts.heldOut.unitCount, "held-out unit")) get a "
                            + "variant when it ends; of all units with a variant \(part(touched)) are held out "
                            + "(p = \(touched.pValue))"
                    ]))
        }
        let left = [
            (counts.forcedCount, "a variant by force"), (counts.repeatCount, "an ID that came before"),
            (counts.invalidCount, "no valid ID"),
        ].filter { $0.0 > 0 }.map { "\(NumberFormat.countedInGroups($0.0, "row")) with \($0.1)" }
        facts.append(Report.Fact("left out", left.isEmpty ? [] : [left.joined(separator: ", ")]))
        facts.append(
            Report.Fact(
                "not in the data",
                counts.missingAttributes.isEmpty
                    ? []
                    : [
                        counts.missingAttributes.map { PrintableText($0).description }.joined(separator: ", ")
                            + ": decisions read it and take it as missing"
                    ]))
        return facts.filter { !$0.blocks.isEmpty }
    }

    // MARK: Metrics

    private var metricTable: Report.Block {
        let rows = metrics.map { metric -> [Report.Cell] in
            let interval = metric.comparison?.interval(confidence: Self.confidence)
            func number(_ value: Double?) -> Report.Cell {
                Report.Cell(value.map { NumberFormat.significant($0, 4) } ?? "–")
            }
            return [
                .name(metric.name), metric.isOfTouched ? "with a variant" : "all units",
                number(metric.heldOut.count > 0 ? metric.heldOut.mean : nil),
                number(metric.others.count > 0 ? metric.others.mean : nil),
                number(metric.comparison?.difference),
                Report.Cell(
                    interval.map {
                        "\(NumberFormat.significant($0.lowerBound, 4)) to \(NumberFormat.significant($0.upperBound, 4))"
                    } ?? "–"), number(metric.detectable),
            ]
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

    private static let planColumns: [Report.Column] = [
        .text("experiment"), .text("status"), .text("variant"), .number("share"),
    ]
    private static let countColumns: [Report.Column] = [.number("held-out units"), .number("other units")]

    private var returning: [[Report.Cell]] {
        experiments.indices.flatMap { index -> [[Report.Cell]] in
            let experiment = experiments[index]
            return experiment.variants.indices.map { variant in
                var row: [Report.Cell] = [
                    variant == 0 ? .name(experiment.key) : "",
                    Report.Cell(variant == 0 ? experiment.status.rawValue : ""),
                    .name(experiment.variants[variant].key), Report.Cell("\(shares[index][variant])"),
                ]
                if let counts {
                    row += [counts.heldOut, counts.others].map {
                        Report.Cell(NumberFormat.grouped($0.variants[index][variant]))
                    }
                }
                return row
            }
        }
    }
}

extension HoldoutReport {
    /// The report for programs.
    package var json: JSONValue {
        var object: JSONObject = [
            "holdout": .string(holdout.name), "unit": .string(holdout.unit), "salt": .string(holdout.hash.salt),
            "share": .double(Double(holdout.share) / Double(holdout.hash.resolution)), "alarm": .boolean(isMismatch),
            "experiments": .array(
                experiments.indices.map { index in
                    [
                        "experiment": .string(experiments[index].key),
                        "status": .string(experiments[index].status.rawValue),
                        "variants": .array(experiments[index].variants.indices.map { json(index, variant: $0) }),
                    ]
                }),
        ]
        guard let counts else { return .object(object) }
        object["units"] = .int(counts.heldOut.unitCount + counts.others.unitCount)
        object["held_out"] = .int(counts.heldOut.unitCount)
        object["forced"] = .int(counts.forcedCount)
        object["repeated"] = .int(counts.repeatCount)
        object["invalid"] = .int(counts.invalidCount)
        object["dilution"] = .double(dilution)
        object["missing_attributes"] = .strings(counts.missingAttributes)
        object["ratios"] = .array(
            ratios.map { ratio in
                var object: JSONObject = [:]
                switch ratio.part {
                case .all: object["of"] = "all"
                case .touched: object["of"] = "touched"
                case .week(let day):
                    object["of"] = "week"
                    object["from"] = .string(CalendarDate(daysSince1970: day).text)
                }
                object["units"] = .int(ratio.unitCount)
                object["held_out"] = .int(ratio.heldOut)
                object["p_value"] = ratio.pValue.json
                object["p_value_corrected"] = ratio.adjusted.json
                return .object(object)
            })
        object["metrics"] = .array(
            metrics.map { metric in
                let interval = metric.comparison?.interval(confidence: Self.confidence)
                return [
                    "metric": .string(metric.name), "of": metric.isOfTouched ? "touched" : "all",
                    "held_out": json(metric.heldOut), "others": json(metric.others),
                    "difference": .double(metric.comparison?.difference),
                    "interval": interval.map { [.double($0.lowerBound), .double($0.upperBound)] } ?? .null,
                    "detectable_effect": .double(metric.detectable),
                ]
            })
        return .object(object)
    }

    private func json(_ index: Int, variant: Int) -> JSONValue {
        var object: JSONObject = [
            "variant": .string(experiments[index].variants[variant].key), "share": shares[index][variant].json,
        ]
        if let counts {
            object["held_out"] = .int(counts.heldOut.variants[index][variant])
            object["others"] = .int(counts.others.variants[index][variant])
        }
        return .object(object)
    }

    private func json(_ moments: SampleMoments) -> JSONValue {
        [
            "units": .int(moments.count), "mean": .double(moments.count > 0 ? moments.mean : nil),
            "standard_deviation": .double(moments.count > 1 ? moments.variance.squareRoot() : nil),
        ]
    }
}
