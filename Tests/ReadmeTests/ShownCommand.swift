/// A command that a document shows, `    $ allot …`, and the lines that stand below it.
struct ShownCommand: Sendable, CustomStringConvertible {
    let document: String
    let line: Int
    let command: String
    var output: String

    var description: String { "\(document):\(line): \(command)" }

    /// The commands of a document, in order.
    static func all(in document: Document) -> [ShownCommand] {
        var found: [ShownCommand] = []
        var isOpen = false
        // Empty lines belong to the output if more of it follows.
        var emptyLines = 0
        for (number, line) in document.lines.enumerated() {
            if line.hasPrefix("    $ ") {
                found.append(
                    ShownCommand(
                        document: document.path, line: number + 1, command: String(line.dropFirst(6)), output: ""))
                isOpen = true
                emptyLines = 0
            } else if isOpen, line.hasPrefix("    ") {
                found[found.count - 1].output += String(repeating: "\n", count: emptyLines) + line.dropFirst(4) + "\n"
                emptyLines = 0
            } else if isOpen, line.isEmpty {
                emptyLines += 1
            } else {
                isOpen = false
            }
        }
        return found
    }
}
