import AllotBatch
import AllotConfiguration
import AllotReports

/// The reports on all experiments of a file.
public struct SampleRatioResults: Sendable {
    /// A report for each experiment that was tested, in the order of their keys.
    public let reports: [SampleRatioReport]
    private let experiments: [ExperimentRatio]
    private let holdsCounts: Bool
    private let otherSalts: [(key: String?, salts: [(salt: String, rows: Int)])]
    /// Experiments that were not tested and their rows, in the order of their keys.
    private let skipped: [(key: String, rows: Int)]
    /// Whether experiments were named, so that others are skipped on purpose.
    private let isSelection: Bool
    private let doubts: DoubtfulValues

    init(
        _ reading: SampleRatioReading, columns: SampleRatioColumns, of analysis: SampleRatioAnalysis,
        doubts: DoubtfulValues
    ) throws {
        self.doubts = doubts
        isSelection = !analysis.experiments.isEmpty
        holdsCounts = columns.count != nil
        skipped = reading.skipped.sorted { UTF8Order.precedes($0.key, $1.key) }
        var experiments: [ExperimentRatio] = []
        var otherSalts: [(key: String?, salts: [(salt: String, rows: Int)])] = []
        for var counter in reading.counters {
            do throws(SampleRatioError) {
                experiments.append(try counter.report())
                if !counter.otherSalts.isEmpty {
                    let salts = counter.otherSalts.sorted { UTF8Order.precedes($0.salt, $1.salt) }
                    otherSalts.append((counter.question.experiment, salts))
                }
            } catch {
                // Of several columns of experiments some may be empty, for example if no unit was enrolled.
                if case .nothingCounted = error, reading.counters.count > 1 { continue }
                throw AnalysisError("\(columns.fileName): \(error)")
            }
        }
        guard !experiments.isEmpty else {
            let reason = Self.emptiness(reading.rowCount, skipped, analysis.experiments)
            throw AnalysisError("\(columns.fileName) \(reason)")
        }
        experiments.sort { UTF8Order.precedes($0.key ?? "", $1.key ?? "") }
        self.experiments = experiments
        reports = experiments.flatMap(\.reports)
        self.otherSalts = otherSalts.sorted { UTF8Order.precedes($0.key ?? "", $1.key ?? "") }
        try Self.checkAttributes(reports, columns)
    }

    /// Refuses attributes that no row has: the name is misspelt.
    private static func checkAttributes(
        _ reports: [SampleRatioReport], _ columns: SampleRatioColumns
    ) throws(AnalysisError) {
        guard let first = reports.first else { return }
        let (fileName, time) = (columns.fileName, columns.time.map { columns.header.names[$0] })
        let missing = first.localisation.tally.missing.filter { name in
            // The days of the column of times are looked at anyway.
            !(time.map { UTF8Order.areEqual($0, name) } ?? false)
                && reports.allSatisfy { $0.localisation.tally.missing.contains { UTF8Order.areEqual($0, name) } }
        }
        guard let name = missing.first else { return }
        let known = first.localisation.tally.others.sorted().map(\.text) + first.localisation.attributes.map(\.name)
        let hint = NearestName.hint(for: name, among: known).map { "did you mean \(QuotedText($0))?" }
        throw AnalysisError(
            "\(fileName) has no column or attribute \(QuotedText(name)); "
                + (hint ?? "there are \(known.quoted(atMost: 12))"))
    }

    private static func emptiness(
        _ rowCount: Int, _ skipped: [(key: String, rows: Int)], _ experiments: [String]
    ) -> String {
        guard rowCount > 0 else { return "holds no row; there is nothing to test" }
        guard !skipped.isEmpty else { return "holds no unit that counts" }
        let found = skipped.map(\.key).quoted(atMost: 12)
        return experiments.isEmpty
            ? "holds no row of an experiment that the definitions know and that has several variants; it has \(found)"
            : "holds no row of \(experiments.joined(separator: " or ")); it has \(found)"
    }

    /// Whether something is wrong with the units of any experiment, or their variants.
    public var isMismatch: Bool {
        reports.contains(where: \.isMismatch) || experiments.contains(where: \.isMismatchTogether)
    }

    /// Whether units could not be tested, as the shares of their time are not known.
    package var isUntested: Bool { experiments.contains { $0.untestedCount > 0 } }

