import AllotConfiguration
import AllotCore

/// Translates clauses of rules: an attribute, an operator and values, of which one has to match.
struct LaunchDarklyClause {
    private let node: PayloadNode
    private let contexts: LaunchDarklyContexts
    private let segments: LaunchDarklySegments
    let name: String
    private let values: [PayloadNode]
    private let isNegated: Bool

    init(
        _ node: PayloadNode, _ contexts: LaunchDarklyContexts, _ segments: LaunchDarklySegments
    ) throws(ImportProblem) {
        (self.node, self.contexts, self.segments) = (node, contexts, segments)
        name = try node.required("op").text()
        values = try node.required("values").elements()
        isNegated = try node["negate"]?.boolean() ?? false
    }

    private var isAboutKind: Bool {
        guard name != "segmentMatch", let attribute = node["attribute"]?.value else { return false }
        return attribute == "kind" || attribute == "/kind"
    }

    /// The kind of a context without which the clause does not hold. Returns `nil` if there is none.
    func requiredKind() throws(ImportProblem) -> String? {
        name == "segmentMatch" || isAboutKind ? nil : try contexts.kind(node["contextKind"])
    }

    func condition() throws(ImportProblem) -> Guard {
        if name == "segmentMatch" {
            let found = try values.map(segments.condition(_:))
            return isNegated ? .not(.any(found)) : .any(found)
        }
        if isAboutKind { return try kindCondition() }
        let kind = try contexts.kind(node["contextKind"])
        let attribute = try contexts.attribute(
            node.required("attribute"), kind: kind, hasKind: !(node["contextKind"]?.text() ?? "").isEmpty)
        switch attribute {
        case .missing: return .never
        case .anonymous(let name):
            let isTrue = Guard.condition([name: true])
            let condition: Guard =
                switch (try matches(true) != isNegated, try matches(false) != isNegated) {
                case (true, true): .always
                case (true, false): isTrue
                case (false, true): .not(isTrue)
                case (false, false): .never
                }
            return .all([contexts.exists(kind), condition])
        case .text(let name):
            // Other values do not exist for LaunchDarkly.
            let isText: JSONValue = ["$type": "string"]
            let condition = try test(name, includesElements: false, given: isText)
            let isDone = isNegated || !["before", "after"].contains(self.name) && values.allSatisfy(\.value.isText)
            return .all([contexts.exists(kind), condition] + (isDone ? [] : [.condition([name: isText])]))
        case .named(let name):
            let condition = try test(name, includesElements: true, given: ["$exists": true])
            return .all([contexts.exists(kind), condition])
        }
    }

    /// At least one of the tests holds for the attribute's value, or for an element of a list, where it is `given`.
    ///
    /// LaunchDarkly compares values of one type only, so number literals are tested together with the type.
    private func test(_ attribute: String, includesElements: Bool, given: JSONValue) throws(ImportProblem) -> Guard {
        var tests = try tests()
        var found: [JSONValue] = []
        let literals = name == "in" ? try values.map(literal) : []
        let scalars = literals.filter { $0.isText || $0.boolean != nil }
        if !scalars.isEmpty {
            // `$in` looks into lists.
            let type: JSONObject = scalars.allSatisfy(\.isText) ? ["$type": "string"] : ["$not": ["$type": "array"]]
            if includesElements {
                found.append([attribute: ["$in": .array(scalars)]])
            } else {
                tests.append(Self.isOne(of: scalars, scalars.count > 1 ? type : [:]))
            }
        }
        let numbers = literals.filter { $0.asNumber != nil }
        if !numbers.isEmpty { tests.append(Self.isOne(of: numbers, ["$type": "number"])) }
        found += tests.map { [attribute: $0] }
        if includesElements {
            if literals.contains(.null) { tests.append(["$type": "null"]) }
            found += tests.map { [attribute: ["$elemMatch": $0]] }
        }
        let condition = JSONValue.any(found)
        return .condition(isNegated ? .all([[attribute: given], .not(condition)]) : condition)
    }

    private static func isOne(of literals: [JSONValue], _ operators: JSONObject) -> JSONValue {
        var operators = operators
        if literals.count == 1 { operators["$eq"] = literals[0] } else { operators["$in"] = .array(literals) }
        return .object(operators)
    }

    private func kindCondition() throws(ImportProblem) -> Guard {
        guard contexts.hasSeveralKinds else {
            return try matches(.string(LaunchDarklyContexts.user)) != isNegated ? .always : .never
        }
        var found: [Guard] = []
        for kind in contexts.kinds where try matches(.string(kind)) { found.append(contexts.exists(kind)) }
        return isNegated ? .not(.any(found)) : .any(found)
    }

