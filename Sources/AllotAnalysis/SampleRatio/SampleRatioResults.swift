import AllotBatch
import AllotConfiguration

/// The reports on all experiments of a file.
public struct SampleRatioResults: Sendable {
    /// A report for each experiment that was tested, in the order of their keys.
    public let reports: [SampleRatioReport]
    private let holdsCounts: Bool
    /// Periods that were not tested, with their experiments' keys.
    private let untested: [(key: String?, period: UntestedPeriod)]
    /// Rows of other salts, by experiment.
    private let otherSalts: [(key: String?, salts: [(salt: String, rows: Int)])]
    /// Experiments that were not tested and their rows, in the order of their keys.
    private let skipped: [(key: String, rows: Int)]
    /// Whether experiments were named, so that others are skipped on purpose.
    private let isSelection: Bool
    /// Unit IDs that are probably not what they are read as.
    private let doubts: DoubtfulValues

    init(
        _ reading: SampleRatioReading, columns: SampleRatioColumns, of analysis: SampleRatioAnalysis,
        doubts: DoubtfulValues
    ) throws {
        self.doubts = doubts
        isSelection = !analysis.experiments.isEmpty
        holdsCounts = columns.count != nil
        skipped = reading.skipped.sorted { UTF8Order.precedes($0.key, $1.key) }
        var reports: [SampleRatioReport] = []
        var untested: [(key: String?, period: UntestedPeriod)] = []
        var otherSalts: [(key: String?, salts: [(salt: String, rows: Int)])] = []
        for var counter in reading.counters {
            do throws(SampleRatioError) {
                reports += try counter.reports(isOrdered: analysis.isInTimeOrder)
                untested += counter.untested.filter { $0.rows > 0 }.map { (counter.key, $0) }
                if !counter.otherSalts.isEmpty { otherSalts.append((counter.key, counter.otherSalts)) }
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
        // The sort keeps the order of an experiment's periods.
        self.reports = reports.enumerated().sorted {
            let (left, right) = ($0.element.experiment ?? "", $1.element.experiment ?? "")
            return UTF8Order.areEqual(left, right) ? $0.offset < $1.offset : UTF8Order.precedes(left, right)
        }.map(\.element)
        self.untested = untested
        self.otherSalts = otherSalts
    }

    /// Refuses attributes that no row has: the name is misspelt.
    private static func checkAttributes(_ reports: [SampleRatioReport], _ fileName: String) throws(AnalysisError) {
        guard let first = reports.first else { return }
        let missing = first.localisation.tally.missing.filter { name in
            reports.allSatisfy { $0.localisation.tally.missing.contains { UTF8Order.areEqual($0, name) } }
        }
        guard let name = missing.first else { return }
        let known = first.localisation.tally.others.sorted().map(\.text) + first.localisation.attributes.map(\.name)
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
        let untested = untested.map { $0.period.text(of: $0.key) }
        let others = otherSalts.map { key, salts in
            let rows = salts.map { "\(QuotedText($0.salt)) (\(counted($0.rows, "row")))" }
            return (key.map { "\($0): " } ?? "") + "rows of other salts left out: "
                + "\(NumberFormat.listed(rows, atMost: 8)); choose another randomisation with --salt"
        }
        let notes = untested + others + doubts.sentences
        if !notes.isEmpty { lines += [""] + notes }
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
            "alarm": .boolean(isMismatch), "warnings": .strings(doubts.sentences),
            "comparisons": .array(reports.map(\.json)),
            "periods_not_tested": .array(
                untested.map { key, period in
                    [
                        "experiment": .text(key), "salt": .string(period.name.salt),
                        "revision": .text(period.name.revision.isEmpty ? nil : period.name.revision),
                        "rows": .int(period.rows), "units": .int(period.units),
                    ]
                }),
            "other_salts": .array(
                otherSalts.flatMap { key, salts in
                    salts.map { ["experiment": .text(key), "salt": .string($0.salt), "rows": .int($0.rows)] }
                }),
            "not_tested": .array(skipped.map { ["experiment": .string($0.key), "rows": .int($0.rows)] }),
        ]
    }
}
