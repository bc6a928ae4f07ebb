import AllotConfiguration

/// Reads a JSON file into the same positioned tree that a YAML file gives.
enum JSONSource {
    /// How deep values may nest.
    static let depthLimit = 100

    /// The tree of a file, and what is wrong with it; no tree when the text cannot be understood.
    static func parse(bytes: [UInt8], file: String) -> (node: SourceNode?, problems: [DefinitionProblem]) {
        var parser = JSONParser(bytes, builder: Builder(file: file), depthLimit: depthLimit)
        do {
            let node = try parser.parse()
            return (node, parser.builder.problems.problems)
        } catch {
            var problems = parser.builder.problems
            problems.addError(error.message, at: SourcePosition(line: error.line, column: error.column))
            return (nil, problems.problems)
        }
    }

    private struct Builder: JSONBuilder {
        private var cursor = TextPosition()
        private(set) var problems: ProblemList

        init(file: String) {
            problems = ProblemList(file: file)
        }

        mutating func mark(at offset: Int, in bytes: [UInt8]) -> SourcePosition {
            cursor.advance(to: offset, in: bytes)
            return SourcePosition(line: cursor.line, column: cursor.column)
        }

        func null(_ mark: SourcePosition) -> SourceNode { SourceNode(position: mark, content: .null) }
        func boolean(_ value: Bool, _ mark: SourcePosition) -> SourceNode {
            SourceNode(position: mark, content: .boolean(value))
        }
        func number(_ text: String, _ mark: SourcePosition) -> SourceNode {
            SourceNode(position: mark, content: .number(text))
        }
        func string(_ text: String, _ mark: SourcePosition) -> SourceNode {
            SourceNode(position: mark, content: .text(text))
        }
        func array(_ elements: [SourceNode], _ mark: SourcePosition) -> SourceNode {
            SourceNode(position: mark, content: .list(elements))
        }

        mutating func object(
            _ members: [(key: String, keyMark: SourcePosition, value: SourceNode)], _ mark: SourcePosition
        ) -> SourceNode {
            var lines: [UTF8Key: Int] = [:]
            var entries: [SourceEntry] = []
            for member in members {
                if let line = lines[UTF8Key(member.key)] {
                    problems.addError(
                        "the key \(QuotedText(member.key)) is given twice, also at line \(line); keep one",
                        at: member.keyMark)
                } else {
                    lines[UTF8Key(member.key)] = member.keyMark.line
                    entries.append(SourceEntry(key: member.key, keyPosition: member.keyMark, value: member.value))
                }
            }
            return SourceNode(position: mark, content: .map(entries))
        }
    }
}
