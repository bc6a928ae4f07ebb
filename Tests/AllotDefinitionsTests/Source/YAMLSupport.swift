@testable import AllotDefinitions

/// Parses text as a file named `f.yaml`.
func parse(_ text: String) -> (root: SourceNode?, problems: [DefinitionProblem]) {
    let tree = SourceTree(Array(text.utf8), file: "f.yaml")
    return (tree.root, tree.problems)
}

/// The problems of a text without the file's name and the severity, `3:1: message (path)`.
func problems(_ text: String) -> [String] { problems(Array(text.utf8)) }

/// The problems of a file's bytes without the file's name and the severity.
func problems(_ bytes: [UInt8]) -> [String] {
    SourceTree(bytes, file: "f.yaml").problems.map { problem in
        String(problem.description.dropFirst("f.yaml:".count)).replacing(" error: ", with: " ", maxReplacements: 1)
    }
}

/// A tree on one line, each node and key with its position: `1:1{1:1 a: 1:4 number 5}`.
func outline(_ node: SourceNode?) -> String {
    guard let node else { return "no tree" }
    let content =
        switch node.content {
        case .null: " null"
        case .boolean(let value): " \(value)"
        case .number(let digits): " number \(digits)"
        case .text(let text): " text \(text)"
        case .list(let nodes): "[" + nodes.map(outline).joined(separator: ", ") + "]"
        case .map(let entries):
            "{" + entries.map { "\($0.keyPosition) \($0.key): \(outline($0.value))" }.joined(separator: ", ") + "}"
        }
    return "\(node.position)\(content)"
}
