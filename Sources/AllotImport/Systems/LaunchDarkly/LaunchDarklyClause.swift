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
        self.node = node
        self.contexts = contexts
        self.segments = segments
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
            let condition = try test(AttributeAlternatives(name), given: isText)
            let isDone = isNegated || !["before", "after"].contains(self.name) && values.allSatisfy(\.value.isText)
            return .all([contexts.exists(kind), condition] + (isDone ? [] : [.condition([name: isText])]))
        case .named(let name):
            let tests = AttributeAlternatives(name, includesElements: true)
            return .all([contexts.exists(kind), try test(tests, given: ["$exists": true])])
        }
    }

    /// - Parameter given: The operators that hold for the value of an attribute that LaunchDarkly takes for given.
    private func test(_ tests: AttributeAlternatives, given: JSONValue) throws(ImportProblem) -> Guard {
        var tests = tests
        try add(to: &tests)
        guard isNegated else { return .condition(tests.condition) }
        return .condition(.all([[tests.attribute: given], .not(tests.condition)]))
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

    private func add(to tests: inout AttributeAlternatives) throws(ImportProblem) {
        switch name {
        case "in": for value in values { try add(equalTo: value, to: &tests) }
        case "startsWith", "endsWith", "contains":
            let texts = values.map(\.value).filter(\.isText)
            if !texts.isEmpty { tests.add(["$\(name)": .array(texts)]) }
        case "matches":
            let patterns = try values.filter(\.value.isText).map { value throws(ImportProblem) in
                try value.pattern(value.text(), in: .python).text
            }
            if !patterns.isEmpty { tests.add(["$regex": .strings(patterns)]) }
        case "lessThan", "lessThanOrEqual": try add(bound: name == "lessThan" ? "$lt" : "$lte", max, to: &tests)
        case "greaterThan", "greaterThanOrEqual":
            try add(bound: name == "greaterThan" ? "$gt" : "$gte", min, to: &tests)
        case "before", "after": for value in values { try add(instant: value, to: &tests) }
        case "semVerEqual", "semVerLessThan", "semVerGreaterThan":
            for value in values { try add(version: value, to: &tests) }
        default: throw node.problem("the operator \(QuotedText(name)) is not known to this importer")
        }
    }

    private func add(equalTo value: PayloadNode, to tests: inout AttributeAlternatives) throws(ImportProblem) {
        switch value.value {
        case .number(let number) where !number.isExactAsDouble:
            throw value.problem("\(number.text) is beyond the whole numbers that Allot compares exactly (2^53)")
        case .array, .object: throw value.problem("a list or an object as a value to compare with")
        default: tests.add(equalTo: value.value)
        }
    }

    /// One comparison with the most generous of the values.
    private func add(
        bound name: String, _ choose: (Double, Double) -> Double, to tests: inout AttributeAlternatives
    ) throws(ImportProblem) {
        var bound: JSONNumber?
        for value in values where value.value.asNumber != nil {
            let number = try value.double()
            if let bound, choose(number, bound.double) != number { continue }
            bound = value.value.asNumber
        }
        if let bound { tests.add(number: (name, .number(bound))) }
    }

    private func add(instant value: PayloadNode, to tests: inout AttributeAlternatives) throws(ImportProblem) {
        let instant: Instant
        switch value.value {
        case .string(let text):
            guard let found = Instant(strict: text) else {
                // Other text matches nothing.
                guard Self.resemblesInstant(text) else { return }
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
        default: return
        }
        guard instant.nanoseconds % 1000 == 0 else {
            throw value.problem("an instant finer than microseconds, which LaunchDarkly's SDKs round")
        }
        let text = JSONValue.string(instant.description)
        tests.add(number: ("$\(name)", ["instant": text, "epoch": "milliseconds"]))
        tests.add(["$\(name)": text])
    }

    /// Whether a text begins like a date and ends like a time with an offset, which Python's SDK may read.
    private static func resemblesInstant(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count > 10, bytes.prefix(4).allSatisfy(\.isDigit), let last = bytes.last else { return false }
        return last | 0x20 == UInt8(ascii: "z") || bytes[10...].contains { "+-".utf8.contains($0) }
    }

    /// The form of a version for LaunchDarkly: no "v", and at most three numbers.
    private static let versionForm: JSONValue = "^[0-9]+([.][0-9]+){0,2}([-+]|$)"

    private func add(version value: PayloadNode, to tests: inout AttributeAlternatives) throws(ImportProblem) {
        // A text that is not a version matches nothing.
        guard case .string(let text) = value.value, !text.hasPrefix("v"),
            let version = Version(Array(text.utf8).span), version.numberCount <= 3
        else { return }
        let comparison =
            switch name {
            case "semVerLessThan": "$vlt"
            case "semVerGreaterThan": "$vgt"
            default: "$veq"
            }
        tests.add([comparison: .string(text), "$regex": Self.versionForm])
    }
}
