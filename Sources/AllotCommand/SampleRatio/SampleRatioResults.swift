import AllotAnalysis
import AllotConfiguration
import AllotDefinitions

/// The reports on all comparisons of a file.
struct SampleRatioResults {
    let reports: [SampleRatioReport]
    private let holdsCounts: Bool
    /// Rows of experiments that were not tested, by key in order.
    private let passedOver: [(key: String, rows: Int)]
    /// Whether experiments were named, so that others are passed over on purpose.
    private let isSelection: Bool

    init(_ reading: SampleRatioReading, columns: SampleRatioColumns, options: SampleRatioOptions) throws {
        isSelection = !options.experiments.isEmpty
        holdsCounts = columns.count != nil
        passedOver = reading.passedOver.sorted { UTF8Order.precedes($0.key, $1.key) }
        var reports: [SampleRatioReport] = []
        for comparison in reading.comparisons {
            do throws(SampleRatioError) {
                reports.append(try comparison.report(isOrdered: options.isInTimeOrder))
            } catch {
                // Of several columns of experiments some may be empty, as when nobody is enrolled.
                if case .nothingCounted = error, reading.comparisons.count > 1 { continue }
                throw CommandFailure("\(columns.fileName): \(error)")
            }
        }
        try Self.checkAttributes(reports, columns.fileName)
        guard !reports.isEmpty else {
            throw CommandFailure("\(columns.fileName) \(Self.emptiness(reading, passedOver, options))")
        }
        self.reports = reports.sorted { UTF8Order.precedes($0.experiment ?? "", $1.experiment ?? "") }
    }

    /// Refuses attributes that no row has: a name is misspelt.
    private static func checkAttributes(_ reports: [SampleRatioReport], _ fileName: String) throws {
        guard let first = reports.first else { return }
        let missing = first.missingAttributes.filter { name in
            reports.allSatisfy { $0.missingAttributes.contains { UTF8Order.areEqual($0, name) } }
        }
        guard let name = missing.first else { return }
        let known = first.otherAttributes + first.localisation.attributes
        let hint = NearestName.hint(for: name, among: known).map { "did you mean \(QuotedText($0))?" }
        throw CommandFailure(
            "\(fileName) has no column or attribute \(QuotedText(name)) for --by; "
                + (hint ?? "there are \(known.prefix(12).map { QuotedText($0).description }.joined(separator: ", "))"))
    }

    private static func emptiness(
        _ reading: SampleRatioReading, _ passedOver: [(key: String, rows: Int)], _ options: SampleRatioOptions
    ) -> String {
        guard reading.rowCount > 0 else { return "holds no row; there is nothing to test" }
        guard !passedOver.isEmpty else { return "holds no unit that counts" }
        let found = passedOver.prefix(12).map { "\(QuotedText($0.key))" }.joined(separator: ", ")
        return options.experiments.isEmpty
            ? "holds no row of an experiment that the definitions know and that has several variants; it has \(found)"
            : "holds no row of \(options.experiments.joined(separator: " or ")); it has \(found)"
    }

    /// Whether any ratio is wrong.
    var isAlarm: Bool { reports.contains(where: \.isAlarm) }

    /// The reports for people.
    var lines: [String] {
        var lines: [String] = []
        for report in reports {
            if !lines.isEmpty { lines.append("") }
            lines += SampleRatioText(report, holdsCounts: holdsCounts).lines
        }
        guard !passedOver.isEmpty else { return lines }
        let shown = passedOver.prefix(8).map {
            "\(QuotedText($0.key)) (\($0.rows == 0 ? "no column of its unit IDs" : Figures.counted($0.rows, "row")))"
        }
        let more = passedOver.count > 8 ? " and \(passedOver.count - 8) more" : ""
        return lines + ["", "\(isSelection ? "not asked for" : "not tested"): \(shown.joined(separator: ", "))\(more)"]
    }

    /// The same for programs.
    var json: JSONValue {
        [
            "alarm": .boolean(isAlarm),
            "comparisons": .array(reports.map(\.json)),
            "not_tested": .array(
                passedOver.map { ["experiment": .string($0.key), "rows": .number(JSONNumber($0.rows))] }),
        ]
    }
}
