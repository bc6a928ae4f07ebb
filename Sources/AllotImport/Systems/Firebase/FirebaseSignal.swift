import AllotConfiguration
import AllotCore

/// Translates a comparison of a custom signal: a value of the context that the app's server gives.
struct FirebaseSignal {
    private let node: PayloadNode
    private let key: String
    private let name: String
    private let targets: [PayloadNode]

    /// Returns `nil` if something is missing, so that the SDKs say no.
    init?(_ node: PayloadNode) throws(ImportProblem) {
        guard let name = try node["customSignalOperator"]?.text(), let key = try node["customSignalKey"]?.text(),
            let targets = try node["targetCustomSignalValues"]?.elements(), !name.isEmpty, !key.isEmpty,
            !targets.isEmpty
        else { return nil }
        if key.hasPrefix("$") { throw node.problem("a signal of Allot's conditions cannot begin with \"$\"") }
        (self.node, self.key, self.name, self.targets) = (node, key, name, targets)
    }

    enum Comparison: String, CaseIterable {
        case text = "STRING_"
        case wholeNumber = "STRING_EXACTLY_MATCHES"
        case number = "NUMERIC_"
        case version = "SEMANTIC_VERSION_"

        /// A note on the values to send, because Allot compares others in another way, or not at all.
        var note: String {
            switch self {
            case .text:
                "Custom signals that are searched for a part or a pattern have to be text, true or false: "
                    + "firebase-admin also searches what Python writes for numbers, lists and objects"
            case .wholeNumber:
                "Custom signals that are compared with a whole number as text have to be text or whole numbers: "
                    + "firebase-admin writes 5.0 for the float and 5 for the integer, which are one number for Allot"
            case .number:
                "Custom signals that are compared as numbers have to be numbers, or text in the form of -2.5 or 1e3: "
                    + "firebase-admin also reads text with spaces, underscores or a plus, and True as 1"
            case .version:
                "Custom signals that are compared as versions have to be text of digits and dots: firebase-admin also "
                    + "reads numbers, and text with spaces, underscores, signs or digits of other scripts"
            }
        }
    }

    static func comparisons(in condition: JSONValue) -> [Comparison] {
        condition.objects().flatMap { object -> [Comparison] in
            let name = object["customSignalOperator"]?.text ?? ""
            if name == Comparison.wholeNumber.rawValue {
                // Other texts are found in numbers too.
                let targets = object["targetCustomSignalValues"]?.asArray ?? []
                return targets.contains(where: isWholeNumber) ? [.wholeNumber] : []
            }
            return Comparison.allCases.filter { name.hasPrefix($0.rawValue) }
        }
    }

    private static func isWholeNumber(_ target: JSONValue) -> Bool {
        guard let text = target.text, let number = JSONNumber(trimmed(text)) else { return false }
        return number.double.rounded() == number.double
    }

    private func test(_ operators: JSONValue) -> Guard { .condition([key: operators]) }
    /// Whether the value is this boolean or number. Text in a file without types may read as one, and is not one.
    private func isValue(_ literal: JSONValue) -> Guard { test(["$eq": literal, "$not": ["$type": "string"]]) }

    /// A test that an empty text, which counts as missing, does not pass even if it `holdsForEmpty`.
    private func given(_ operators: JSONObject, _ holdsForEmpty: Bool) -> Guard {
        var operators = operators
        if holdsForEmpty { operators["$ne"] = "" }
        return test(.object(operators))
    }

    private func orTrue(_ condition: Guard, _ holdsForTrue: Bool) -> Guard {
        holdsForTrue ? .any([condition, isValue(true)]) : condition
    }

    private static let orders: [String: (numbers: [String], versions: Set<VersionOrder>)] = [
        "LESS_THAN": (["$lt"], [.less]), "LESS_EQUAL": (["$lte"], [.less, .equal]), "EQUAL": (["$eq"], [.equal]),
        "NOT_EQUAL": (["$lt", "$gt"], [.less, .greater]), "GREATER_THAN": (["$gt"], [.greater]),
        "GREATER_EQUAL": (["$gte"], [.greater, .equal]),
    ]

