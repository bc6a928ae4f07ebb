import AllotConfiguration
import AllotCore

extension Columns {
    mutating func number(_ attribute: String) throws(Unsupported) -> String {
        let text = try self.text(attribute, as: .number)
        let name = self.name("number_", attribute)
        // Adding 0 turns -0 into 0, for engines that compare numbers by their bytes.
        stages.readings.add(
            name,
            "CASE WHEN \(syntax.byteCount(text)) <= 40 AND \(syntax.matchesWholly(text, PlainPattern.number)) THEN "
                + "\(syntax.double(text)) + 0 END")
        return name
    }

    mutating func isNull(_ attribute: String, _ isNull: Bool) throws(Unsupported) -> SQLCondition {
        .test("\(try text(attribute)) IS \(isNull ? "" : "NOT ")NULL", canBeUnknown: false)
    }

    mutating func equality(_ literal: JSONValue, _ attribute: String) throws(Unsupported) -> SQLCondition {
        switch literal {
        case .null: return try isNull(attribute, true)
        case .boolean(let flag):
            return .test("\(syntax.lowercasedASCII(try text(attribute, as: .boolean))) = '\(flag)'")
        case .number(let number): return .test("\(try self.number(attribute)) = \(syntax.literal(number.double))")
        case .string(let text): return .test("\(try self.text(attribute, as: .text)) = \(try syntax.literal(text))")
        case .array, .object: throw try refusal(of: attribute)
        }
    }

    mutating func type(_ type: Condition.ValueType, _ attribute: String) throws(Unsupported) -> SQLCondition {
        switch type {
        case .null: return try isNull(attribute, true)
        case .string: return try isNull(attribute, false)
        // Text without a type is also of the type that it reads as.
        case .number: return .test("\(try number(attribute)) IS NOT NULL", canBeUnknown: false)
        case .boolean: return .test("\(syntax.lowercasedASCII(try text(attribute))) IN ('true', 'false')")
        case .array, .object: throw try refusal(of: attribute)
        }
    }

    mutating func refusal(of attribute: String) throws(Unsupported) -> Unsupported {
        _ = try text(attribute)
        return Unsupported(
            "a column of text cannot hold the list or object that is tested; assign it with \"allot assign\", and "
                + "choose other experiments here")
    }

    mutating func membership(
        _ literals: [JSONValue], ignoringCase: Bool, _ attribute: String
    ) throws(Unsupported) -> SQLCondition {
        let text = try self.text(attribute)
        var parts = literals.contains(.null) ? [try isNull(attribute, true)] : []
        let texts = literals.compactMap(\.text)
        if !texts.isEmpty {
            _ = try self.text(attribute, as: .text)
            let folded = ignoringCase ? FoldedTexts(texts) : nil
            let compared = try folded?.applied(to: text, searchesParts: false, syntax) ?? text
            parts.append(.test("\(compared) IN (\(try syntax.list(folded?.texts ?? texts)))"))
        }
        let numbers = Set(literals.compactMap(\.asNumber?.double)).sorted()
        if !numbers.isEmpty {
            let list = numbers.map(syntax.literal).joined(separator: ", ")
            parts.append(.test("\(try number(attribute)) IN (\(list))"))
        }
        let booleans = Set(literals.compactMap(\.boolean).map { "'\($0)'" }).sorted()
        if !booleans.isEmpty {
            _ = try self.text(attribute, as: .boolean)
            parts.append(.test("\(syntax.lowercasedASCII(text)) IN (\(booleans.joined(separator: ", ")))"))
        }
        return .either(parts)
    }

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
                tests.append(try isNull(attribute, false))
                continue
            }
            let folded = ignoringCase ? FoldedTexts([literal]) : nil
            let needle = folded?.texts[0] ?? literal
            let searched = try folded?.applied(to: text, searchesParts: true, syntax) ?? text
            tests.append(.test(search(searched, try syntax.literal(needle), needle.unicodeScalars.count)))
        }
        return .either(tests)
    }

    mutating func match(_ expressions: [RegularExpression], _ attribute: String) throws(Unsupported) -> SQLCondition {
        let text = try self.text(attribute, as: .text)
        let matches = try expressions.map { expression throws(Unsupported) in try syntax.matches(text, expression) }
        // A CASE, so that no engine searches a long text before it looks at the length.
        let bound = "\(syntax.byteCount(text)) <= \(RegularExpression.maximumTextLength)"
        return .test("CASE WHEN \(bound) THEN \(matches.joined(separator: " OR ")) ELSE FALSE END", canBeUnknown: false)
    }
}

extension SQLSyntax {
    func list(_ texts: [String]) throws(Unsupported) -> String {
        try Set(texts.map(UTF8Key.init)).sorted().map { text throws(Unsupported) in try literal(text.text) }
            .joined(separator: ", ")
    }
}

extension Condition.Ordering {
    var symbol: String {
        switch self {
        case .equal: "="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

extension RegularExpression {
    /// The pattern in the syntax of an engine that is not RE2, which occurs in the same texts.
    func text(for syntax: PatternSyntax) throws(Unsupported) -> String {
        do throws(PortablePattern.Refusal) {
            return try PortablePattern(self).text(for: syntax)
        } catch {
            throw Unsupported("the pattern \(QuotedText(pattern)) uses \(error.reason)")
        }
    }
}
