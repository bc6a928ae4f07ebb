import AllotConfiguration
import AllotCore

/// A constraint of Unleash: a test of one field of the context, all of which are text.
struct UnleashConstraint {
    private let node: PayloadNode
    private let field: String
    private let ignoresCase: Bool

    private init(_ node: PayloadNode) throws(ImportProblem) {
        self.node = node
        field = try node.required("contextName").contextField()
        ignoresCase = try node["caseInsensitive"]?.boolean() ?? false
    }

    /// The meaning of constraints that all have to hold. Returns `nil` for one that Unleash's engine cannot read.
    static func meaning(ofAll list: PayloadNode?) throws(ImportProblem) -> Guard? {
        var conditions: [JSONValue] = []
        var others: [Guard] = []
        for node in try list?.elements() ?? [] {
            try node.checkMembers(known: ["contextName", "operator", "values", "value", "inverted", "caseInsensitive"])
            guard let meaning = try UnleashConstraint(node).meaning() else { return nil }
            let isInverted = try node["inverted"]?.boolean() ?? false
            switch meaning {
            case .condition(let condition): conditions.append(isInverted ? .not(condition) : condition)
            default: others.append(isInverted ? .not(meaning) : meaning)
            }
        }
        return .all([.condition(.all(conditions))] + others)
    }

    private func meaning() throws(ImportProblem) -> Guard? {
        let name = try node.required("operator")
        switch try name.text() {
        case "IN": return .condition(.test(field, ["$in": .strings(try values())]))
        case "NOT_IN": return .condition(.not(.test(field, ["$in": .strings(try values())])))
        case "STR_CONTAINS": return try part("contains")
        case "STR_STARTS_WITH": return try part("startsWith")
        case "STR_ENDS_WITH": return try part("endsWith")
        case "IN_CIDR":
            let networks = try values()
            return networks.isEmpty
                ? nil : .condition(try UnleashStrategy.networks(networks, of: field, at: node["values"] ?? node))
        case "REGEX": return try pattern()
        case "NUM_EQ", "SEMVER_EQ": return try comparison("eq")
        case "NUM_GT", "SEMVER_GT", "DATE_AFTER": return try comparison("gt")
        case "NUM_GTE", "SEMVER_GTE": return try comparison("gte")
        case "NUM_LT", "SEMVER_LT", "DATE_BEFORE": return try comparison("lt")
        case "NUM_LTE", "SEMVER_LTE": return try comparison("lte")
        case let other: throw name.problem("unknown operator \(QuotedText(other))")
        }
    }

    private func testable() throws(ImportProblem) {
        guard field != "currentTime" else {
            throw node.problem("currentTime can be moved in the operators DATE_AFTER and DATE_BEFORE only")
        }
    }

    private func values() throws(ImportProblem) -> [String] {
        try testable()
        return try node.list("values").map { value throws(ImportProblem) -> String in
            let text = try value.text()
            guard !text.hasSuffix("\\") else {
                throw value.problem("\(QuotedText(text)) ends with a backslash, which Unleash reads as its own syntax")
            }
            return text
        }
    }

    private func part(_ name: String) throws(ImportProblem) -> Guard? {
        let texts = try values()
        guard !texts.isEmpty else { return nil }
        if ignoresCase { try node.checkCase(of: texts) }
        return .condition(.test(field, ["$\(name)\(ignoresCase ? "i" : "")": .strings(texts)]))
    }

    private func pattern() throws(ImportProblem) -> Guard? {
        try testable()
        let pattern = try node.pattern(node["value"]?.text() ?? "", in: .rust, ignoresCase: ignoresCase)
        return .condition(.test(field, pattern.operators))
    }

    /// A comparison of the literal's type, whatever the operator's name, by Allot's operator without "$" or "$v".
    private func comparison(_ order: String) throws(ImportProblem) -> Guard? {
        guard let value = node["value"] else { return nil }
        let literal = String(try value.text().drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        if let instant = Instant(strict: literal) {
            guard field == "currentTime" else {
                throw node.problem("only currentTime can be compared with an instant exactly")
            }
            return .time(order, instant, next: instant.next)
        }
        try testable()
        if StrictVersion.isWithoutBuild(literal) != nil {
            return .condition(.test(field, ["$v\(order)": .string(literal), "$regex": .string(StrictVersion.pattern)]))
        }
        // Numbers begin with a digit there.
        let digits = literal.first == "-" || literal.first == "+" ? literal.dropFirst() : literal[...]
        guard digits.utf8.first?.isDigit == true, let double = RustNumber.double(of: literal) else { return nil }
        guard let number = JSONNumber(double) else {
            throw node.problem("the number \(literal) is too large: it is infinite in Unleash")
        }
        return .condition(.test(field, Self.operators(order, number)))
    }

    /// Two numbers are equal there if they differ by less than the distance from 1 to the next number.
    private static func operators(_ order: String, _ number: JSONNumber) -> JSONObject {
        guard order == "eq", abs(number.double) <= 1, let lower = JSONNumber(number.double - Double.ulpOfOne),
            let upper = JSONNumber(number.double + Double.ulpOfOne)
        else { return ["$\(order)": .number(number)] }
        return ["$gt": .number(lower), "$lt": .number(upper)]
    }
}

extension PayloadNode {
    func contextField() throws(ImportProblem) -> String {
        let name = try attributeName()
        try checkPlain(name)
        return name
    }

    /// Refuses text that Unleash would take for part of its own rules.
    func checkPlain(_ text: String) throws(ImportProblem) {
        guard !text.contains("\""), !text.contains("\\") else {
            throw problem("\(QuotedText(text)) has a quote or a backslash, which Unleash reads as its own syntax")
        }
    }
}