    private func order(_ comparison: Comparison) -> (numbers: [String], versions: Set<VersionOrder>)? {
        name.hasPrefix(comparison.rawValue) ? Self.orders[String(name.dropFirst(comparison.rawValue.count))] : nil
    }

    func condition() throws(ImportProblem) -> Guard {
        if let operators = order(.number)?.numbers { return .any(try operators.map(compares)) }
        if let orders = order(.version)?.versions {
            return try Self.version(targets[0].text(), at: targets[0], on: key, orders)
        }
        switch name {
        case "STRING_CONTAINS": return try contains()
        case "STRING_DOES_NOT_CONTAIN":
            // Values that Python takes for false are missing.
            let isMissing = Guard.any([isValue(0), isValue(false), test(["$eq": []]), test(["$eq": [:]])])
            return .all([test(["$exists": true, "$ne": ""]), .not(isMissing), .not(try contains())])
        case "STRING_EXACTLY_MATCHES": return try isOne()
        case "STRING_CONTAINS_REGEX": return try matches()
        default: throw node.unknown(operator: name)
        }
    }

    private func texts() throws(ImportProblem) -> [String] {
        try targets.map { target throws(ImportProblem) in try target.text() }
    }

    private func contains() throws(ImportProblem) -> Guard {
        let texts = try texts()
        // Each text has an empty part, and an empty text counts as missing.
        if texts.contains("") { return orTrue(test(["$type": "string", "$ne": ""]), true) }
        return orTrue(test(["$contains": .strings(texts)]), texts.contains { "True".contains($0) })
    }

    /// Python's white space, which is not compared at either end.
    private static let space = #"[\s\v\x1c-\x1f\x{85}\p{Z}]*"#

    private func isOne() throws(ImportProblem) -> Guard {
        let texts = try texts().map(Self.trimmed)
        let pattern = "^\(Self.space)(?:\(texts.map(ImportedPattern.quoted).joined(separator: "|")))\(Self.space)$"
        guard (try? RegularExpression(pattern, ignoresCase: false)) != nil else {
            throw node.problem("there are too many texts to compare with")
        }
        let isText = orTrue(given(["$regex": .string(pattern)], texts.contains("")), texts.contains("True"))
        let numbers = texts.compactMap(Self.number)
        if numbers.isEmpty { return isText }
        // Text in a file without types may read as a number, and is not one.
        return .any([isText, test(["$type": "number", "$in": .array(numbers), "$not": ["$type": "string"]])])
    }

    /// The number that Python writes as a text. The SDKs take 0 for missing.
    private static func number(of text: String) -> JSONValue? {
        guard let number = JSONNumber(text), number.isExactAsDouble, number.double != 0 else { return nil }
        // Both languages write the shortest digits, and fractions below 0.0001 with an exponent.
        let isWritten = Int(exactly: number.double).map { "\($0)" == text } ?? ("\(number.double)" == text)
        return isWritten ? .number(number) : nil
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || (0x1C...0x1F).contains($0.value) }
        let scalars = text.unicodeScalars.drop(while: isSpace)
        guard let last = scalars.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(scalars[...last])
    }

    private func matches() throws(ImportProblem) -> Guard {
        let patterns = try targets.map { target throws(ImportProblem) in try target.pattern(target.text(), in: .python)
        }
        let isText = given(["$regex": .strings(patterns.map(\.text))], patterns.contains { $0.matches("") })
        return orTrue(isText, patterns.contains { $0.matches("True") })
    }

    private func compares(_ comparison: String) throws(ImportProblem) -> Guard {
        let text = Self.trimmed(try targets[0].text())
        guard let number = JSONNumber(text), number.double.isFinite else {
            throw targets[0].problem("\(QuotedText(text)) is not a number in the usual form")
        }
        // The SDK takes the number 0 for a missing value.
        return test(
            number.double.admits(0, comparison)
                ? [comparison: .number(number), "$not": ["$type": "number", "$eq": 0]] : [comparison: .number(number)])
    }

    static func version(
        _ text: String, at node: PayloadNode, on attribute: String, _ orders: Set<VersionOrder>
    ) throws(ImportProblem) -> Guard {
        try DottedVersion(text, at: node).condition(on: attribute, orders, rest: "(\\.[0-9]+)*$", end: "$")
    }
}
