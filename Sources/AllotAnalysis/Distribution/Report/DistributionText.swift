/// A report for a terminal: the verdict, then what it rests on.
struct DistributionText {
    private let report: DistributionReport
    private var lines: [String] = []

    /// So many findings and pairs are shown; the JSON has all.
    private static let mostShown = 10
    private static let bars = 20

    init(_ report: DistributionReport) {
        self.report = report
    }

    /// The lines of the report.
    static func lines(of report: DistributionReport) -> [String] {
        var text = DistributionText(report)
        text.addHead()
        for sample in report.samples { text.add(sample) }
        return text.lines
    }

    private mutating func addHead() {
        lines = [report.verdict]
        for finding in report.findings.prefix(Self.mostShown) where report.findings.count > 1 {
            lines.append("  - \(finding.description)")
        }
        let more = report.findings.count - Self.mostShown
        if more > 0 { lines.append("  - \(NumberText.counted(more, "more finding")); --json has all") }
        lines += [
            "",
            "\(report.functionName): \(report.inventory), seed \(report.seed).",
            "Every unit goes through every randomisation by itself, whatever the status, schedule, audience and gates.",
        ]
        lines += report.notes
        guard report.samples.count > 1 else { return }
        let rows = zip(report.samples, report.summaries).map { sample, summary in
            [
                sample.name, NumberText.counted(sample.unitCount, "unit ID"),
                NumberText.counted(summary.testCount, "test"),
                "smallest p = \(summary.smallest.map { "\($0.pValue)" } ?? "–")",
                NumberText.counted(summary.failureCount, "failure"),
            ]
        }
        lines += [""] + TextCells.table(rows, numbers: [1, 2, 4], indent: 2)
    }

    private mutating func add(_ sample: DistributionSample) {
        let title = "\(NumberText.counted(sample.unitCount, "unit ID")): \(sample.name)"
        lines += ["", title, String(repeating: "=", count: title.count)]
        lines += sample.notes
        guard sample.unitCount > 0 else { return }
        for uniformity in sample.uniformity {
            lines.append("")
            lines += BucketHistogramText.lines(of: uniformity.histogram(atMost: Self.bars))
        }
        if !sample.divisions.isEmpty { lines += ["", "Counts of each randomisation"] }
        for division in sample.divisions { lines += DivisionText.lines(of: division) }
        if !sample.pairs.isEmpty {
            lines.append("")
            lines += PairText.lines(of: sample, shown: Self.mostShown)
        }
        if let trial = sample.trial {
            lines.append("")
            lines += TrialText.lines(of: trial)
        }
    }
}

extension DistributionReport {
    /// The report for a terminal, line by line.
    public var textLines: [String] {
        DistributionText.lines(of: self)
    }

    /// What is randomised: `9 experiments, 3 layers, 1 holdout`.
    var inventory: String {
        Randomisation.Kind.allCases.map { kind in
            NumberText.counted(randomisations.count { $0.kind == kind }, kind.rawValue)
        }.joined(separator: ", ")
    }

    /// What a reader must know about the randomisations, in sentences.
    var notes: [String] {
        var notes: [String] = []
        let units = Set(randomisations.map(\.unit)).sorted()
        if units.count > 1 {
            notes.append(
                "Units are randomised by \(units.joined(separator: ", ")); here all get the same unit IDs.")
        }
        let halved = randomisations.filter(\.isHalved).map(\.label)
        if !halved.isEmpty {
            notes.append(
                "Halves of the buckets are tested where there is nothing to divide: \(halved.joined(separator: ", ")).")
        }
        return notes
    }
}
