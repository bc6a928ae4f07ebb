import AllotConfiguration

struct SwiftSource {
    static let width = 120
    private(set) var text = ""

    /// Appends a line. An empty one has no indentation.
    mutating func line(_ line: String = "", indent: Int = 0) {
        text += line.isEmpty ? "\n" : String(repeating: " ", count: indent) + line + "\n"
    }

    /// Appends a documentation comment, which no character of its text can end.
    mutating func documentation(_ comment: String, indent: Int) {
        for paragraph in comment.split(separator: "\n", omittingEmptySubsequences: true) {
            var current = ""
            for word in PrintableText(String(paragraph), atMost: .max).description.split(separator: " ") {
                if !current.isEmpty, indent + 4 + current.count + 1 + word.count > Self.width {
                    line("/// \(current)", indent: indent)
                    current = ""
                }
                current += (current.isEmpty ? "" : " ") + word
            }
            if !current.isEmpty { line("/// \(current)", indent: indent) }
        }
    }

    /// Appends a call, with each argument on a line of its own if they do not fit on one.
    mutating func call(_ name: String, _ arguments: [(label: String?, value: SwiftLiteral)], indent: Int) {
        func prefix(_ label: String?) -> String { label.map { "\($0): " } ?? "" }
        let whole = "\(name)(\(arguments.map { prefix($0.label) + $0.value.line }.joined(separator: ", ")))"
        if indent + whole.count <= Self.width {
            line(whole, indent: indent)
            return
        }
        line("\(name)(", indent: indent)
        for (index, argument) in arguments.enumerated() {
            let isLast = index == arguments.count - 1
            let label = prefix(argument.label)
            let value = argument.value.lines(from: indent + 4 + label.count, indent: indent + 4, trailing: 1)
            line(label + value + (isLast ? ")" : ","), indent: indent + 4)
        }
    }
}
