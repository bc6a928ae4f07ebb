import AllotBatch
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotReports

package struct VerificationReport: Sendable {
    private let result: VerificationResult
    private static let limit = 20

    package init(
        of path: String, _ definitions: LoadedDefinitions, at instant: Instant,
        _ change: (inout BatchVerification) throws -> Void = { _ in },
        progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil
    ) throws {
        var verification = BatchVerification(plan: definitions.plan, instant: instant)
        verification.key = NameTable.valid
        for experiment in definitions.definitions.experiments {
            verification.otherNames[experiment.key] = experiment.description
        }
        try change(&verification)
        result = try verification.run(InputFile(path: path), progress: progress)
    }

    package var isExact: Bool { result.isExact }

    private var summary: String {
        let rows = "\(result.keptCount.inGroups) of \(result.rowCount.inGroups)"
        guard result.hasUnits, result.unitCount > 0 else { return "\(rows) rows keep their variant" }
        let units = "\(result.keptUnitCount.inGroups) of \(result.unitCount.inGroups) units keep their variant"
        return result.unitCount + result.withoutUnitCount == result.rowCount ? units : "\(units) (\(rows) rows)"
    }

    private var remarks: [String] {
        var remarks: [String] = []
        let differing = Set(result.differences.map { UTF8Key($0.experiment) })
        let names = Dictionary(grouping: result.names) { UTF8Key($0.experiment) }.sorted { $0.key < $1.key }
        for (experiment, names) in names.prefix(Self.limit) {
            let pairs = names.map { "\(Self.variant($0.recorded)) = \(Self.variant($0.found))" }
            remarks.append(
                "Note: names differ in \(QuotedText(experiment.text))"
                    + "\(differing.contains(experiment) ? "" : ", no unit is reassigned"): "
                    + pairs.listed(atMost: Self.limit))
        }
        if names.count > Self.limit {
            remarks.append("Note: names differ in \(counted(names.count - Self.limit, "further experiment"))")
        }
        if result.withoutUnitCount > 0 {
            let rows = result.withoutUnitCount == 1 ? "1 row has" : "\(result.withoutUnitCount.inGroups) rows have"
            remarks.append("\(rows) no unit ID, which proves nothing")
        }
        if !result.missingColumns.isEmpty {
            remarks.append(
                "Note: there are no columns of attributes that these experiments look at: "
                    + result.missingColumns.quoted(atMost: 5))
        }
        return remarks + result.doubts.sentences
    }

    /// Whether units keep their variants, and those that do not.
    package var report: Report {
        var report = Report(summary, title: "Verification of an import", isGood: isExact, lead: [.notes(remarks)])
        report.isRecord = true
        guard !result.differences.isEmpty else { return report }
        var (lines, rows): ([String], [[Report.Cell]]) = ([], [])
        for difference in result.differences.prefix(Self.limit) {
            let (count, units) = (difference.count.inGroups, difference.examples.quoted(atMost: .max))
            let (recorded, found) = (Self.variant(difference.recorded), Self.found(difference))
            lines.append(
                "\(count.leftPadded(to: 9))  \(QuotedText(difference.experiment)): \(recorded) was recorded, \(found); "
                    + "such as \(units)")
            rows.append([
                Report.Cell(count), .name(difference.experiment), Report.Cell(recorded), Report.Cell(found),
                Report.Cell(units),
            ])
        }
        let columns: [Report.Column] = [
            .number("rows"), .text("experiment"), .text("recorded"), .text("here"), .text("such as"),
        ]
        var page: [Report.Block] = [.table(columns, rows)]
        let rest = result.differences.dropFirst(Self.limit)
        if !rest.isEmpty {
            let (count, ways) = (rest.reduce(0) { $0 + $1.count }.inGroups, counted(rest.count, "further way"))
            lines.append("\(count.leftPadded(to: 9))  in \(ways)")
            page.append(.text("\(count) in \(ways)"))
        }
        report.add(.either(text: lines, page: page))
        return report
    }

    package var lines: [String] { TextRenderer().lines(report) }
    private static func variant(_ text: String) -> String { text.isEmpty ? "no variant" : QuotedText(text).description }

    private static func found(_ difference: VerificationResult.Difference) -> String {
        switch difference.reason {
        case "unknown": "and the definitions have no experiment or setting of this name"
        case "others": "and further differences were not told apart"
        case let reason: "now \(variant(difference.found)) (\(PrintableText(reason)))"
        }
    }

    package var json: JSONValue {
        JSONValue(members: [
            "rows": result.rowCount, "kept": result.keptCount,
            "units": result.hasUnits ? result.unitCount : nil as Int?,
            "kept_units": result.hasUnits ? result.keptUnitCount : nil as Int?, "without_unit": result.withoutUnitCount,
            "missing_columns": result.missingColumns, "warnings": result.doubts.sentences,
            "names": result.names.objects { name in
                ["experiment": name.experiment, "recorded": name.recorded, "now": name.found, "count": name.count]
            },
            "differences": result.differences.objects { difference in
                [
                    "experiment": difference.experiment, "recorded": difference.recorded, "now": difference.found,
                    "reason": difference.reason, "count": difference.count, "examples": difference.examples,
                ]
            },
        ])
    }
}
