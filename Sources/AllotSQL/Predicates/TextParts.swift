import AllotCore

extension AudienceTranslator {
    func part(
        _ part: Condition.TextPart, _ literals: [String], ignoringCase: Bool, _ attribute: String,
        _ columns: inout Columns
    ) throws(Unsupported) -> SQLCondition {
        let text = try columns.text(attribute, as: .text)
        let isGiven = SQLCondition.test("\(text) IS NOT NULL", canBeUnknown: false)
        let tests = try literals.map { literal throws(Unsupported) -> SQLCondition in
            try search(part, text, literal, ignoringCase: ignoringCase) ?? isGiven
        }
        return .either(tests)
    }

    /// A search for a literal. Returns `nil` for the empty literal, which every text contains.
    private func search(
        _ part: Condition.TextPart, _ text: String, _ literal: String, ignoringCase: Bool
    ) throws(Unsupported) -> SQLCondition? {
        guard !literal.isEmpty else { return nil }
        let test =
            switch part {
            case .prefix: syntax.search.startsWith
            case .suffix: syntax.search.endsWith
            case .anywhere: syntax.search.contains
            }
        guard ignoringCase else {
            return .test(test(text, try syntax.literal(literal), literal.unicodeScalars.count))
        }
        let folded = FoldedTexts([literal])
        let needle = folded.texts[0]
        return .test(
            test(
                try folded.applied(to: text, searchesParts: true, syntax), try syntax.literal(needle),
                needle.unicodeScalars.count))
    }
}
