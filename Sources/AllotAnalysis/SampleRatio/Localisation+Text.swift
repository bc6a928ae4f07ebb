import AllotConfiguration
import AllotReports
import AllotStatistics

extension Localisation.Value {
    /// `country=FR`
    var name: String { Self.name(attribute, text) + (other.map { " and \(Self.name($0.attribute, $0.text))" } ?? "") }

    /// The name of a column; that of a spreadsheet's or data frame's index is empty.
    fileprivate static func shown(_ attribute: String) -> String {
        attribute.isEmpty ? "\"\"" : PrintableText(attribute).description
    }

    fileprivate var isDay: Bool {
        other == nil && text.map { $0.utf8.count == 10 && Instant($0 + "T00:00:00Z") != nil } ?? false
    }

    private static func name(_ attribute: String, _ text: String?) -> String {
        "\(shown(attribute))=\(text.map { PrintableText($0).description } ?? "(missing)")"
    }
}

extension SampleRatioReport {
    private static let shownValues = 5
    private static let namedValues = 8

    var localisationBlocks: [Report.Block] {
        [Report.Block.text(localisationSentence), valueTable] + localisationNotes.map(Report.Block.text)
    }

    private var localisationSentence: String {
        guard let first = localisation.values.first else {
            return localisation.attributes.isEmpty
                ? "no attributes to look at: no other column has between 2 and \(SampleRatioQuestion.fewValues) values"
                : "no value of \(attributeNames) has enough units for a test"
        }
        switch localisation.finding {
        case .nothing where first.adjusted < PValue(levels.other):
            return "\(first.name) by itself is below the threshold, p = \(first.adjusted), but does not differ clearly "
                + "from the rest"
        case .nothing:
            return "no value of \(attributeNames) stands out: the smallest p of \(valueCount) is \(first.adjusted) "
                + "after Holm's correction"
        case .source(let values, let without):
            let rest = without < Localisation.shown ? "no mismatch is detected" : "the ratio is fine"
            return "IT COMES FROM \(sourceText(values)): without "
                + "\(values.count == 1 ? "it" : "them") \(rest), p = \(without)"
        case .part(let value):
            let rest = value.without.map(\.description) ?? "unknown"
            return "\(value.name) stands out, but is not all: without it p = \(rest)"
        case .uneven(let attribute):
            return "the mismatch DIFFERS BETWEEN the values of \(Localisation.Value.shown(attribute.name)), p = "
                + "\(attribute.homogeneity?.description ?? "unknown"), though none of them stands out"
        case .everywhere:
            let smallest = localisation.attributes.compactMap(\.homogeneity).min()
            return "the mismatch seems to be everywhere: no value of \(attributeNames) differs from the others"
                + (smallest.map { " (homogeneity: p = \($0), after Holm's correction)" } ?? "")
        case .hidden(let value) where value.isNamed:
            return "the ratio is right as a whole, but WRONG WITHIN \(value.name), p = \(value.adjusted)"
        case .hidden(let value):
            return
                "the ratio differs within \(value.name), p = \(value.adjusted): an outcome? If it was known before the "
                + "assignment, name the attribute"
        }
    }

    private var valueTable: Report.Block {
        let values = localisation.values.prefix(Self.shownValues).filter { $0.adjusted < Localisation.shown }
        let rows = values.map { value in
            [value.name] + value.counts.map(String.init)
                + [value.pValue.description, value.adjusted.description, value.without?.description ?? ""]
        }
        return .numbers(["value"] + shares.variants + ["p", "corrected", "p without it"], rows)
    }

    private var localisationNotes: [String] {
        var lines: [String] = []
        if !localisation.values.isEmpty, localisation.finding != .nothing {
            lines.append("\(valueCount) of \(attributeNames) were tested; \"corrected\" is Holm's correction for that")
        }
        if let dayLine { lines.append(dayLine) }
        switch localisation.finding {
        case .hidden: break
        case .source(let values, _) where values.allSatisfy(\.isNamed): break
        case .source, .part, .uneven:
            lines.append(
                "this says something only if the attribute was known before the assignment: outcomes differ anyway")
        case .nothing where localisation.values.contains { !$0.isNamed && $0.adjusted < Localisation.shown }:
            lines.append("outcomes differ between variants anyway: look at what was known before the assignment")
        case .nothing, .everywhere: break
        }
        if localisation.untestedCount > 0 {
            lines.append("\(counted(localisation.untestedCount, "value")) with too few units for a test")
        }
        if !localisation.droppedAttributes.isEmpty {
            let names = Self.printable(localisation.droppedAttributes)
            lines.append("skipped for their many values: \(names); name them to look at them")
        }
        if localisation.tally.hasMoreAttributes { lines.append("there are more attributes; name those that matter") }
        if localisation.tally.unreadableCount > 0 {
            lines.append("\(counted(localisation.tally.unreadableCount, "row")) whose attributes are not a JSON object")
        }
        return lines
    }

    private var dayLine: String? {
        let values = localisation.finding.parts.values
        guard let value = values.first, values.count == 1, let day = value.text,
            localisation.time.map({ UTF8Order.areEqual($0, value.attribute) }) == true
        else { return nil }
        let days = localisation.values.filter { UTF8Order.areEqual($0.attribute, value.attribute) }.compactMap(\.text)
        guard days.count > 1 else { return nil }
        if day == days.max() {
            return
                "\(day) is the last day of the data, and may be incomplete: a variant may be reported later. Leave out "
                + "the last day, and look again."
        }
        guard day == days.min() else { return nil }
        return "\(day) is the first day of the data: a variant may have started later than the others."
    }

    private var valueCount: String { counted(localisation.values.count, "value") }
    private var attributeNames: String { Self.printable(localisation.attributes.map(\.name)) }

    /// The values that a mismatch comes from, which are of one attribute.
    private func sourceText(_ values: [Localisation.Value]) -> String {
        if let range = rangeText(values) { return range }
        guard values.count > Self.namedValues else { return values.map(\.name).joined(separator: " and ") }
        let attribute = localisation.attributes.first { UTF8Order.areEqual($0.name, values[0].attribute) }
        let names = values.map(\.name).listed(atMost: Self.namedValues)
        return "\(names), \(values.count) of \(attribute?.valueCount ?? values.count) values"
    }

    /// Days without another tested day between them, as one range; `nil` for other values.
    private func rangeText(_ values: [Localisation.Value]) -> String? {
        let days = values.filter(\.isDay).compactMap(\.text).sorted()
        guard days.count == values.count, days.count > 1, let last = days.last else { return nil }
        let attribute = values[0].attribute
        let between = localisation.values.count { value in
            UTF8Order.areEqual(value.attribute, attribute) && value.text.map { days[0] <= $0 && $0 <= last } ?? false
        }
        guard between == days.count else { return nil }
        return "\(Localisation.Value.shown(attribute))=\(days[0]) to \(last)"
    }

    private static func printable(_ names: [String]) -> String { names.map(Localisation.Value.shown).listed(atMost: 8) }
}
