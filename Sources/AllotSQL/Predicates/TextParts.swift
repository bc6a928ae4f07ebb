import AllotCore

extension Columns {
    mutating func part(
        _ part: Condition.TextPart, _ literals: [String], ignoringCase: Bool, _ attribute: String
    ) throws(Unsupported) -> SQLCondition {
        let text = try self.text(attribute, as: .text)
        let search =
            switch part {
            case .prefix: syntax.search.startsWith
            case .suffix: syntax.search.endsWith
            case .anywhere: syntax.search.contains
            }
        var tests: [SQLCondition] = []
        for literal in literals {
            guard !literal.isEmpty else {
                // Every text contains it.
                tests.append(.test("\(text) IS NOT NULL", canBeUnknown: false))
                continue
            }
            let folded = ignoringCase ? FoldedTexts([literal]) : nil
            let needle = folded?.texts[0] ?? literal
            let searched = try folded?.applied(to: text, searchesParts: true, syntax) ?? text
            tests.append(.test(search(searched, try syntax.literal(needle), needle.unicodeScalars.count)))
        }
        return .either(tests)
    }
}
