import AllotConfiguration
import AllotCore

/// Translates audiences into SQL conditions with the same result for each row of text as Allot's own evaluation.
struct AudienceTranslator {
    let syntax: any SQLSyntax
    /// The tests that cannot be translated, each with its operator.
    private(set) var problems: [String] = []

    /// Translates a condition. Adds the tests that cannot be translated to ``problems``.
    mutating func condition(_ condition: Condition, _ columns: inout Columns) -> SQLCondition {
        switch condition {
        case .all(let parts): return .joined(parts.map { self.condition($0, &columns) })
        // An empty list holds, as in GrowthBook.
        case .any(let parts): return parts.isEmpty ? .always : .either(parts.map { self.condition($0, &columns) })
        case .not(let part): return self.condition(part, &columns).negated
        case .segment(_, let part): return self.condition(part, &columns)
        case .test(let test):
            do {
                return try self.test(test, &columns)
            } catch {
                let attribute = test.attribute.map { "\(QuotedText($0)) " } ?? ""
                problems.append("\(test.operatorName) (\(attribute)\(test.words)): \(error.reason)")
                return .never
            }
        }
    }

    private func test(_ test: Condition.Test, _ columns: inout Columns) throws(Unsupported) -> SQLCondition {
        guard let attribute = test.attribute else {
            throw Unsupported("a column of text does not have elements")
        }
        guard !columns.needsObject(attribute) else {
            throw Unsupported(
                "a table of plain columns does not have objects with members; map \(attribute) to a column")
        }
        let condition = try self.condition(test.predicate, attribute, &columns)
        return test.isNegated ? condition.negated : condition
    }

    private func condition(
        _ predicate: Condition.Predicate, _ attribute: String, _ columns: inout Columns
    ) throws(Unsupported) -> SQLCondition {
        let text = try columns.text(attribute, as: predicate.textUse)
        let isMissing = SQLCondition.test("\(text) IS NULL", canBeUnknown: false)
        let isGiven = SQLCondition.test("\(text) IS NOT NULL", canBeUnknown: false)
        switch predicate {
        case .equals(.null): return isMissing
        case .equals(.boolean(let flag)): return .test("\(syntax.lowercasedASCII(text)) = '\(flag)'")
        case .equals(.number(let number)):
            return .test("\(try columns.number(attribute)) = \(syntax.literal(number.double))")
        case .equals(.string(let literal)): return .test("\(text) = \(try syntax.literal(literal))")
        case .equals(.array), .equals(.object), .hasAll, .hasElement, .size, .type(.array), .type(.object):
            throw Unsupported(
                "a column of text cannot hold the list or object that is tested; assign it with \"allot assign\", "
                    + "and choose other experiments here")
        case .isIn(let list, let ignoringCase):
            return try isIn(list.literals, ignoringCase: ignoringCase, attribute, text, isMissing, &columns)
        case .exists: return isGiven
        case .type(.null): return isMissing
        case .type(.string): return isGiven
        // Text without a type is also of the type that it reads as.
        case .type(.number): return .test("\(try columns.number(attribute)) IS NOT NULL", canBeUnknown: false)
        case .type(.boolean):
            return .test("\(syntax.lowercasedASCII(text)) IN ('true', 'false')")
        case .orderedNumber(let ordering, let number):
            return .test("\(try columns.number(attribute)) \(ordering.symbol) \(syntax.literal(number))")
        case .orderedText(let ordering, let literal):
            return .test("\(text) \(ordering.symbol) \(try syntax.literal(literal))")
        case .version(let ordering, let literal):
            let (core, preRelease) = try columns.version(attribute)
            return VersionTest(syntax: syntax, core: core, preRelease: preRelease, literal: literal)
                .condition(ordering)
        case .instant(let ordering, let instant):
            return Self.compare(try columns.instant(attribute), ordering, instant)
        case .hasPart(let part, let literals, let ignoringCase):
            let tests = try literals.map { literal throws(Unsupported) -> SQLCondition in
                try search(part, text, literal, ignoringCase: ignoringCase) ?? isGiven
            }
            return .either(tests)
        case .matches(let expressions):
            // A CASE, so that no engine searches a long text before it looks at the length.
            let bound = "\(syntax.byteCount(text)) <= \(RegularExpression.maximumTextLength)"
            let matches = try expressions.map { expression throws(Unsupported) in
                try syntax.matches(text, expression)
            }
            let any = matches.joined(separator: " OR ")
            return .test("CASE WHEN \(bound) THEN \(any) ELSE FALSE END", canBeUnknown: false)
        case .inNetwork(let networks):
            return Self.isWithin(IPNetworkSet(networks).ranges, try columns.address(attribute))
        }
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

    private static func isWithin(_ ranges: [ClosedRange<UInt128>], _ address: String) -> SQLCondition {
        .either(
            ranges.map { range in
                let (first, last) = (AddressKey.text(of: range.lowerBound), AddressKey.text(of: range.upperBound))
                return .test(first == last ? "\(address) = '\(first)'" : "\(address) BETWEEN '\(first)' AND '\(last)'")
            })
    }

    // MARK: Membership

    private func isIn(
        _ literals: [JSONValue], ignoringCase: Bool, _ attribute: String, _ text: String, _ isMissing: SQLCondition,
        _ columns: inout Columns
    ) throws(Unsupported) -> SQLCondition {
        var texts: [String] = []
        var numbers: [Double] = []
        var booleans: [Bool] = []
        var parts: [SQLCondition] = []
        for literal in literals {
            switch literal {
            case .string(let text): texts.append(text)
            case .number(let number): numbers.append(number.double)
            case .boolean(let flag): booleans.append(flag)
            case .null: parts = [isMissing]
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

    // MARK: Instants

    private static func compare(
        _ columns: (seconds: String, nanoseconds: String), _ ordering: Condition.Ordering, _ literal: Instant
    ) -> SQLCondition {
        let strict = ordering == .less || ordering == .lessOrEqual ? "<" : ">"
        return .either([
            .test("\(columns.seconds) \(strict) \(literal.seconds)"),
            .joined([
                .test("\(columns.seconds) = \(literal.seconds)"),
                .test("\(columns.nanoseconds) \(ordering.symbol) \(literal.nanoseconds)"),
            ]),
        ])
    }
}

extension Condition.Predicate {
    /// How it reads the text of an attribute; `nil` if it only matters whether there is one, or if another column
    /// has what it compares.
    fileprivate var textUse: ColumnUse? {
        switch self {
        case .equals(.boolean): .boolean
        case .equals(.string), .orderedText, .hasPart, .matches: .text
        case .instant: .instant
        case .inNetwork: .address
        case .equals, .isIn, .exists, .type, .orderedNumber, .version, .hasAll, .hasElement, .size:
            nil
        }
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
