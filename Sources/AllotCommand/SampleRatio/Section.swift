/// A part of a report: a label, and beside it lines.
struct Section {
    let label: String
    let body: [String]

    private static let width = 12
    private static let lineLength = 110

    init(_ label: String, _ body: [String]) {
        self.label = label
        self.body = body
    }

    /// The lines, indented, sentences broken between words.
    var lines: [String] {
        body.flatMap(Self.broken).enumerated().map { index, line in
            let start = index == 0 ? label : ""
            return "    " + start + String(repeating: " ", count: max(1, Self.width - start.count)) + line
        }
    }

    /// A sentence in lines of a readable length; what is indented is a table and stays as it is.
    private static func broken(_ text: String) -> [String] {
        guard !text.hasPrefix("  "), text.count > lineLength else { return [text] }
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + word.count < lineLength {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
