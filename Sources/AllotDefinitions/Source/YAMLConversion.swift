import AllotConfiguration
import Yams

/// Turns the tree of Yams into source nodes, and reports what is wrong with the tree itself.
///
/// Recursion is at most `YAMLOutline.deepest` calls deep, whatever the text.
struct YAMLConversion {
    /// What was found: the problems of the outline, keys written twice or left out, merge keys, too much nesting.
    private(set) var problems: ProblemList

    /// Whether the tree says what was written. It does not where something that is not supported was left out.
    private(set) var isComplete: Bool

    private let marks: YAMLKeyMarks?
    private let aliases: Set<SourcePosition>
    private var path = SourcePath()

    /// Prepares a conversion.
    ///
    /// - Parameters:
    ///   - outline: The outline of the text, whose aliases Yams was given as text.
    ///   - marks: The marks in the text that Yams was given, nil if it had none.
    init(_ outline: YAMLOutline, marks: YAMLKeyMarks?) {
        problems = outline.problems
        isComplete = outline.aliases.isEmpty
        self.marks = marks
        aliases = Set(outline.aliases.lazy.map(\.position))
    }

    /// The source node of a whole tree.
    mutating func convert(_ root: Node) -> SourceNode {
        convert(root, depth: 1)
    }

    private mutating func convert(_ node: Node, depth: Int) -> SourceNode {
        let position = position(of: node)
        switch node {
        case .scalar(let scalar):
            return SourceNode(position: position, content: content(of: scalar, at: position))
        case .sequence where depth > YAMLOutline.deepest, .mapping where depth > YAMLOutline.deepest:
            return incomplete(YAMLOutline.tooDeep, at: position)
        case .sequence(let sequence):
            return SourceNode(position: position, content: .list(list(sequence, depth: depth)))
        case .mapping(let mapping):
            return SourceNode(position: position, content: .map(map(mapping, depth: depth)))
        case .alias:
            return incomplete(YAMLOutline.anchorMessage, at: position)
        }
    }

    private mutating func list(_ sequence: Node.Sequence, depth: Int) -> [SourceNode] {
        var nodes: [SourceNode] = []
        nodes.reserveCapacity(sequence.count)
        for (index, element) in sequence.enumerated() {
            path.append(index: index)
            nodes.append(convert(element, depth: depth + 1))
            path.removeLast()
        }
        return nodes
    }

    private mutating func map(_ mapping: Node.Mapping, depth: Int) -> [SourceEntry] {
        var entries: [SourceEntry] = []
        entries.reserveCapacity(mapping.count)
        var positions: [UTF8Key: SourcePosition] = [:]
        positions.reserveCapacity(mapping.count)
        for (keyNode, valueNode) in mapping {
            let keyPosition = position(of: keyNode)
            guard let key = key(keyNode, at: keyPosition) else {
                isComplete = false
                continue
            }
            path.append(key: key)
            let value = convert(valueNode, depth: depth + 1)
            if let first = positions[UTF8Key(key)] {
                problems.addError(
                    "the key \(QuotedText(key)) is there twice, also at line \(first.line)"
                        + (first.line == keyPosition.line ? ", column \(first.column)" : "")
                        + "; keep one of the two", at: keyPosition, path: path)
            } else {
                positions[UTF8Key(key)] = keyPosition
                entries.append(SourceEntry(key: key, keyPosition: keyPosition, value: value))
            }
            path.removeLast()
        }
        return entries
    }

    /// The text of a key, or nil when it is none: then the problem is added, or was when the outline was read.
    private mutating func key(_ node: Node, at position: SourcePosition) -> String? {
        guard case .scalar(let scalar) = node else {
            problems.addError(YAMLOutline.keyMessage, at: position, path: path)
            return nil
        }
        let key = text(of: scalar, at: position)
        switch (scalar.style, key) {
        case _ where aliases.contains(position): break
        case (.plain, "<<"):
            problems.addError(
                "merge keys (<<) are not supported; write the members out, or use a segment", at: position, path: path)
        case (.plain, ""):
            problems.addError("a key is missing; write it, or \"\" for an empty one", at: position, path: path)
        default: return key
        }
        return nil
    }

    private func content(of scalar: Node.Scalar, at position: SourcePosition) -> SourceNode.Content {
        let text = text(of: scalar, at: position)
        return scalar.style == .plain && scalar.tag.rawValue != Tag.Name.str.rawValue
            ? YAMLScalar.content(ofPlain: text) : .text(text)
    }

    private func text(of scalar: Node.Scalar, at position: SourcePosition) -> String {
        marks?.unmarked(scalar.string, at: position) ?? scalar.string
    }

    private mutating func incomplete(_ message: String, at position: SourcePosition) -> SourceNode {
        problems.addError(message, at: position, path: path)
        isComplete = false
        return SourceNode(position: position, content: .null)
    }

    private func position(of node: Node) -> SourcePosition {
        guard let mark = node.mark else { return SourcePosition(line: 1, column: 1) }
        return marks?.unmarked(SourcePosition(mark)) ?? SourcePosition(mark)
    }
}