    private func matches(_ value: JSONValue) throws(ImportProblem) -> Bool {
        if name == "in" { return values.contains { $0.value == value } }
        guard case .string(let text) = value else {
            throw node.problem("the operator \(QuotedText(name)) for an attribute that is true or false")
        }
        for literal in values.compactMap(\.value.text) {
            switch name {
            case "startsWith" where text.utf8.starts(with: literal.utf8): return true
            case "endsWith" where text.utf8.reversed().starts(with: literal.utf8.reversed()): return true
            case "startsWith", "endsWith": continue
            default: throw node.problem("the operator \(QuotedText(name)) for the kind of a context")
            }
        }
        return false
    }

    private func tests() throws(ImportProblem) -> [JSONValue] {
        switch name {
        case "in": return []
        case "startsWith", "endsWith", "contains":
            let texts = values.map(\.value).filter(\.isText)
            return texts.isEmpty ? [] : [["$\(name)": .array(texts)]]
        case "matches":
            let patterns = try values.filter(\.value.isText).map { value throws(ImportProblem) in
                try value.pattern(value.text(), in: .python).text
            }
            return patterns.isEmpty ? [] : [["$regex": .strings(patterns)]]
        case "lessThan": return try bound("$lt", max)
        case "lessThanOrEqual": return try bound("$lte", max)
        case "greaterThan": return try bound("$gt", min)
        case "greaterThanOrEqual": return try bound("$gte", min)
        case "before", "after": return try values.map(instant).flatMap { $0 }
        case "semVerEqual": return versions("$veq")
        case "semVerLessThan": return versions("$vlt")
        case "semVerGreaterThan": return versions("$vgt")
        default: throw node.unknown(operator: name)
        }
    }

    private func literal(_ value: PayloadNode) throws(ImportProblem) -> JSONValue {
        switch value.value {
        case .number(let number) where !number.isExactAsDouble:
            throw value.problem("\(number.text) is beyond the whole numbers that Allot compares exactly (2^53)")
        case .array, .object: throw value.problem("a list or an object as a value to compare with")
        default: return value.value
        }
    }

    private func bound(_ name: String, _ choose: (Double, Double) -> Double) throws(ImportProblem) -> [JSONValue] {
        var bound: JSONNumber?
        for value in values where value.value.asNumber != nil {
            let number = try value.double()
            if let bound, choose(number, bound.double) != number { continue }
            bound = value.value.asNumber
        }
        return bound.map { [["$type": "number", name: .number($0)]] } ?? []
    }

    private func instant(_ value: PayloadNode) throws(ImportProblem) -> [JSONValue] {
        let instant: Instant
        switch value.value {
        case .string(let text):
            guard let found = Instant(strict: text) else {
                // Other text matches nothing.
                guard Self.resemblesInstant(text) else { return [] }
                throw value.problem(
                    "\(QuotedText(text)) is not in the form of RFC 3339; some of LaunchDarkly's SDKs take it for an "
                        + "instant and some do not")
            }
            instant = found
        case .number(let number):
            guard let milliseconds = Int64(exactly: number.double),
                Instant.writable.contains(Instant(milliseconds: milliseconds))
            else { throw value.problem("\(number.text) milliseconds are not an instant that can be written") }
            instant = Instant(milliseconds: milliseconds)
        default: return []
        }
        guard instant.nanoseconds % 1000 == 0 else {
            throw value.problem("an instant finer than microseconds, which LaunchDarkly's SDKs round")
        }
        let text = JSONValue.string(instant.description)
        return [["$type": "number", "$\(name)": ["instant": text, "epoch": "milliseconds"]], ["$\(name)": text]]
    }

    /// Whether a text begins like a date and ends like a time with an offset, which Python's SDK may read.
    private static func resemblesInstant(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count > 10, bytes.prefix(4).allSatisfy(\.isDigit), let last = bytes.last else { return false }
        return last | 0x20 == UInt8(ascii: "z") || bytes[10...].contains { "+-".utf8.contains($0) }
    }

    /// The form of a version for LaunchDarkly: no "v", and at most three numbers.
    private static let versionForm: JSONValue = "^[0-9]+([.][0-9]+){0,2}([-+]|$)"

    /// Comparisons with the values that are versions. Other text matches nothing.
    private func versions(_ comparison: String) -> [JSONValue] {
        values.compactMap(\.value.text).filter { text in
            !text.hasPrefix("v") && Version(Array(text.utf8).span).map { $0.numberCount <= 3 } ?? false
        }.map { [comparison: .string($0), "$regex": Self.versionForm] }
    }
}
