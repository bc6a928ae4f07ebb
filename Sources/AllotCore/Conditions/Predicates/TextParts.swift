import AllotConfiguration

/// The operators that look for a text at the start, at the end or anywhere in a text.
enum PartOperator: String, Operator {
    case startsWith = "$startsWith"
    case startsWithIgnoringCase = "$startsWithi"
    case endsWith = "$endsWith"
    case endsWithIgnoringCase = "$endsWithi"
    case contains = "$contains"
    case containsIgnoringCase = "$containsi"

    private var search: (part: Condition.TextPart, words: String) {
        switch self {
        case .startsWith, .startsWithIgnoringCase: (.prefix, "starts with")
        case .endsWith, .endsWithIgnoringCase: (.suffix, "ends with")
        case .contains, .containsIgnoringCase: (.anywhere, "contains")
        }
    }

    func words(for literal: JSONValue) -> String { "\(search.words) \(literal.alternatives)\(ending)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        reading.doubtTexts(operand.node, of: rawValue) { text, node in
            DoubtfulText.partDoubt(.init(text: text, style: node.style, attribute: nil))
        }
        return reading.texts(operand.node, of: rawValue).map {
            .hasPart(search.part, of: $0.map(\.text), ignoringCase: ignoresCase)
        }
    }
}

extension Condition {
    package enum TextPart: UInt8, Sendable {
        case prefix, suffix, anywhere

        var operatorName: String {
            switch self {
            case .prefix: PartOperator.startsWith.rawValue
            case .suffix: PartOperator.endsWith.rawValue
            case .anywhere: PartOperator.contains.rawValue
            }
        }
    }
}

extension ConditionReading {
    /// Warns of texts that are empty, and of what `find` says about the others.
    mutating func doubtTexts(_ node: Node, of name: String, _ find: (String, Node) -> String?) {
        for node in node.elements ?? [node] {
            guard case .string(let text) = node.json else { continue }
            if text.isEmpty {
                warn(node, "\(name) of nothing holds for every text; write the text, or use $exists")
            } else if let doubt = find(text, node) {
                warn(node, doubt)
            }
        }
    }
}

extension PassingValues {
    static func having(_ part: Condition.TextPart, _ texts: [String], ignoringCase: Bool) -> PassingValues {
        PassingValues(form: .part(part, ignoringCase: ignoringCase), literals: texts.map(JSONValue.string)) {
            (texts + (ignoringCase ? texts.map { $0.uppercased() } : [])).flatMap { text in
                [text, text + "x", "x" + text, "x" + text + "x"].map(JSONValue.string)
            }
        }
    }
}

extension ConditionCompiler {
    /// The test for a part of a text. One literal by its bytes is compared directly.
    mutating func node(_ part: Condition.TextPart, _ texts: [String], ignoringCase: Bool) -> ConditionProgram.Node {
        guard texts.count == 1, !ignoringCase else {
            let set = TextPartSet(part, texts, ignoringCase: ignoringCase)
            return Node(kind: .hasAnyPart, operand: Self.enter(set, in: &pools.parts))
        }
        let kind: ConditionProgram.Kind =
            switch part {
            case .prefix: .hasPrefix
            case .suffix: .hasSuffix
            case .anywhere: .contains
            }
        return Node(kind: kind, operand: enter(texts[0]))
    }
}

extension ConditionProgram {
    /// Tests of text against a text literal, by bytes.
    static func passes(_ node: Node, _ text: Span<UInt8>, _ literal: Span<UInt8>) -> Bool {
        switch node.kind {
        case .text: return node.ordering.accepts(compare(text, literal))
        case .hasPrefix:
            return text.count >= literal.count && ByteTable.areEqual(text.extracting(first: literal.count), literal)
        case .hasSuffix:
            return text.count >= literal.count && ByteTable.areEqual(text.extracting(last: literal.count), literal)
        default: return ByteTable.contains(text, literal)
        }
    }
}
