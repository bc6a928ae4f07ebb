import TestSupport
import Testing

@testable import AllotDefinitions

/// What is written at a position is read from that position, however it is written; and no text is misread silently.
struct YAMLRoundTripTests {
    @Test("A random tree is read back with every value where it was written", arguments: 1...8 as ClosedRange<UInt64>)
    func randomTreesAreReadBack(seed: UInt64) {
        var writer = YAMLWriter(random: SeededGenerator(seed: seed))
        for _ in 0..<200 {
            let (text, expected) = writer.document()
            let (root, problems) = parse(text)
            #expect(problems.isEmpty, "\(text.debugDescription)")
            #expect(outline(root) == expected, "\(text.debugDescription)")
        }
    }

    static let pieces = [
        "a", "b", "key", " ", "  ", "\n", "\n  ", "\n    ", "- ", "-", "? ", "?", ": ", ":", ", ", ",", "[", "]", "{",
        "}", "&x ", "*x", "!", "!t ", "!<a> ", "\"", "'", "\"q\"", "'s'", "\\", "\\n", "\\\n", "|", "|\n ", ">-\n  ",
        "|2\n  ", "#", " # c\n", "\n---\n", "\n...\n", "%YAML 1.1\n", "%", "\t", "<<", "~", "é", "😀", "\r\n", "\r", "@",
        "\"\"", "a: ", "b: ", "a: 1\n", "- a\n", "\n- ", "\n  a: ", "\n  - ", "\n  ? ", "\n  : ", "[a]: ", "{a: 1}",
        "[1, 2]", "\u{301}", "\u{85}", "\u{FEFF}",
    ]

    @Test("Any text gives a tree or a problem, and both point into the text", arguments: 1...8 as ClosedRange<UInt64>)
    func anyTextGivesATreeOrAProblem(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var trees = 0
        for _ in 0..<4000 {
            let count = Int.random(in: 1...14, using: &random)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            let tree = SourceTree(Array(text.utf8), file: "f.yaml")
            #expect(tree.root != nil || !tree.problems.isEmpty, "\(text.debugDescription)")
            let source = try #require(tree.text)
            for position in tree.problems.compactMap(\.position) + (tree.root.map(positions) ?? []) {
                let end = source.position(at: source.bytes.count)
                // libyaml takes the end of a last line without line break for the start of another line.
                let isInside =
                    source.position(at: source.offset(of: position)) == position
                    || position == SourcePosition(line: end.line + 1, column: 1)
                #expect(isInside, "\(position) of \(text.debugDescription)")
            }
            if tree.root != nil { trees += 1 }
        }
        #expect(trees > 400)
    }

    private func positions(_ node: SourceNode) -> [SourcePosition] {
        switch node.content {
        case .null, .boolean, .number, .text: [node.position]
        case .list(let elements): [node.position] + elements.flatMap(positions)
        case .map(let entries): [node.position] + entries.flatMap { [$0.keyPosition] + positions($0.value) }
        }
    }
}

/// Writes random trees as YAML, and what `outline` says of them.
private struct YAMLWriter {
    var random: SeededGenerator
    private var text = ""
    private var position = SourcePosition(line: 1, column: 1)

    init(random: SeededGenerator) { self.random = random }

    mutating func document() -> (text: String, outline: String) {
        (text, position) = ("", SourcePosition(line: 1, column: 1))
        let outline = map(depth: 0, indent: 0)
        return (text, outline)
    }

    private mutating func write(_ piece: String) {
        text += piece
        for scalar in piece.unicodeScalars {
            position =
                scalar == "\n"
                ? SourcePosition(line: position.line + 1, column: 1)
                : SourcePosition(line: position.line, column: position.column + 1)
        }
    }

    private mutating func value(depth: Int, indent: Int, isInBrackets: Bool) -> String {
        let kind = depth > 3 ? 0 : Int.random(in: 0..<6, using: &random)
        switch kind {
        case 4: return brackets(depth: depth, isMap: false)
        case 5: return brackets(depth: depth, isMap: true)
        case 3 where !isInBrackets:
            write("\n" + String(repeating: " ", count: indent + 2))
            return map(depth: depth + 1, indent: indent + 2)
        case 2 where !isInBrackets:
            write("\n" + String(repeating: " ", count: indent + 2))
            return list(depth: depth + 1, indent: indent + 2)
        default: return scalar()
        }
    }

    private mutating func scalar() -> String {
        let scalars = [
            ("true", "true"), ("~", "null"), ("-1.50", "number -1.50"), ("NO", "text NO"), ("a b", "text a b"),
            ("'it''s'", "text it's"), ("\"\\u00e9\\t\"", "text é\t"), ("é😀", "text é😀"),
            ("2026-11-21", "text 2026-11-21"), ("\"#\"", "text #"), ("''", "text "), ("0%..<50%", "text 0%..<50%"),
        ]
        let (written, read) = scalars.randomElement(using: &random) ?? ("", "")
        let outline = "\(position) \(read)"
        write(written)
        return outline
    }

    private mutating func key(_ number: Int) -> String {
        let (written, read) =
            [("k\(number)", "k\(number)"), ("\"k \(number)\"", "k \(number)"), ("é\(number)", "é\(number)")]
            .randomElement(using: &random) ?? ("", "")
        let outline = "\(position) \(read): "
        write(written + ": ")
        return outline
    }

    private mutating func brackets(depth: Int, isMap: Bool) -> String {
        let start = position
        write(isMap ? "{" : "[")
        var parts: [String] = []
        for number in 0..<Int.random(in: 0...3, using: &random) {
            if number > 0 { write(Bool.random(using: &random) ? ", " : ",\n          ") }
            let key = isMap ? key(number) : ""
            parts.append(key + value(depth: depth + 1, indent: 0, isInBrackets: true))
        }
        write(isMap ? "}" : "]")
        let inner = parts.joined(separator: ", ")
        return isMap ? "\(start){\(inner)}" : "\(start)[\(inner)]"
    }

    private mutating func map(depth: Int, indent: Int) -> String {
        let start = position
        var parts: [String] = []
        for number in 0...Int.random(in: 0...3, using: &random) {
            if number > 0 { endLine(indent) }
            parts.append(key(number) + value(depth: depth, indent: indent, isInBrackets: false))
        }
        return "\(start){\(parts.joined(separator: ", "))}"
    }

    private mutating func list(depth: Int, indent: Int) -> String {
        let start = position
        var parts: [String] = []
        for number in 0...Int.random(in: 0...3, using: &random) {
            if number > 0 { endLine(indent) }
            write("- ")
            parts.append(value(depth: depth, indent: indent, isInBrackets: false))
        }
        return "\(start)[\(parts.joined(separator: ", "))]"
    }

    /// Ends a line, with a comment now and then.
    private mutating func endLine(_ indent: Int) {
        write(["\n", " # comment\n", "\n\n"].randomElement(using: &random) ?? "\n")
        write(String(repeating: " ", count: indent))
    }
}
