import AllotConfiguration
import AllotCore

extension Columns {
    mutating func membership(
        _ literals: [JSONValue], ignoringCase: Bool, _ attribute: String
    ) throws(Unsupported) -> SQLCondition {
        let text = try self.text(attribute)
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
            _ = try self.text(attribute, as: .text)
            let folded = ignoringCase ? FoldedTexts(texts) : nil
            let compared = try folded?.applied(to: text, searchesParts: false, syntax) ?? text
            parts.append(.test("\(compared) IN (\(try syntax.list(folded?.texts ?? texts)))"))
        }
        if !numbers.isEmpty {
            let list = Set(numbers).sorted().map(syntax.literal).joined(separator: ", ")
            parts.append(.test("\(try number(attribute)) IN (\(list))"))
        }
        if !booleans.isEmpty {
            _ = try self.text(attribute, as: .boolean)
            let list = Set(booleans.map { "'\($0)'" }).sorted().joined(separator: ", ")
            parts.append(.test("\(syntax.lowercasedASCII(text)) IN (\(list))"))
        }
        return .either(parts)
    }
}

extension SQLSyntax {
    func list(_ texts: [String]) throws(Unsupported) -> String {
        var literals: [String] = []
        for text in Set(texts.map(UTF8Key.init)).sorted() { literals.append(try literal(text.text)) }
        return literals.joined(separator: ", ")
    }
}
