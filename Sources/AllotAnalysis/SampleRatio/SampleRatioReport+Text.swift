import AllotConfiguration
import AllotReports
import AllotStatistics

extension SampleRatioReport {
    func blocks(holdsCounts: Bool) -> [Report.Block] {
        [
            table,
            .facts([
                Report.Fact("ratio", ratioLines), Report.Fact("sequential", sequentialLines(holdsCounts)),
                Report.Fact("rows", rowLines(holdsCounts)), Report.Fact("unknown", unknownLines(holdsCounts)),
                Report.Fact("in several", blocks: multipleExposureBlocks),
                Report.Fact("returning", carryOver?.lines ?? []), Report.Fact("where", blocks: localisationBlocks),
                Report.Fact("cause", blocks: attribution.map(attributionBlocks) ?? []),
            ]),
        ]
    }

    var summary: String { heading.map { "\($0): \(headline)" } ?? headline }

    private var heading: String? {
        let parts = [
            experiment.map { PrintableText($0).description },
            isNamed.salt ? "salt \(PrintableText(name.salt))" : nil, isNamed.revision ? revision : nil,
        ].compactMap { $0 }
        return parts.joined(separator: ", ").nonEmpty
    }

    // MARK: The verdict

    private var headline: String {
        guard isMismatch else {
            return test.map { test in
                RatioTest.calmText(
                    test.pValue, threshold: text(levels.ratio), test.sensitivityText(threshold: levels.ratio))
            } ?? "nothing to test"
        }
        return RatioTest.mismatchText("(\(findings.joined(separator: "; "))): ", name: findingName)
    }

    /// The name of the most basic finding.
    private var findingName: String {
        if mismatches.contains(.wrongVariants) { return "WRONG VARIANTS" }
        if mismatches.contains(where: \.isRatio) { return "SAMPLE RATIO MISMATCH" }
        if mismatches.contains(.severalVariants) { return "UNITS IN SEVERAL VARIANTS" }
        if mismatches.contains(where: { $0.name == "carry-over" }) { return "CARRY-OVER" }
        return "WRONG VARIANTS"
    }

    var shortFinding: String { "\(findingName) in \(revision)" }
    private var revision: String { name.revision.nonEmpty.map { "revision \(PrintableText($0))" } ?? "no revision" }

    private var findings: [String] {
        mismatches.map { mismatch in
            switch mismatch {
            case .ratio(let pValue): "p = \(pValue)"
            case .sequential(let pValue): "p = \(pValue), valid at every row\(totalNote)"
            case .impossibleVariants(let keys): "units in a variant that has no share: \(impossible(keys))"
            case .hidden(let value): "within \(value.name), p = \(value.adjusted)"
            case .wrongVariants: attribution?.wrong.summary ?? ""
            case .capture(let pValue): "p = \(pValue) of the variants that Allot assigns, hidden by units with another"
            case .reassignment(let moved):
                "\(counted(moved.count, "unit")) with \(PrintableText(shares.variants[moved.to])) instead of "
                    + "\(PrintableText(shares.variants[moved.from])), \(moved.back) the other way round, "
                    + "p = \(moved.pValue)"
            case .severalVariants:
                "\(counted(multipleExposures.unitCount, noun)), \(severalShare), in several variants of one revision"
            case .withoutSeveral(let pValue):
                "p = \(pValue) without the \(counted(multipleExposures.unitCount, noun)) in several variants"
            case .carryOver(let pValue):
                (findingName == "CARRY-OVER" ? "" : "CARRY-OVER: ")
                    + "units that come back from earlier revisions, p = \(pValue); \(CarryOver.advice)"
            }
        }
    }

    private var severalShare: String {
        NumberFormat.part(Double(multipleExposures.unitCount) / Double(max(multipleExposures.presentCount, 1)))
    }

    /// The p-value of all units, if only the one at some row shows the mismatch.
    private var totalNote: String {
        guard let test, test.pValue >= PValue(levels.ratio) else { return "" }
        return ", though all units together have p = \(test.pValue)"
    }

    private func impossible(_ keys: [String]) -> String {
        let names = keys.map { QuotedText($0).description }
        guard unknown.otherCount > 0 else { return names.listed(atMost: 5) }
        return "\(names.prefix(5).joined(separator: ", ")) and many more"
    }

    private func text(_ level: Double) -> String { RatioTest.text(ofLevel: level, sharing: thresholdValue) }

    // MARK: Sections

    private var table: Report.Block {
        let rows = shares.variants.indices.map { index in
            let expected = test?.expected[index] ?? 0
            return [
                shares.variants[index], String(counts[index]), NumberFormat.fixed(expected, 1),
                NumberFormat.difference(Double(counts[index]) - expected, 1),
                test?.residual(index).map { NumberFormat.difference($0, 2) } ?? "",
            ]
        }
        return .numbers(["variant", "observed", "expected", "difference", "residual"], rows)
    }

    private var ratioLines: [String] {
        let line =
            test.map { "\($0.statisticText) (threshold \(text(levels.ratio)))" }
            ?? "no unit of a variant that has a share"
        guard isBalanced else { return [line] }
        return [
            line,
            "windows are balanced in pairs: a unit in both windows of a pair has each variant once. The counts "
                + "vary less than this test assumes, so that it reports less by chance than the threshold says",
        ]
    }

