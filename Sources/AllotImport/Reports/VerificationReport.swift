import AllotBatch
import AllotConfiguration

/// The report on a verification, for people and programs. `Sendable`.
public struct VerificationReport: Sendable {
    private let result: VerificationResult
    /// The number of differences that are listed.
    private static let limit = 20

    /// The rows that are about other variants, without those that only name them otherwise.
    private let differences: [VerificationResult.Difference]
    /// The other system's names of variants, one to one.
    private let names: [LabelTable.Label]

    /// Reports a result.
    public init(_ result: VerificationResult) {
        self.init(result, variants: [:])
    }

    /// - Parameter variants: The keys of variants by the names of their experiments.
    init(_ result: VerificationResult, variants: [String: Set<String>]) {
        self.result = result
        let labels = LabelTable(result, variants: variants)
        (differences, names) = (labels.differences, labels.labels)
    }

    private var keptCount: Int { names.reduce(result.keptCount) { $0 + $1.count } }

    /// Whether every unit keeps its variant.
    public var isExact: Bool { keptCount == result.rowCount }

    /// Rows are counted: a unit may have several.
    private var summary: String {
        "\(keptCount.inGroups) of \(result.rowCount.inGroups) rows keep their variant"
    }

    /// Sentences on what the rows do not prove.
    private var remarks: [String] {
        var remarks: [String] = []
        for (experiment, labels) in Dictionary(grouping: names, by: { UTF8Key($0.experiment) }).sorted(by: {
            $0.key < $1.key
        }) {
            let pairs = labels.map { "\(Self.variant($0.recorded)) is \(Self.variant($0.found))" }
            remarks.append(
                "Note: names differ in \(QuotedText(experiment.text)), and no unit is reassigned by them: "
                    + pairs.joined(separator: ", "))
        }
        if result.withoutUnitCount > 0 {
            let rows = result.withoutUnitCount == 1 ? "1 row has" : "\(result.withoutUnitCount.inGroups) rows have"
            remarks.append("\(rows) no unit ID, which proves nothing")
        }
        if !result.missingColumns.isEmpty {
            let names = result.missingColumns.prefix(5).map { QuotedText($0).description }.joined(separator: ", ")
            let more = result.missingColumns.count > 5 ? " and \(result.missingColumns.count - 5) more" : ""
            remarks.append(
                "Note: there are no columns of attributes that these experiments look at: \(names)\(more)")
        }
        return remarks
    }

    /// The rows that differ in ways that are not listed, if there are any.
    private var rest: (count: String, ways: String)? {
        let rest = differences.dropFirst(Self.limit)
        if rest.isEmpty { return nil }
        return (rest.reduce(0) { $0 + $1.count }.inGroups, counted(rest.count, "further way"))
    }

    private static func examples(_ difference: VerificationResult.Difference) -> String {
        var shown: [String] = []
        for example in difference.examples where !shown.contains(example) { shown.append(example) }
        return shown.map { QuotedText($0).description }.joined(separator: ", ")
    }

    // MARK: Text

    /// The report for people.
    public var lines: [String] {
        var lines = [summary] + remarks
        if !differences.isEmpty { lines.append("") }
        for difference in differences.prefix(Self.limit) {
            lines.append(
                "\(difference.count.inGroups.leftPadded(to: 9))  \(QuotedText(difference.experiment)): "
                    + "\(Self.variant(difference.recorded)) was recorded, \(Self.found(difference)); such as "
                    + Self.examples(difference))
        }
        if let rest { lines.append("\(rest.count.leftPadded(to: 9))  in \(rest.ways)") }
        return lines
    }

    private static func variant(_ text: String) -> String {
        text.isEmpty ? "no variant" : QuotedText(text).description
    }

    private static func found(_ difference: VerificationResult.Difference) -> String {
        switch difference.reason {
        case "unknown": "and the definitions have no experiment or setting of this name"
        case "others": "and something else is assigned"
        case let reason: "now \(variant(difference.found)) (\(PrintableText(reason)))"
        }
    }

    // MARK: Markdown

    /// The report in GitHub's Markdown.
    public var markdownLines: [String] {
        var lines = ["### \(isExact ? "✅" : "⚠️") \(MarkdownText(summary))"]
        if !remarks.isEmpty { lines += [""] + remarks.map { "* \(MarkdownText($0))" } }
        if !differences.isEmpty {
            lines += ["", "| rows | experiment | recorded | here | such as |", "| ---: | --- | --- | --- | --- |"]
        }
        for difference in differences.prefix(Self.limit) {
            let cells = [
                difference.count.inGroups, difference.experiment, Self.variant(difference.recorded),
                Self.found(difference), Self.examples(difference),
            ]
            lines.append("| \(cells.map { "\(MarkdownText($0))" }.joined(separator: " | ")) |")
        }
        if let rest { lines += ["", "\(rest.count) in \(rest.ways)"] }
        return lines
    }

    // MARK: JSON

    /// The report for programs: `rows`, `kept`, `without_unit`, `missing_columns`, `names` (variants that only the
    /// names of differ: `experiment`, `recorded`, `now`, `count`), and `differences` with
    /// `experiment`, `recorded`, `now`, `reason`, `count` and `examples`.
    public var json: JSONValue {
        [
            "rows": .int(result.rowCount), "kept": .int(keptCount),
            "without_unit": .int(result.withoutUnitCount),
            "missing_columns": .strings(result.missingColumns),
            "names": .array(
                names.map {
                    [
                        "experiment": .string($0.experiment), "recorded": .string($0.recorded),
                        "now": .string($0.found), "count": .int($0.count),
                    ]
                }),
            "differences": .array(
                differences.map { difference in
                    [
                        "experiment": .string(difference.experiment), "recorded": .string(difference.recorded),
                        "now": .string(difference.found), "reason": .string(difference.reason),
                        "count": .int(difference.count), "examples": .strings(difference.examples),
                    ]
                }),
        ]
    }
}