    /// The names of what is wrong in any experiment, and `untested` where units could not be tested.
    public var alarms: [String] {
        experiments.flatMap(\.alarms).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The verdicts over several revisions of an experiment, which come first.
    private var summaries: [String] { experiments.flatMap(\.summary) }

    private var alarmed: [(key: String, alarms: [String])] {
        experiments.compactMap { ratio in ratio.key.map { (key: $0, alarms: ratio.alarms) } }
    }

    /// By kind of alarm the experiments that have it; the most frequent kind first.
    private var kinds: [(alarm: String, experiments: [String])] {
        let alarmed = alarmed
        return Set(alarmed.flatMap(\.alarms)).sorted().map { name in
            (alarm: name, experiments: alarmed.filter { $0.alarms.contains(name) }.map(\.key))
        }.sorted { ($1.experiments.count, $0.alarm) < ($0.experiments.count, $1.alarm) }
    }

    /// The number of alarms, and the experiments with each; `nil` if there is only one experiment.
    private var overview: (head: String, rows: [String])? {
        let (alarmed, kinds) = (alarmed, kinds)
        guard alarmed.count > 1 else { return nil }
        let chance = Double(alarmed.count) * (reports.first?.thresholdValue ?? RatioTest.threshold)
        let expected =
            chance >= 1 ? "; by chance the ratios of about \(NumberFormat.significant(chance, 2)) would have one" : ""
        let count = alarmed.count { !$0.alarms.isEmpty }
        let rows = kinds.map { kind in
            let keys = kind.experiments.map { PrintableText($0).description }
            return "\(kind.alarm) in \(keys.count): \(keys.listed(atMost: 20))"
        }
        let head = "\(alarmed.count) experiments, \(count == 0 ? "none" : "\(count)") with an alarm\(expected)"
        return (head + (kinds.isEmpty ? "" : ":"), rows)
    }

    /// The reports for a terminal.
    public var lines: [String] { TextRenderer().lines(report) }

    /// The reports for people, as one: after the verdict over all a section for each, unless there is only one.
    package var report: Report {
        var sections = reports.map { part in
            Report.Section(
                Report.Cell(part.summary), style: .part, isGood: !part.isMismatch,
                part.blocks(holdsCounts: holdsCounts))
        }
        var summaries = summaries
        var report = Report("", isGood: !isMismatch)
        if let overview {
            report.verdict = overview.head
            report.lead = [.list(overview.rows)]
        } else if !summaries.isEmpty {
            report.verdict = summaries.removeFirst()
        } else if !sections.isEmpty {
            let only = sections.removeFirst()
            (report.verdict, report.blocks) = (only.name.text, only.blocks)
        }
        report.add(.notes(summaries))
        report.blocks += sections.map(Report.Block.section)
        let untested = experiments.flatMap { experiment in experiment.untested.map { $0.text(of: experiment.key) } }
        let others = otherSalts.map { key, salts in
            (key.map { "\(PrintableText($0)): " } ?? "") + "rows of other salts left out: "
                + "\(RatioCounter.listed(salts)); choose another salt to test them"
        }
        report.add(.notes(untested + others + doubts.sentences))
        guard !skipped.isEmpty else { return report }
        let names = skipped.map { key, rows in
            "\(QuotedText(key)) (\(rows == 0 ? "no column of its unit IDs" : counted(rows, "row")))"
        }
        report.add(.text("\(isSelection ? "not selected" : "not tested"): \(names.listed(atMost: 8))"))
        return report
    }

    /// The reports for programs.
    public var json: JSONValue {
        let untested = experiments.flatMap { experiment in experiment.untested.map { (key: experiment.key, period: $0) }
        }
        let salts = otherSalts.flatMap { key, salts in salts.map { (key: key, salt: $0.salt, rows: $0.rows) } }
        return JSONValue(members: [
            "alarm": isMismatch, "alarms": alarms, "warnings": doubts.sentences,
            "summary": JSONValue(members: [
                "experiments": alarmed.count, "with_alarm": alarmed.filter { !$0.alarms.isEmpty }.map(\.key),
                "alarms": kinds.objects { ["alarm": $0.alarm, "experiments": $0.experiments] },
            ]),
            "experiments": experiments.map(\.json), "comparisons": reports.map(\.json),
            "periods_not_tested": untested.objects {
                [
                    "experiment": $0.key, "salt": $0.period.name.salt, "revision": $0.period.name.revision.nonEmpty,
                    "rows": $0.period.rows, "units": $0.period.units,
                ]
            },
            "other_salts": salts.objects { ["experiment": $0.key, "salt": $0.salt, "rows": $0.rows] },
            "not_tested": skipped.objects { ["experiment": $0.key, "rows": $0.rows] },
        ])
    }
}
