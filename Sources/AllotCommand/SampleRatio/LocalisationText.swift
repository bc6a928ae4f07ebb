import AllotAnalysis
import AllotConfiguration
import AllotStatistics

/// Where a mismatch comes from, for people.
struct LocalisationText {
    private let report: SampleRatioReport
    private var localisation: Localisation { report.localisation }

    /// The most values that are shown.
    private static let shownLimit = 5
    /// Values are shown up to this p-value.
    private static let shown = PValue(0.05)

    init(_ report: SampleRatioReport) {
        self.report = report
    }

    /// `country=FR`
    static func name(_ value: Localisation.Value) -> String {
        "\(PrintableText(value.attribute))=\(value.text.map { PrintableText($0).description } ?? "(missing)")"
    }

    var lines: [String] {
        [sentence] + table + notes
    }

    private var sentence: String {
        guard let first = localisation.values.first else {
            return localisation.attributes.isEmpty
                ? "no attributes to look at: no other column has between 2 and \(SampleRatioQuestion.fewValues) values"
                : "no value of \(attributes) has enough units for a test"
        }
        switch localisation.finding {
        case .nothing where first.adjusted < report.threshold:
            return
                "\(Self.name(first)) by itself is below the alarm, p = \(first.adjusted), but does not differ clearly from the rest"
        case .nothing:
            return "no value of \(attributes) stands out: the smallest p of \(count) is \(first.adjusted)"
        case .source(let values, let without):
            let names = values.map(Self.name).joined(separator: " and ")
            let rest = without < SampleRatioReport.unusual ? "there is no alarm" : "the ratio is fine"
            return "IT COMES FROM \(names): without \(values.count == 1 ? "it" : "them") \(rest), p = \(without)"
        case .part(let value):
            return "\(Self.name(value)) stands out, but is not all: without it p = "
                + (value.without.map(\.description) ?? "unknown")
        case .everywhere:
            return "the mismatch is everywhere: no value of \(attributes) differs from the others"
        case .hidden(let value):
            return "the ratio is right as a whole, but WRONG WITHIN \(Self.name(value)), p = \(value.adjusted)"
        }
    }

    /// The values with the smallest p-values.
    private var table: [String] {
        let values = localisation.values.prefix(Self.shownLimit).filter { $0.adjusted < Self.shown }
        guard !values.isEmpty else { return [] }
        var table = TextTable(header: ["value"] + report.shares.variants + ["p", "corrected", "p without it"])
        for value in values {
            table.append(
                [Self.name(value)] + value.counts.map(String.init) + [
                    value.pValue.description, value.adjusted.description, value.without?.description ?? "",
                ])
        }
        return table.lines.map { "  " + $0 }
    }

    private var notes: [String] {
        var lines: [String] = []
        if !localisation.values.isEmpty, localisation.finding != .nothing {
            lines.append("\(count) of \(attributes) were tested; \"corrected\" is Holm's correction for that")
        }
        switch localisation.finding {
        case .source, .part, .hidden:
            lines.append(
                "this says something only if the attribute was known before the assignment: outcomes differ anyway")
        case .nothing where localisation.values.contains { $0.adjusted < Self.shown }:
            lines.append("outcomes differ between variants anyway: look at what was known before the assignment")
        case .nothing, .everywhere: break
        }
        if localisation.untestedCount > 0 {
            lines.append("\(Figures.counted(localisation.untestedCount, "value")) with too few units for a test")
        }
        if !localisation.droppedAttributes.isEmpty {
            let names = Self.listed(localisation.droppedAttributes)
            lines.append("passed over for their many values: \(names); name them with --by to look at them")
        }
        if report.hasMoreAttributes { lines.append("there are more attributes; name those that matter with --by") }
        if report.unreadableAttributes.count > 0 {
            lines.append(
                "\(Figures.counted(report.unreadableAttributes.count, "row")) whose attributes are no JSON object, first on "
                    + "line \(report.unreadableAttributes.firstLine)")
        }
        return lines
    }

    private var count: String { Figures.counted(localisation.values.count, "value") }

    private var attributes: String { Self.listed(localisation.attributes) }

    private static func listed(_ names: [String]) -> String {
        let shown = names.prefix(8).map { PrintableText($0).description }.joined(separator: ", ")
        return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
    }
}
