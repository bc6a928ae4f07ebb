import AllotConfiguration
import AllotCore

extension AudienceTranslator {
    func membership(
        _ literals: [JSONValue], ignoringCase: Bool, _ attribute: String, _ columns: inout Columns
    ) throws(Unsupported) -> SQLCondition {
        let text = try columns.text(attribute)
        var texts: [String] = []
        var numbers: [Double] = []
        var booleans: [Bool] = []
        var parts: [SQLCondition] = []
        for literal in literals {
            switch literal {
            case .string(let text): texts.append(text)
            case .number(let number): numbers.append(number.double)
            case .boolean(let flag): booleans.append(flag)
            case .null: parts = [.test("\(text) IS NULL", canBeUnknown: false)]
            // The parser rejects them.
            case .array, .object: break
            }
        }
        if !texts.isEmpty {
            _ = try columns.text(attribute, as: .text)
            parts.append(
                ignoringCase
                    ? try Self.isIn(FoldedTexts(texts), text, syntax)
                    : .test("\(text) IN (\(try Self.list(texts, syntax)))"))
        }
        if !numbers.isEmpty {
            let list = Set(numbers).sorted().map(syntax.literal).joined(separator: ", ")
            parts.append(.test("\(try columns.number(attribute)) IN (\(list))"))
        }
        if !booleans.isEmpty {
            _ = try columns.text(attribute, as: .boolean)
            let list = Set(booleans.map { "'\($0)'" }).sorted().joined(separator: ", ")
            parts.append(.test("\(syntax.lowercasedASCII(text)) IN (\(list))"))
        }
        return .either(parts)
    }

    private static func isIn(
        _ folded: FoldedTexts, _ text: String, _ syntax: any SQLSyntax
    ) throws(Unsupported) -> SQLCondition {
        .test("\(try folded.applied(to: text, searchesParts: false, syntax)) IN (\(try list(folded.texts, syntax)))")
    }

    /// The literals of texts, each once, in the order of their bytes.
    static func list(_ texts: [String], _ syntax: some SQLSyntax) throws(Unsupported) -> String {
        var literals: [String] = []
        for text in Set(texts.map(UTF8Key.init)).sorted() { literals.append(try syntax.literal(text.text)) }
        return literals.joined(separator: ", ")
    }
}
