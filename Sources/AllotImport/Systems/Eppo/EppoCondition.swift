import AllotConfiguration
import AllotCore

/// The conditions of Eppo's rules. Patterns and lists compare the text of attributes, as Rust writes it; comparisons
/// read text as a number. No test but `IS_NULL` holds for a missing attribute.
enum EppoCondition {
    static func condition(ofRule rule: PayloadNode) throws(ImportProblem) -> JSONValue {
        try rule.checkMembers(known: ["conditions"])
        return .all(try rule.required("conditions").elements().map(condition(_:)))
    }

    private static func condition(_ node: PayloadNode) throws(ImportProblem) -> JSONValue {
        try node.checkMembers(known: ["attribute", "operator", "value"])
        let attribute = try node.required("attribute").attributeName(besides: EppoImporter.unit)
        let test = try test(node)
        guard attribute == "id" else { return test(attribute) }
        // The subject key is the attribute "id" unless there is another one.
        return .any([
            .all([.test(attribute, ["$exists": true]), test(attribute)]),
            .all([.test(attribute, ["$exists": false]), test(EppoImporter.unit)]),
        ])
    }

    private static func test(_ node: PayloadNode) throws(ImportProblem) -> (String) -> JSONValue {
        let name = try node.required("operator")
        let value = try node.required("value")
        switch try name.text() {
        case "ONE_OF": return membership(try value.texts())
        case "NOT_ONE_OF": return except(membership(try value.texts()))
        case "MATCHES": return try pattern(value)
        case "NOT_MATCHES": return except(try pattern(value))
        case "IS_NULL":
            let isMissing = try value.boolean()
            return { .test($0, ["$exists": .boolean(!isMissing)]) }
        case "GTE", "GT", "LTE", "LT": return try comparison(value, name.text().lowercased())
        case let other:
            throw name.problem(
                other.utf8.count == 32
                    ? "the operator \(QuotedText(other)) is obfuscated; download the payload with a server's SDK key"
                    : "unknown operator \(QuotedText(other))")
        }
    }

    /// The opposite, for attributes that are given.
    private static func except(_ test: @escaping (String) -> JSONValue) -> (String) -> JSONValue {
        { .all([.test($0, ["$exists": true]), .not(test($0))]) }
    }

    private static func membership(_ texts: [String]) -> (String) -> JSONValue {
        var literals = texts.map(JSONValue.string)
        for flag in [true, false] where texts.contains("\(flag)") { literals.append(.boolean(flag)) }
        let numbers = texts.compactMap { RustNumber.number(writtenAs: $0).map(JSONValue.number) }
        return { attribute in
            var tests = [JSONValue.test(attribute, ["$in": .array(literals)])]
            // A number literal alone would also match "5.0", which is another text than "5".
            if !numbers.isEmpty { tests.append(.test(attribute, ["$type": "number", "$in": .array(numbers)])) }
            return .any(tests)
        }
    }

    private static func pattern(_ node: PayloadNode) throws(ImportProblem) -> (String) -> JSONValue {
        let text = try node.text()
        let pattern = try node.pattern(text, in: .rust)
        let booleans = [true, false].filter { pattern.matches("\($0)") }.map(JSONValue.boolean)
        let numbers = pattern.numbers
        guard numbers != .some else {
            throw node.problem(
                "the pattern \(QuotedText(text)) may match numbers, which Eppo searches as text; in Allot patterns "
                    + "test text only")
        }
        return { attribute in
            var tests = [JSONValue.test(attribute, pattern.operators)]
            if !booleans.isEmpty { tests.append(.test(attribute, ["$in": .array(booleans), "$type": "boolean"])) }
            if numbers == .all { tests.append(.test(attribute, ["$type": "number"])) }
            return .any(tests)
        }
    }

    /// A comparison by the operator without "$" or "$v".
    private static func comparison(_ node: PayloadNode, _ sign: String) throws(ImportProblem) -> (String) -> JSONValue {
        if let text = node.value.text, let isRelease = StrictVersion.isWithoutBuild(text) {
            guard isRelease else {
                throw node.problem("Eppo compares build metadata (\"+…\") of versions, and Allot ignores it")
            }
            return version(text, sign)
        }
        let read: JSONNumber? = if let text = node.value.text { RustNumber.number(of: text) } else { try node.number() }
        guard let number = read, number.double.isFinite else {
            throw node.problem("this is neither a version (major.minor.patch) nor a number")
        }
        return { .test($0, ["$\(sign)": .number(number)]) }
    }

    /// A comparison with a version. Three numbers are a version in Eppo, and build metadata make it greater.
    private static func version(_ literal: String, _ order: String) -> (String) -> JSONValue {
        let literal = JSONValue.string(literal)
        let hasBuild: JSONObject = ["$veq": literal, "$contains": "+"]
        return { attribute in
            let compared = JSONValue.test(attribute, ["$v\(order)": literal])
            let test =
                switch order {
                case "gt": JSONValue.any([compared, .test(attribute, hasBuild)])
                case "lte": JSONValue.all([compared, .not(.test(attribute, hasBuild))])
                default: compared
                }
            return .all([.test(attribute, ["$regex": .string(StrictVersion.pattern)]), test])
        }
    }
}
