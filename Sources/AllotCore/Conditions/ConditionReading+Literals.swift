import AllotConfiguration

extension JSONNumber {
    /// The reason why comparisons would take the number for others; `nil` if they do not. Numbers compare as IEEE
    /// doubles, which from 2^53 on stand for several whole numbers each.
    package var inexactness: String? {
        let value = double.magnitude
        if value < 9_007_199_254_740_992 { return nil }
        return value.isFinite
            ? "\(text) is not exact, as numbers of 2^53 and more also equal their neighbours"
            : "\(text) is beyond the range of numbers"
    }
}

extension ConditionReading {
    // MARK: Text

    mutating func text(_ node: Node, of name: String) -> String? {
        texts(node, of: name, allowsList: false)?.first?.text
    }

    /// One text or, where a list is allowed, several; `nil` for anything else, which is a problem.
    mutating func texts(_ node: Node, of name: String, allowsList: Bool = true) -> [(text: String, node: Node)]? {
        if allowsList, let elements = node.elements {
            if elements.isEmpty { report(node, "\(name) has an empty list; list at least one text") }
            let all = elements.compactMap { texts($0, of: name, allowsList: false)?.first }
            return all.isEmpty ? nil : all
        }
        let literal = node.json
        if case .string(let text) = literal { return [(text, node)] }
        let fix =
            switch literal {
            case .number, .boolean: "; put it in quotes"
            default: ""
            }
        let form = allowsList ? "text or a list of texts" : "text"
        report(node, "\(name) takes \(form), not \(literal.described)\(fix)")
        return nil
    }

    /// Refuses numbers that a comparison would take for others. `fix` says how else to write such a number.
    mutating func checkNumbers(_ node: Node, fix: String = "put its digits in quotes") {
        if let elements = node.elements {
            for element in elements { checkNumbers(element) }
        } else if let members = node.members {
            for member in members { checkNumbers(member.value) }
        } else if case .number(let number) = node.json, let problem = number.inexactness {
            report(node, number.double.isFinite ? "\(problem); \(fix)" : "\(problem); write a smaller one")
        }
    }
}
