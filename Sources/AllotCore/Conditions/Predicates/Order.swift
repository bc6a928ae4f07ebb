import AllotConfiguration

/// The operators that compare numbers by value and texts by their bytes.
enum OrderOperator: String, Operator {
    case greater = "$gt"
    case greaterOrEqual = "$gte"
    case less = "$lt"
    case lessOrEqual = "$lte"

    private var comparison: (ordering: Condition.Ordering, words: String) {
        switch self {
        case .greater: (.greater, "above")
        case .greaterOrEqual: (.greaterOrEqual, "at least")
        case .less: (.less, "below")
        case .lessOrEqual: (.lessOrEqual, "at most")
        }
    }

    func words(for literal: JSONValue) -> String { "is \(comparison.words) \(literal.inWords)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        let node = operand.node
        if case .string(let text) = node.json { doubt(text, node, &reading) }
        reading.doubtNumber(node, of: operand.attribute, fix: versions(node))
        switch node.json {
        case .number(let number):
            reading.checkNumbers(node, fix: "write a smaller one")
            return .orderedNumber(comparison.ordering, number.double)
        case .string(let text): return .orderedText(comparison.ordering, text)
        default:
            reading.report(node, "\(rawValue) takes a number or text, not \(node.json.described)")
            return nil
        }
    }

    /// Warns of order by characters where another order was meant.
    private func doubt<Node: ConditionNode>(_ text: String, _ node: Node, _ reading: inout ConditionReading<Node>) {
        var fixes: [String] = []
        if let number = DoubtfulText.number(text) { fixes.append("\(number) without quotes for numbers") }
        if DoubtfulText.isVersion(text) || (!fixes.isEmpty && text.contains(".")) {
            fixes.append("$v\(rawValue.dropFirst()) for versions")
        }
        let isInstant = Self.isInstant(text)
        if isInstant || Self.isDate(text) {
            let test = InstantOperator.allCases.first { $0.comparison.ordering == comparison.ordering }
            fixes.append("\(test?.rawValue ?? "") for instants")
        }
        let effect = isInstant ? "whatever the offset" : "so that \"10\" is below \"9\""
        if fixes.isEmpty {
            reading.doubtScalar(node, of: nil)
        } else {
            let fix = fixes.joined(separator: ", or ")
            reading.warn(node, "\(rawValue) orders text by its characters, \(effect); write \(fix)")
        }
    }

    /// Whether a text is an instant, or a date and a time without an offset.
    private static func isInstant(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(14))
        return Instant(text) != nil
            || (bytes.count == 14
                && zip(bytes, "0000-00-00T00:".utf8).allSatisfy { byte, form in
                    form == UInt8(ascii: "0")
                        ? byte.isDigit : byte == form || (form == UInt8(ascii: "T") && byte == 0x20)
                })
    }

    /// Whether a text is a date such as 01/02/2026.
    private static func isDate(_ text: String) -> Bool {
        text.utf8.count == 10
            && zip(text.utf8, "00/00/0000".utf8).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
    }
}

extension Condition {
    package enum Ordering: UInt8, Sendable {
        case equal, less, lessOrEqual, greater, greaterOrEqual

        /// Whether a comparison result (-1, 0, 1) satisfies this ordering.
        @inline(__always) package func accepts(_ order: Int) -> Bool {
            switch self {
            case .equal: order == 0
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            case .greaterOrEqual: order >= 0
            }
        }
    }
}

extension PassingValues {
    static func ordered(_ ordering: Condition.Ordering, number: Double) -> PassingValues {
        let section = Section(ordering, [.number(number)])
        return PassingValues(form: .section(.scalar, section), literals: [JSONValue(floatLiteral: number)])
    }

    static func ordered(_ ordering: Condition.Ordering, text: String) -> PassingValues {
        let section = Section(ordering, [.text(UTF8Key(text))])
        return PassingValues(form: .section(.order, section), literals: [.string(text)]) {
            [.string(text), .string(text + "!"), .string(String(text.dropLast()))]
        }
    }
}

extension ConditionProgram {
    @inline(__always) func passes(_ node: Node, number value: AttributeValue, _ bytes: Span<UInt8>) -> Bool {
        guard let number = value.number(in: bytes) else { return false }
        return node.ordering.accepts(number < node.number ? -1 : number > node.number ? 1 : 0)
    }

    static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return (left.count - right.count).signum()
    }
}
