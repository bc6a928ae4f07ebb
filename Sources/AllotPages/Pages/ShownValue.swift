import AllotAnalysis
import AllotConfiguration
import AllotReports

/// A value of a setting as a page shows it: cut if it is long, with the whole of it below.
enum ShownValue {
    private static let longest = 240

    /// Writes a cell with the value.
    ///
    /// - Parameters:
    ///   - value: `nil` where there is none.
    ///   - label: The name of the column; `nil` where cards need none.
    static func cell(_ value: JSONValue?, _ label: String? = nil, class style: String? = nil, in row: inout Markup) {
        row.element("td", ["class": style, "data-label": label]) { cell in
            guard let text = value?.canonicalText else { return cell.append("\(faint: "nothing")") }
            guard text.utf8.count > longest else { return cell.element("code", ["dir": "auto"], text) }
            var summary = Markup()
            summary.element("code", ["dir": "auto"], text.prefix(80) + "…")
            summary.append(" \(faint: "\(NumberFormat.grouped(text.utf8.count)) bytes")")
            cell.details(summary) { $0.element("pre", ["tabindex": "0", "dir": "auto"], text) }
        }
    }
}
