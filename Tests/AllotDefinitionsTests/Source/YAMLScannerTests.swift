import TestSupport
import Testing
import Yams

@testable import AllotDefinitions

/// The scanner must cut text as libyaml does; if a new version of Yams cuts it in another way, this fails.
@Suite struct YAMLScannerTests {
    static let pieces = [
        "a", "b", "key", " ", "  ", "\n", "\n  ", "\n    ", "- ", "-", "? ", "?", ": ", ":", ", ", ",", "[", "]", "{",
        "}",
        "&x ", "*x", "!", "!t ", "!<a> ", "\"", "'", "\"q\"", "'s'", "\\", "\\n", "\\\n", "|", "|\n ", ">-\n  ",
        "|2\n  ",
        "#", " # c\n", "\n---\n", "\n...\n", "%YAML 1.1\n", "%", "\t", "<<", "~", "é", "😀", "\r\n", "\r", "@", "\"\"",
        "a: ", "b: ", "a: 1\n", "- a\n", "\n- ", "\n  a: ", "\n  - ", "\n  ? ", "\n  : ", "[a]: ", "{a: 1}", "[1, 2]",
    ]

    @Test("Cuts as yams does", arguments: 1...8 as ClosedRange<UInt64>)
    func cutsAsYamsDoes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var compared = 0
        for _ in 0..<4000 {
            let count = Int.random(in: 1...14, using: &random)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            var list = ProblemList(file: "f")
            let source = try #require(SourceText(Array(text.utf8), problems: &list))
            guard let root = try? Yams.compose(yaml: text, .basic, .default, .utf8) else { continue }
            var scanner = YAMLScanner(source)
            var tokens: [YAMLToken] = []
            while let token = scanner.next() { tokens.append(token) }
            // Aliases stand where their anchors do, anchors and tags are where their node starts.
            guard tokens.allSatisfy({ ![.alias, .anchor, .tag].contains($0.kind) }) else { continue }
            let starts = tokens.filter { [.plain, .quoted, .block, .listStart, .mapStart].contains($0.kind) }
            #expect(Set(starts.map(\.position)).isSuperset(of: filled(root)), "\(text.debugDescription)")
            #expect(starts.count(where: { $0.kind == .plain }) == plain(root), "\(text.debugDescription)")
            compared += 1
        }
        #expect(compared > 400)
    }

    /// The positions of the scalars that are not empty.
    private func filled(_ node: Node) -> [SourcePosition] {
        switch node {
        case .scalar(let scalar): scalar.string.isEmpty ? [] : scalar.mark.map { [SourcePosition($0)] } ?? []
        case .sequence(let sequence): sequence.flatMap(filled)
        case .mapping(let mapping): mapping.flatMap { filled($0.key) + filled($0.value) }
        case .alias: []
        }
    }

    /// How many scalars are plain and not empty.
    private func plain(_ node: Node) -> Int {
        switch node {
        case .scalar(let scalar): scalar.style == .plain && !scalar.string.isEmpty ? 1 : 0
        case .sequence(let sequence): sequence.reduce(0) { $0 + plain($1) }
        case .mapping(let mapping): mapping.reduce(0) { $0 + plain($1.key) + plain($1.value) }
        case .alias: 0
        }
    }
}