    /// The name of one of those that are counted.
    private var noun: String { hasWindows ? "unit-window" : "unit" }

    private func sequentialLines(_ holdsCounts: Bool) -> [String] {
        let line =
            switch sequential {
            case .tested(let pValue, nil):
                "p = \(pValue) at its smallest, valid at every row; never below \(text(levels.sequential))"
            case .tested(let pValue, let crossing?):
                "p = \(pValue), valid at every row; first below \(text(levels.sequential)) after "
                    + counted(crossing.unitCount, noun) + (crossing.moment.text.nonEmpty.map { " (\($0))" } ?? "")
            case .untimed:
                "not tested: no row has a time that can be read; a time is an instant, such as 2026-11-21T12:00:00Z, a "
                    + "date and a time without an offset, or a whole number"
            case .orderUnknown where holdsCounts: "not tested: it takes the times of counts; name their column"
            case .orderUnknown:
                "not tested: it takes units in the order of time; name the column of their times, or declare the order"
            case .sorted(let runs):
                "not tested: the rows are not in the order of time, but sorted by variant: they are "
                    + "\(counted(runs.count, "run")) of one variant, where about \(Int(runs.expected)) are expected"
            }
        guard case .tested = sequential, untimedCount > 0 else { return [line] }
        return [line, "\(counted(untimedCount, noun)) without a time that can be read: not in this test"]
    }

    private func rowLines(_ holdsCounts: Bool) -> [String] {
        let (all, units) = (counted(rows.rows, "row"), counted(unitCount, noun))
        func note(_ count: Int, _ text: String, _ noun: String = "row", before: String = "") -> String? {
            count > 0 ? "\(before)\(counted(count, noun))\(text)" : nil
        }
        let notes = [
            note(
                rows.repeats,
                " of units in other rows: a unit counts once\(hasWindows ? " in each window" : ""), in the variant of "
                    + "its earliest row"),
            note(rows.withoutUnit, " without a unit ID: left out"),
            note(rows.withoutWindow, " without a window or a time: left out, as units are randomised in windows"),
            note(rows.withoutVariant, " without a variant: left out"),
            note(rows.ignored, " of variants to be ignored: left out"),
            note(
                rows.forced, ": left out, as their variant is not randomised",
                before: "\(counted(rows.forcedUnits, "forced unit")) in "),
            note(rows.overridden, " of overrides on a device: left out, as their variant is not randomised"),
            note(
                rows.otherReasons,
                " \(RowCounts.otherReasonsText): left out; rename the column if it means something else"),
            note(rows.doubtful, " whose time is in doubt: the server's time is used", "unit"),
            note(rows.winners, " of units that get the winner: left out, as it is not randomised"),
        ]
        return [holdsCounts ? "\(all) with counts of \(units)" : "\(all), \(units)"] + notes.compactMap { $0 }
    }

    private func unknownLines(_ holdsCounts: Bool) -> [String] {
        guard !unknown.isEmpty else { return [] }
        let noun = holdsCounts ? "unit" : "row"
        var names = unknown.variants.map { variant in
            let near = NearestName.hint(for: variant.key, among: shares.variants)
            let hint = near.map { "; did you mean \(PrintableText($0))?" } ?? ""
            return "\(QuotedText(variant.key)) (\(counted(variant.count, noun))\(hint))"
        }
        if unknown.otherCount > 0 { names.append("and others (\(counted(unknown.otherCount, noun)))") }
        let list = names.joined(separator: ", ")
        let advice = "They are not part of the test; ignore them to leave them out on purpose"
        return ["variants that have no share: \(list). \(advice)"]
    }

    private var multipleExposureBlocks: [Report.Block] {
        let several = multipleExposures
        var lines: [String] = []
        if several.unitCount > 0 {
            let without = withoutMultipleExposures.map { "; without them p = \($0.pValue)" } ?? ""
            lines.append(
                "\(counted(several.unitCount, noun)) (\(severalShare)) in more than one variant, counted in the "
                    + "first\(without)")
            if several.undecidedCount > 0 {
                lines.append(
                    "\(counted(several.undecidedCount, noun)) of them not counted, as no time says which variant was "
                        + "the first")
            }
            if several.isAlarm {
                lines.append(
                    "Look for what changes the variant of a unit: an ID that changes at login or is shared, "
                        + "assignments kept on a device, weights changed without a new revision.")
            }
        }
        let examples = several.examples.map { example in
            let parts = zip(example.variants, example.times).map { variant, time in
                "\(PrintableText(variant))\(time.isEmpty ? "" : " at \(time)")"
            }
            return "\(QuotedText(example.unit)): \(parts.joined(separator: ", "))"
        }
        let blocks = lines.map(Report.Block.text) + [Report.Block.list(examples)]
        guard several.reassignedCount > 0 else { return blocks }
        let units = counted(several.reassignedCount, noun)
        return blocks + [.text("\(units) reassigned between revisions, counted in the first of them")]
    }
}
