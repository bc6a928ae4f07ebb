import AllotConfiguration

/// The reports on all experiments of a file.
public struct SampleRatioResults: Sendable {
    /// A report for each experiment that was tested, in the order of their keys.
    public let reports: [SampleRatioReport]
    private let holdsCounts: Bool
    /// Experiments that were not tested and their rows, in the order of their keys.
    private let skipped: [(key: String, rows: Int)]
    /// Whether experiments were named, so that others are skipped on purpose.
    private let isSelection: Bool

    init(_ reading: SampleRatioReading, columns: SampleRatioColumns, of analysis: SampleRatioAnalysis) throws {
        isSelection = !analysis.experiments.isEmpty
        holdsCounts = columns.count != nil
        skipped = reading.skipped.sorted { UTF8Order.precedes($0.key, $1.key) }
        var reports: [SampleRatioReport] = []
        for counter in reading.counters {
            do throws(SampleRatioError) {
                reports.append(try counter.report(isOrdered: analysis.isInTimeOrder))
            } catch {
                // Of several columns of experiments some may be empty, for example if no unit was enrolled.
                if case .nothingCounted = error, reading.counters.count > 1 { continue }
                throw AnalysisError("\(columns.fileName): \(error)")
            }
        }
        try Self.checkAttributes(reports, columns.fileName)
        guard !reports.isEmpty else {
            let reason = Self.emptiness(reading.rowCount, skipped, analysis.experiments)
            throw AnalysisError("\(columns.fileName) \(reason)")
        }
        self.reports = reports.sorted { UTF8Order.precedes($0.experiment ?? "", $1.experiment ?? "") }
    }

    /// Refuses attributes that no row has: the name is misspelt.
    private static func checkAttributes(_ reports: [SampleRatioReport], _ fileName: String) throws(AnalysisError) {
        guard let first = reports.first else { return }
        let missing = first.localisation.tally.missing.filter { name in
            reports.allSatisfy { $0.localisation.tally.missing.contains { UTF8Order.areEqual($0, name) } }
        }
        guard let name = missing.first else { return }
        let known = first.localisation.tally.others.sorted().map(\.text) + first.localisation.attributes
        let hint = NearestName.hint(for: name, among: known).map { "did you mean \(QuotedText($0))?" }
        throw AnalysisError(
            "\(fileName) has no column or attribute \(QuotedText(name)) for --by; "
                + (hint ?? "there are \(known.prefix(12).map { QuotedText($0).description }.joined(separator: ", "))"))
    }

    private static func emptiness(
        _ rowCount: Int, _ skipped: [(key: String, rows: Int)], _ experiments: [String]
    ) -> String {
        guard rowCount > 0 else { return "holds no row; there is nothing to test" }
        guard !skipped.isEmpty else { return "holds no unit that counts" }
        let found = skipped.prefix(12).map { "\(QuotedText($0.key))" }.joined(separator: ", ")
        return experiments.isEmpty
            ? "holds no row of an experiment that the definitions know and that has several variants; it has \(found)"
            : "holds no row of \(experiments.joined(separator: " or ")); it has \(found)"
    }

    /// Whether a sample ratio mismatch was detected in any experiment.
    public var isMismatch: Bool { reports.contains(where: \.isMismatch) }

    /// The reports for people.
    public var lines: [String] {
        var lines = Array(reports.map { $0.lines(holdsCounts: holdsCounts) }.joined(separator: [""]))
        guard !skipped.isEmpty else { return lines }
        let names = skipped.map { key, rows in
            "\(QuotedText(key)) (\(rows == 0 ? "no column of its unit IDs" : counted(rows, "row")))"
        }
        lines += ["", "\(isSelection ? "not selected" : "not tested"): \(NumberFormat.listed(names, atMost: 8))"]
        return lines
    }

    /// The same for programs.
    public var json: JSONValue {
        [
            "alarm": .boolean(isMismatch), "comparisons": .array(reports.map(\.json)),
            "not_tested": .array(skipped.map { ["experiment": .string($0.key), "rows": .int($0.rows)] }),
        ]
    }
}
