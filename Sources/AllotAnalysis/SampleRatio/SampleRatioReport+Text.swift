import AllotConfiguration

extension SampleRatioReport {
    /// The report for people.
    ///
    /// - Parameter holdsCounts: whether the rows hold counts of units.
    func lines(holdsCounts: Bool = false) -> [String] {
        var sections = [
            ("ratio", ratioLines), ("sequential", sequentialLines(holdsCounts)), ("rows", rowLines(holdsCounts)),
        ]
        if !unknown.isEmpty { sections.append(("unknown", unknownLines(holdsCounts))) }
        if multipleExposures.unitCount > 0 { sections.append(("in several", multipleExposureLines)) }
        sections.append(("where", localisationLines))
        if let attribution { sections.append(("cause", attributionLines(attribution))) }
        var table = TextTable(header: Self.tableHeader)
        for row in tableRows { table.append(row) }
        return [summary, ""] + table.lines() + [""] + sections.flatMap(ReportSection.lines)
    }

    /// What the report is about, and the verdict.
    package var summary: String { heading.map { "\($0): \(headline)" } ?? headline }

    /// What the report is about, if anything says so.
    private var heading: String? {
        let revision = name.revision.isEmpty ? "no revision" : "revision \(PrintableText(name.revision))"
        let parts = [
            experiment, isNamed.salt ? "salt \(PrintableText(name.salt))" : nil, isNamed.revision ? revision : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    // MARK: The verdict

    private var headline: String {
        guard isMismatch else { return calmHeadline }
        let parts = mismatches.map { mismatch in
            switch mismatch {
            case .ratio(let pValue): "p = \(pValue)"
            case .sequential(let pValue): "p = \(pValue), valid at every row\(totalNote)"
            case .impossibleVariants(let keys): "units in a variant that has no share: \(impossible(keys))"
            case .hidden(let value): "within \(value.name), p = \(value.adjusted)"
            case .capture(let pValue): "p = \(pValue) of the variants that Allot assigns, hidden by units with another"
            case .reassignment(let moved):
                "\(counted(moved.count, "unit")) with \(shares.variants[moved.to]) instead of "
                    + "\(shares.variants[moved.from]), \(moved.back) the other way round, p = \(moved.pValue)"
            case .otherVariants(.renamed): "the variants have each other's names"
            case .otherVariants: "these are not the variants that Allot assigns"
            }
        }
        let isRatio = mismatches.contains {
            switch $0 {
            case .ratio, .sequential, .impossibleVariants, .hidden, .capture: true
            case .reassignment, .otherVariants: false
            }
        }
        return RatioTest.mismatchText("(\(parts.joined(separator: "; "))): ", isRatio: isRatio)
    }

    /// The p-value of all units, if only the one at some row shows the mismatch.
    private var totalNote: String {
        guard let test, test.pValue >= threshold else { return "" }
        return ", though all units together have p = \(test.pValue)"
    }

    private func impossible(_ keys: [String]) -> String {
        let names = keys.map { QuotedText($0).description }
        guard unknown.otherCount > 0 else { return NumberFormat.listed(names, atMost: 5) }
        return "\(names.prefix(5).joined(separator: ", ")) and many more"
    }

    private var calmHeadline: String {
        guard let test else { return "nothing to test" }
        var text = test.calmText(threshold: thresholdValue)
        if case .hidden(let value) = localisation.finding {
            text += "; but not so within \(value.name), see below"
        }
        if let test = withoutMultipleExposures, test.pValue < threshold {
            let units = counted(multipleExposures.unitCount, "unit")
            text += "; but without \(units) in several variants p = \(test.pValue)"
        }
        return text
    }

    private var thresholdText: String { NumberFormat.shortest(thresholdValue) }

    // MARK: Sections

    /// What the columns of ``tableRows`` are.
    package static let tableHeader = ["variant", "observed", "expected", "difference", "residual"]

    /// A row of texts for each variant.
    package var tableRows: [[String]] {
        shares.variants.indices.map { index in
            let expected = test?.expected[index] ?? 0
            return [
                shares.variants[index], String(counts[index]), NumberFormat.fixed(expected, 1),
                NumberFormat.difference(Double(counts[index]) - expected, 1),
                test?.residual(index).map { NumberFormat.difference($0, 2) } ?? "",
            ]
        }
    }

    private var ratioLines: [String] {
        [test?.statisticText(threshold: thresholdText) ?? "no unit of a variant that has a share"]
    }

    private func sequentialLines(_ holdsCounts: Bool) -> [String] {
        switch sequential {
        case .tested(let pValue, nil):
            return ["p = \(pValue) at its smallest, valid at every row; never below \(thresholdText)"]
        case .tested(let pValue, let crossing?):
            let time = crossing.instant.map { " (\($0))" } ?? ""
            return [
                "p = \(pValue), valid at every row; first below \(thresholdText) at line \(crossing.line)\(time), "
                    + "after \(counted(crossing.unitCount, "unit"))"
            ]
        case .outOfOrder(let fault):
            let problem =
                fault.text.isEmpty
                ? "no time"
                : fault.isEarlier
                    ? "\(QuotedText(fault.text)), which is earlier than the row before it; sort them by time"
                    : "\(QuotedText(fault.text)), which is not a time like those before it"
            return ["not tested: the rows are not in the order of time; line \(fault.line) has \(problem)"]
        case .orderUnknown where holdsCounts:
            return ["not tested: it takes the times of counts; name their column with --time-column"]
        case .orderUnknown:
            return [
                "not tested: it takes units in the order of time; name their times with --time-column, or add "
                    + "--time-order"
            ]
        case .sorted(let runs):
            return [
                "not tested: the rows are not in the order of time, but sorted by variant: they are "
                    + "\(counted(runs.count, "run")) of one variant, where about \(Int(runs.expected)) are expected"
            ]
        }
    }

    private func rowLines(_ holdsCounts: Bool) -> [String] {
        let (all, units) = (counted(rows.rows, "row"), counted(unitCount, "unit"))
        let notes = [
            (rows.repeats, "of units seen before: a unit counts once"),
            (rows.withoutUnit, "without a unit ID: left out"),
            (rows.withoutVariant, "without a variant: left out"), (rows.ignored, "of variants to be ignored: left out"),
        ]
        var lines = [holdsCounts ? "\(all) with counts of \(units)" : "\(all), \(units)"]
        lines += notes.filter { $0.0 > 0 }.map { "\(counted($0.0, "row")) \($0.1)" }
        if rows.forced > 0 {
            let units = counted(rows.forcedUnits, "forced unit")
            lines.append(
                "\(units) in \(counted(rows.forced, "row")): left out, as their variant is not randomised")
        }
        if rows.overridden > 0 {
            lines.append(
                "\(counted(rows.overridden, "row")) of overrides on a device: left out, as their variant is not "
                    + "randomised")
        }
        if rows.otherReasons > 0 {
            lines.append(
                "\(counted(rows.otherReasons, "row")) \(RowCounts.otherReasonsText): left out; rename the column if it "
                    + "means something else")
        }
        if rows.doubtful > 0 {
            lines.append("\(counted(rows.doubtful, "unit")) whose time is in doubt: the server's time is used")
        }
        if rows.winners > 0 {
            lines.append(
                "\(counted(rows.winners, "row")) of units that get the winner: left out, as it is not randomised")
        }
        return lines
    }

    private func unknownLines(_ holdsCounts: Bool) -> [String] {
        let noun = holdsCounts ? "unit" : "row"
        var names = unknown.variants.map { variant in
            let hint = NearestName.hint(for: variant.key, among: shares.variants).map { "; did you mean \($0)?" } ?? ""
            return "\(QuotedText(variant.key)) (\(counted(variant.count, noun)), first on line \(variant.line)\(hint))"
        }
        if unknown.otherCount > 0 { names.append("and others (\(counted(unknown.otherCount, noun)))") }
        return [
            "variants that have no share: \(names.joined(separator: ", ")). They are not part of the test; leave "
                + "them out on purpose with --ignore-variant"
        ]
    }

    private var multipleExposureLines: [String] {
        let rest =
            multipleExposures.areReassigned
            ? "some were reassigned between revisions"
            : "without them \(withoutMultipleExposures.map { "p = \($0.pValue)" } ?? "nothing is left")"
        let units = counted(multipleExposures.unitCount, "unit")
        return ["\(units) in more than one variant, counted in the first; \(rest)"]
            + multipleExposures.examples.map { example in
                "  \(QuotedText(example.unit)): \(PrintableText(example.first)) on line \(example.firstLine), "
                    + "\(PrintableText(example.second)) on line \(example.secondLine)"
            }
    }
}
