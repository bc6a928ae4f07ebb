import AllotConfiguration

/// Reads a JSON file into the same positioned tree as a YAML file.
enum JSONSource {
    static func parse(_ text: SourceText, problems: inout ProblemList) -> SourceNode? {
        var parser = JSONParser(text.bytes, builder: Builder(problems: problems), depthLimit: SourceTree.deepest)
        do {
            let node = try parser.parse()
            problems = parser.builder.problems
            return node
        } catch {
            problems = parser.builder.problems
            problems.add(error.message, at: SourcePosition(line: error.line, column: error.column))
            return nil
        }
    }

    private struct Builder: JSONBuilder {
        var cursor = TextPosition()
        var problems: ProblemList

        mutating func mark(at offset: Int, in bytes: [UInt8]) -> SourcePosition {
            cursor.advance(to: offset, in: bytes)
            return SourcePosition(cursor)
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
            var map = UniqueEntries()
            for member in members {
                let entry = SourceEntry(key: member.key, keyPosition: member.keyMark, value: member.value)
                if let problem = map.add(entry) { problems.add(problem, at: member.keyMark) }
            }
            return SourceNode(position: mark, content: .map(map.entries))
        }
    }
}
