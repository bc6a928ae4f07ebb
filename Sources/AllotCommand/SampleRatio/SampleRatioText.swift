import AllotAnalysis
import AllotConfiguration
import AllotDefinitions

/// The report on one comparison, for people.
struct SampleRatioText {
    private let report: SampleRatioReport
    /// Whether rows hold counts of units.
    private let holdsCounts: Bool

    init(_ report: SampleRatioReport, holdsCounts: Bool) {
        self.report = report
        self.holdsCounts = holdsCounts
    }

    var lines: [String] {
        var lines = [report.experiment.map { "\($0): \(headline)" } ?? headline, ""]
        lines += table.map { "    " + $0 } + [""]
        lines += Section("ratio", ratio).lines
        lines += Section("sequential", sequential).lines
        lines += Section("rows", rows).lines
        if !report.unknown.isEmpty { lines += Section("unknown", unknown).lines }
        if report.crossings.unitCount > 0 { lines += Section("in several", crossings).lines }
        lines += Section("where", LocalisationText(report).lines).lines
        if let cause = report.cause { lines += Section("cause", CauseText(cause, report).lines).lines }
        return lines
    }

    // MARK: The verdict

    private var headline: String {
        guard report.isAlarm else { return calm }
        let parts = report.alarms.map { alarm in
            switch alarm {
            case .ratio(let pValue): "p = \(pValue)"
            case .sequential(let pValue): "p = \(pValue), valid at every row\(whole)"
            case .impossibleVariants(let keys):
                "units in a variant that has no share: \(Self.listed(keys, areAll: report.unknown.otherCount == 0))"
            }
        }
        return "SAMPLE RATIO MISMATCH (\(parts.joined(separator: "; "))): do not trust results before it is explained"
    }

    /// The p-value of all units, where only the one of some row is alarming.
    private var whole: String {
        guard let test = report.test, test.pValue >= report.threshold else { return "" }
        return ", though all units together have p = \(test.pValue)"
    }

    private var calm: String {
        guard let test = report.test else { return "nothing to test" }
        let p = "p = \(test.pValue)"
        var text =
            test.method == .bayesFactor
            ? "no sign of a sample ratio mismatch, though there are few units (\(p))"
            : test.pValue < SampleRatioReport.unusual
                ? "no alarm, but the ratio is unusual (\(p); the alarm is below \(threshold))"
                : "no sample ratio mismatch (\(p))"
        if case .hidden(let value) = report.localisation.finding {
            text += "; but not so within \(LocalisationText.name(value)), see below"
        }
        if let without = report.withoutCrossings, without.pValue < report.threshold {
            text +=
                "; but without \(Figures.counted(report.crossings.unitCount, "unit")) in several variants p = \(without.pValue)"
        }
        switch report.cause?.finding {
        case .unrelated?, .renamed?: text += "; but the units do not hold the variants that Allot gives them, see below"
        default: break
        }
        return text
    }

    private var threshold: String { Figures.shortest(report.threshold.value) }

    // MARK: Sections

    private var table: [String] {
        var table = TextTable(header: ["variant", "observed", "expected", "difference", "residual"])
        let possible = report.shares.weights.indices.filter { report.shares.weights[$0] > 0 }
        for index in report.shares.variants.indices {
            let expected = report.test?.expected[index] ?? 0
            let residual = possible.firstIndex(of: index).flatMap { report.test?.chiSquare.residuals[$0] }
            table.append([
                report.shares.variants[index], String(report.counts[index]), Figures.text(expected, 1),
                Figures.signed(Double(report.counts[index]) - expected, 1),
                residual.map { Figures.signed($0, 2) } ?? "",
            ])
        }
        return table.lines
    }

    private var ratio: [String] {
        guard let test = report.test else { return ["no unit of a variant that has a share"] }
        let freedom = Figures.counted(test.chiSquare.degreesOfFreedom, "degree") + " of freedom"
        let statistic = "chi-square \(Figures.text(test.chiSquare.statistic, 2)), \(freedom)"
        switch test.method {
        case .chiSquare: return ["\(statistic), p = \(test.pValue) (alarm below \(threshold))"]
        case .bayesFactor:
            return [
                "p = \(test.pValue) by the Bayes factor: fewer than \(Int(RatioTest.fewestExpected)) units are expected of some "
                    + "variant, too few for the chi-square test (\(statistic))"
            ]
        }
    }

