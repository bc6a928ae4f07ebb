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
    private mutating func texts(
        _ node: Node, of name: String, allowsList: Bool = true
    ) -> [(text: String, node: Node)]? {
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

    mutating func part(
        _ part: Condition.TextPart, _ node: Node, of name: String, ignoringCase: Bool
    ) -> Condition.Predicate? {
        texts(node, of: name).map { .hasPart(part, of: $0.map(\.text), ignoringCase: ignoringCase) }
    }

    mutating func expressions(_ node: Node, of name: String, ignoringCase: Bool) -> Condition.Predicate? {
        guard let patterns = texts(node, of: name) else { return nil }
        var expressions: [RegularExpression] = []
        for pattern in patterns {
            do {
                expressions.append(try RegularExpression(pattern.text, ignoresCase: ignoringCase))
            } catch {
                report(pattern.node, "the pattern is invalid: \(error.reason); patterns follow RE2's syntax")
            }
        }
        return .matches(expressions)
    }

    mutating func networks(_ node: Node, of name: String) -> Condition.Predicate? {
        guard let texts = texts(node, of: name) else { return nil }
        var networks: [IPNetwork] = []
        for (text, node) in texts {
            do {
                networks.append(try IPNetwork(text))
            } catch {
                report(node, "\(QuotedText(text)) \(error.reason)")
            }
        }
        return .inNetwork(networks)
    }

    // MARK: Scalars

    /// Refuses numbers that a comparison would take for others.
    ///
    /// - Parameter fix: How else to write such a number.
    mutating func checkNumbers(_ node: Node, fix: String = "put its digits in quotes") {
        if let elements = node.elements {
            for element in elements { checkNumbers(element) }
        } else if let members = node.members {
            for member in members { checkNumbers(member.value) }
        } else if case .number(let number) = node.json, let problem = number.inexactness {
            report(node, number.double.isFinite ? "\(problem); \(fix)" : "\(problem); write a smaller one")
        }
    }

    mutating func ordered(_ ordering: Condition.Ordering, _ node: Node, of name: String) -> Condition.Predicate? {
        switch node.json {
        case .number(let number):
            checkNumbers(node, fix: "write a smaller one")
            return .orderedNumber(ordering, number.double)
        case .string(let text):
            return .orderedText(ordering, text)
        default:
            report(node, "\(name) takes a number or text, not \(node.json.described)")
            return nil
        }
    }

    mutating func type(_ node: Node) -> Condition.Predicate? {
        let known = Condition.ValueType.allCases.map(\.rawValue)
        guard let name = text(node, of: "$type") else { return nil }
        guard let type = Condition.ValueType(rawValue: name) else {
            report(
                node, "unknown type \(QuotedText(name)); the types are \(known.joined(separator: ", "))",
                unknown: (name, known))
            return nil
        }
        return .type(type)
    }

    mutating func version(_ ordering: Condition.Ordering, _ node: Node, of name: String) -> Condition.Predicate? {
        let text: String
        switch node.json {
        case .string(let literal): text = literal
        case .number(let number): text = number.text
        default:
            report(node, "\(name) takes a version such as \"2.3.0\", not \(node.json.described)")
            return nil
        }
        guard let version = Version(Array(text.utf8).span) else {
            report(
                node,
                "\(QuotedText(text)) is not a version; write it as major.minor.patch without leading zeros, such as "
                    + "2.3.0")
            return nil
        }
        if version.numberCount > 3 {
            warn(
                node,
                "\(QuotedText(text)) has \(version.numberCount) numbers, and versions of Semantic Versioning have "
                    + "three; those after the patch number are compared last, so that 2.3.0 = 2.3.0.0 < 2.3.0.1 < "
                    + "2.3.1")
        }
        return .version(ordering, text)
    }

    // MARK: Instants

    /// The test of an instant, and its literal in words.
    mutating func instant(
        _ ordering: Condition.Ordering, _ node: Node, of name: String
    ) -> (predicate: Condition.Predicate?, words: String) {
        if node.members != nil { return epoch(ordering, node, of: name) }
        guard let instant = instant(node, of: name) else { return (nil, "") }
        return (.instant(ordering, instant), node.json.inWords)
    }

    private mutating func instant(_ node: Node, of name: String) -> Instant? {
        switch node.json {
        case .string(let text):
            if let instant = Instant(text) { return instant }
            report(node, "\(QuotedText(text)) \(Instant.fault(of: text))")
        case .number(let number):
            report(node, "\(name) takes an instant as text, not \(node.json.described); \(Self.fix(for: number))")
        default:
            report(
                node,
                "\(name) takes an instant such as \"2026-11-21T12:00:00Z\", or "
                    + "{\"instant\": \"2026-11-21T12:00:00Z\", \"epoch\": \"seconds\"} for an attribute that is a "
                    + "number, not \(node.json.described)")
        }
        return nil
    }

    /// The fix for a number that was probably meant as seconds or milliseconds since 1970.
    private static func fix(for number: JSONNumber) -> String {
        for unit in EpochUnit.allCases {
            guard let instant = unit.instant(of: number.double), EpochUnit.likely.contains(instant) else { continue }
            return "write \"\(instant)\", and if the attribute is such a number too, "
                + "{\"instant\": \"\(instant)\", \"epoch\": \"\(unit.rawValue)\"}"
        }
        return Instant.form
    }

    /// The test of a number that counts seconds or milliseconds since 1970: it compares as a number.
    private mutating func epoch(
        _ ordering: Condition.Ordering, _ node: Node, of name: String
    ) -> (predicate: Condition.Predicate?, words: String) {
        let keys = ["instant", "epoch"]
        let members = node.members ?? []
        for member in members where !keys.contains(member.key) {
            report(
                member.value, atKey: true, "unknown key \(QuotedText(member.key)) in the operand of \(name)",
                unknown: (member.key, keys))
        }
        guard let literal = members.first(where: { $0.key == "instant" })?.value,
            let unitNode = members.first(where: { $0.key == "epoch" })?.value
        else {
            report(
                node,
                "\(name) takes two keys for an attribute that is a number, as in "
                    + "{\"instant\": \"2026-11-21T12:00:00Z\", \"epoch\": \"seconds\"}")
            return (nil, "")
        }
        let instant = instant(literal, of: name)
        guard let unitName = text(unitNode, of: "epoch") else { return (nil, "") }
        guard let unit = EpochUnit(rawValue: unitName) else {
            report(
                unitNode,
                "unknown epoch \(QuotedText(unitName)); the attribute counts \"seconds\" or \"milliseconds\" since "
                    + "1970", unknown: (unitName, EpochUnit.allCases.map(\.rawValue)))
            return (nil, "")
        }
        guard let instant else { return (nil, "") }
        let number = unit.number(of: instant)
        return (
            .orderedNumber(ordering, number.double),
            "\(literal.json.inWords), which is \(number.text) in \(unit.rawValue) since 1970"
        )
    }

    // MARK: Lists

    /// The elements of a list; `nil` (and a problem) for anything else.
    private mutating func list(_ node: Node, of name: String) -> [Node]? {
        if let elements = node.elements { return elements }
        var fix = node.members == nil ? "; write [\(node.json.canonicalText)]" : ""
        if case .string(let text) = node.json {
            fix =
                segments.groups[UTF8Key(text)] == nil
                ? "; \(DoubtfulText.listFix(for: text))" : "; for the list \(text) write $inGroup or $notInGroup"
        }
        report(node, "\(name) takes a list of values, not \(node.json.described)\(fix)")
        return nil
    }

    mutating func scalars(_ node: Node, of name: String) -> [JSONValue]? {
        list(node, of: name)?.map { element in
            checkNumbers(element)
            let literal = element.json
            switch literal {
            case .array, .object:
                report(element, "\(name) takes text, numbers, booleans and null, not \(literal.described)")
            default: break
            }
            return literal
        }
    }

    mutating func elements(_ node: Node, of name: String, ignoringCase: Bool) -> Condition.Predicate? {
        guard ignoringCase else { return list(node, of: name).map { .hasAll($0.map { test(of: nil, $0) }) } }
        return scalars(node, of: name).map { elements in
            .hasAll(
                elements.map {
                    .test(
                        .init(
                            attribute: nil, predicate: .isIn([$0], ignoringCase: true), isNegated: false,
                            words: Operator.inIgnoringCase.words(for: .array([$0]))))
                })
        }
    }

    mutating func group(_ node: Node, of name: String) -> LiteralList? {
        guard let group = text(node, of: name) else { return nil }
        if let values = segments.groups[UTF8Key(group)] { return values }
        if segments.conditions[UTF8Key(group)] != nil {
            report(node, "segment \(QuotedText(group)) is a condition; use it as {\"$segment\": \(QuotedText(group))}")
        } else {
            report(node, "unknown group \(QuotedText(group))", unknown: (group, groupNames))
        }
        return nil
    }

    /// The condition of `$elemMatch`: operators test the element itself, names test its members, and connectives join
    /// either.
    mutating func element(_ node: Node) -> Condition {
        guard let members = node.members, !members.isEmpty else {
            report(node, "$elemMatch takes operators or a condition, not \(node.json.described)")
            return .everyone
        }
        return condition(node, ofElement: true)
    }

    mutating func size(_ node: Node) -> Condition.Predicate? {
        let literal = node.json
        switch literal {
        case .number(let number) where number.decimal.isWhole && !number.decimal.isNegative:
            return .size(test(of: nil, node))
        case .object(let object) where object.members.contains(where: { $0.key.hasPrefix("$") }):
            return .size(test(of: nil, node))
        default:
            report(node, "$size takes a whole number or operators such as {\"$gt\": 2}, not \(literal.described)")
            return nil
        }
    }
}
