import AllotConfiguration

/// The operators that match a text with patterns.
enum PatternOperator: String, Operator {
    case regex = "$regex"
    case regexIgnoringCase = "$regexi"

    func words(for literal: JSONValue) -> String { "matches \(literal.alternatives)\(ending)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        reading.doubtTexts(operand.node, of: rawValue) { text, _ in DoubtfulText.expressionDoubt(text) }
        guard let patterns = reading.texts(operand.node, of: rawValue) else { return nil }
        var expressions: [RegularExpression] = []
        for pattern in patterns {
            do {
                expressions.append(try RegularExpression(pattern.text, ignoresCase: ignoresCase))
            } catch {
                reading.report(pattern.node, "the pattern is invalid: \(error.reason); patterns follow RE2's syntax")
            }
        }
        return .matches(expressions)
    }
}

extension PassingValues {
    static func matching(_ expressions: [RegularExpression]) -> PassingValues {
        PassingValues(form: .unknownTexts) {
            expressions.flatMap { expression -> [JSONValue] in
                let plain = expression.pattern.filter { !"^$\\".contains($0) }
                let filled = plain.replacing(".*", with: "").replacing(".+", with: "x").replacing(".", with: "x")
                let choices = filled.filter { !"()".contains($0) }.split(separator: "|").map(String.init)
                return ([plain, filled] + choices + choices.map { "x" + $0 + "x" }).map(JSONValue.string)
            }
        }
    }
}

extension ConditionCompiler {
    mutating func node(matching expressions: [RegularExpression]) -> ConditionProgram.Node {
        let start = pools.expressions.count
        pools.expressions += expressions
        guard expressions.count != 1 else { return Node(kind: .matches, operand: Int32(start)) }
        let range = start..<pools.expressions.count
        return Node(kind: .matchesAny, operand: Self.enter(range, in: &pools.expressionLists))
    }
}

extension ConditionProgram {
    @inline(__always) func matches<Listener: ConditionListener>(
        _ indices: Range<Int>, _ value: AttributeValue, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
        guard value.isText else { return false }
        for index in indices {
            guard let matches = pools.expressions[index].matches(bytes.extracting(value.range)) else {
                listener.reachedBound()
                return false
            }
            if matches { return true }
        }
        return false
    }
}