    private var sequential: [String] {
        switch report.sequential {
        case .tested(let pValue, nil): ["p = \(pValue) at its smallest, valid at every row; never below \(threshold)"]
        case .tested(let pValue, let crossing?):
            [
                "p = \(pValue), valid at every row; first below \(threshold) at line \(crossing.line)"
                    + (crossing.instant.map { " (\($0))" } ?? "")
                    + ", after \(Figures.counted(crossing.unitCount, "unit"))"
            ]
        case .outOfOrder(let fault):
            [
                "not tested: the rows are not in the order of time; line \(fault.line) has "
                    + (fault.text.isEmpty
                        ? "no time"
                        : fault.isEarlier
                            ? "\(QuotedText(fault.text)), which is earlier than the row before it; sort them by time"
                            : "\(QuotedText(fault.text)), which is no time like those before it")
            ]
        case .orderUnknown: ["not tested: it takes rows in the order of time; if these are, add --time-order"]
        }
    }

    private var rows: [String] {
        let rows = report.rows
        var lines = [
            holdsCounts
                ? "\(Figures.counted(rows.rows, "row")) with counts of \(Figures.counted(report.unitCount, "unit"))"
                : "\(Figures.counted(rows.rows, "row")), \(Figures.counted(report.unitCount, "unit"))"
        ]
        if rows.repeats > 0 {
            lines.append("\(Figures.counted(rows.repeats, "row")) of units seen before: a unit counts once")
        }
        if rows.withoutUnit > 0 {
            lines.append("\(Figures.counted(rows.withoutUnit, "row")) without a unit ID: left out")
        }
        if rows.withoutVariant > 0 {
            lines.append("\(Figures.counted(rows.withoutVariant, "row")) without a variant: left out")
        }
        if rows.ignored > 0 {
            lines.append("\(Figures.counted(rows.ignored, "row")) of variants to be ignored: left out")
        }
        if rows.forced > 0 {
            lines.append(
                "\(Figures.counted(rows.forcedUnits, "forced unit")) in \(Figures.counted(rows.forced, "row")): left out, "
                    + "as nobody drew their variant")
        }
        if rows.winners > 0 {
            lines.append(
                "\(Figures.counted(rows.winners, "row")) of units that hold the winner: left out, as nobody drew it")
        }
        return lines
    }

    private var unknown: [String] {
        let shown = report.unknown.variants.map { variant in
            let hint = NearestName.hint(for: variant.key, among: report.shares.variants)
            return
                "\(QuotedText(variant.key)) (\(Figures.counted(variant.count, holdsCounts ? "unit" : "row")), first on "
                + "line \(variant.line)\(hint.map { "; did you mean \($0)?" } ?? ""))"
        }
        let others =
            report.unknown.otherCount > 0
            ? ["and others (\(Figures.counted(report.unknown.otherCount, holdsCounts ? "unit" : "row")))"] : []
        return [
            "variants that have no share: \((shown + others).joined(separator: ", ")). They are not part of the test; leave "
                + "them out on purpose with --ignore-variant"
        ]
    }

    private var crossings: [String] {
        let crossings = report.crossings
        var lines = [
            "\(Figures.counted(crossings.unitCount, "unit")) in more than one variant, counted in the first; without "
                + "them \(report.withoutCrossings.map { "p = \($0.pValue)" } ?? "nothing is left")"
        ]
        lines += crossings.examples.map { example in
            let variants = report.shares.variants
            return "  \(QuotedText(example.unit)): \(variants[example.first]) on line \(example.firstLine), "
                + "\(variants[example.second]) on line \(example.secondLine)"
        }
        return lines
    }

    private static func listed(_ names: [String], areAll: Bool) -> String {
        let shown = names.prefix(5).map { QuotedText($0).description }.joined(separator: ", ")
        guard names.count > 5 || !areAll else { return shown }
        return areAll ? "\(shown) and \(names.count - 5) more" : "\(shown) and many more"
    }
}
