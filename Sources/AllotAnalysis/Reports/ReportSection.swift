/// A part of a report: a label, and lines next to it.
package enum ReportSection {
    private static let labelWidth = 12
    private static let lineLength = 110

    /// The lines, indented; long sentences are broken between words.
    package static func lines(_ label: String, _ body: [String]) -> [String] {
        body.flatMap(broken).enumerated().map { index, line in
            let start = index == 0 ? label : ""
            return "    " + start.rightPadded(to: max(labelWidth, start.count + 1)) + line
        }
    }

    /// A sentence in lines of a readable length. Indented text belongs to a table and stays as it is.
    private static func broken(_ text: String) -> [String] {
        guard !text.hasPrefix("  "), text.count > lineLength else { return [text] }
        var (lines, line): ([String], String) = ([], "")
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + word.count < lineLength {
                line += " \(word)"
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }
}
