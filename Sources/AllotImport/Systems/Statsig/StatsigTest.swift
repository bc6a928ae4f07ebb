import AllotConfiguration
import AllotCore

/// Writes the operators on a value of the user in Allot's condition language. Statsig compares texts, as Rust writes
/// numbers and booleans, and takes a missing value for an empty text.
struct StatsigTest {
    let attribute: String
    let isText: Bool
    let target: PayloadNode?
    let node: PayloadNode

    private func test(_ operators: JSONValue) -> JSONValue { [attribute: operators] }
    private func anyOf(_ operators: [JSONValue]) -> Guard { .condition(.any(operators.map(test))) }
    /// The condition that the value is missing. Statsig takes an empty text of its own fields for a missing one.
    private var isMissing: JSONValue { .any([test(["$exists": false])] + (emptyIsMissing ? [test(["$eq": ""])] : [])) }
    private var emptyIsMissing: Bool { StatsigFields.isText(attribute) }

    private static let searchesNumbers =
        "the text may be found in numbers, which Statsig searches as text; in Allot patterns and parts test text only. "
        + "Use it on a field such as email or userID, or compare whole values"

    /// The texts of a list, or of the map in place of one. Returns `nil` for anything else, which no value satisfies.
    private func targets(takesMap: Bool = false) throws(ImportProblem) -> [String]? {
        guard let target, target.value.asArray != nil || takesMap && target.value.asObject != nil else { return nil }
        return try target.listed(ignoringCase: takesMap).map { element throws(ImportProblem) -> String in
            switch element.value {
            case .string(let text): return text
            case .boolean(let flag): return "\(flag)"
            case .number(let number):
                guard number.isExactAsDouble, let text = JSONNumber(number.double)?.text,
                    RustNumber.number(writtenAs: text) != nil
                else { throw element.problem("\(number.text) is not a number that compares exactly as text") }
                return text
            default: throw element.problem("\(element.value.described) in a list of texts")
            }
        }
    }

    /// The texts that Statsig finds where case matters: of those that differ in case only, the last one.
    private static func lastSpellings(_ texts: [String]) -> [String] {
        var positions: [UTF8Key: Int] = [:]
        for (index, text) in texts.enumerated() { positions[UTF8Key(text.lowercased())] = index }
        return texts.enumerated().filter { positions[UTF8Key($1.lowercased())] == $0 }.map(\.element)
    }

    private static func number(of text: String) -> JSONValue? {
        RustNumber.number(writtenAs: text).flatMap { $0.isExactAsDouble ? .number($0) : nil }
    }

    /// Tests of which one holds for a value that is written as a text.
    private static func tests(of text: String) -> [JSONValue] {
        var tests: [JSONValue] = [["$eq": .string(text)]]
        if let number = number(of: text) { tests.append(["$type": "number", "$eq": number]) }
        if let flag = Bool(text) { tests.append(["$eq": .boolean(flag)]) }
        return tests
    }

    func isAny(ignoringCase: Bool) throws(ImportProblem) -> Guard {
        guard var texts = try targets(takesMap: ignoringCase) else { return .never }
        if ignoringCase { try (target ?? node).checkCase(of: texts) } else { texts = Self.lastSpellings(texts) }
        var found: [JSONValue] = []
        let given = texts.filter { !$0.isEmpty }
        if given.count < texts.count { found += [isMissing, test(["$eq": ""])] }
        if !given.isEmpty {
            let list = JSONValue.strings(given)
            let name = ignoringCase ? "$ini" : "$in"
            found.append(test(isText ? [name: list] : ["$type": "string", name: list]))
        }
        if !isText {
            let numbers = given.compactMap(Self.number)
            if !numbers.isEmpty { found.append(test(["$type": "number", "$in": .array(numbers)])) }
            let words = ignoringCase ? given.map { $0.lowercased() } : given
            for flag in [true, false] where words.contains("\(flag)") { found.append(test(["$eq": .boolean(flag)])) }
        }
        return .condition(.any(found))
    }

    /// - Parameter holds: Whether it holds for two texts in lower case.
    func hasPart(_ name: String, _ holds: (String, String) -> Bool) throws(ImportProblem) -> Guard {
        guard let texts = try targets(), !texts.isEmpty else { return .never }
        try (target ?? node).checkCase(of: texts)
        // Each text has an empty part, a missing value too.
        if texts.contains("") { return .always }
        var found: [JSONValue] = [[name: .strings(texts)]]
        if !isText {
            if texts.contains(where: { $0.utf8.allSatisfy { "-.0123456789".utf8.contains($0) } }) {
                throw (target ?? node).problem(Self.searchesNumbers)
            }
            for flag in [true, false] where texts.contains(where: { holds("\(flag)", $0.lowercased()) }) {
                found.append(["$eq": .boolean(flag)])
            }
        }
        return anyOf(found)
    }

    func matches() throws(ImportProblem) -> Guard {
        guard let target, let pattern = target.value.text else { return .never }
        let expression = try target.pattern(pattern, in: .rust)
        var operators = expression.operators
        if emptyIsMissing, expression.matches("") { operators["$ne"] = "" }
        var found: [JSONValue] = [.object(operators)]
        if !isText {
            for flag in [true, false] where expression.matches("\(flag)") { found.append(["$eq": .boolean(flag)]) }
            switch expression.numbers {
            case .none: break
            case .all: found.append(["$type": "number"])
            case .some: throw target.problem(Self.searchesNumbers)
            }
        }
        return anyOf(found)
    }

    func isEqual() throws(ImportProblem) -> Guard {
        switch target?.value ?? .null {
        case .null: return .condition(isMissing)
        case .boolean(let flag): return .condition(test(["$eq": .boolean(flag)]))
        case .number(let number):
            guard number.isExactAsDouble else {
                throw (target ?? node).problem("\(number.text) is beyond the numbers that Allot compares exactly")
            }
            // Text that reads as the number counts too, in Statsig as in Allot.
            return .condition(test(["$eq": .number(number)]))
        case .string(let text):
            if text.isEmpty, emptyIsMissing { return .never }
            return anyOf(isText ? [["$eq": .string(text)]] : Self.tests(of: text))
        case .array, .object: throw (target ?? node).problem("a list or an object to compare with")
        }
    }

    func compares(_ name: String) throws(ImportProblem) -> Guard {
        // Text that is not a number compares with nothing.
        let number = target?.value.asNumber ?? target?.value.text.flatMap(RustNumber.number(of:))
        return number.map { Guard.condition(test([name: .number($0)])) } ?? .never
    }

    /// Compares versions as Statsig does: what follows a "-" or a number that differs does not count.
    func compares(version name: String) throws(ImportProblem) -> Guard {
        guard let target, let text = target.value.text else { return .never }
        let version = try DottedVersion(String(text.prefix { $0 != "-" }), at: target)
        let orders: [String: Set<VersionOrder>] = [
            "gt": [.greater], "gte": [.greater, .equal], "lt": [.less], "lte": [.less, .equal], "eq": [.equal],
        ]
        return version.condition(on: attribute, orders[name] ?? [.less, .greater], rest: "([-.]|$)", end: "(-|$)")
    }

    func compares(time name: String) throws(ImportProblem) -> Guard {
        guard let target, let time = try StatsigTime(target) else { return .never }
        let (after, before): (Int64?, Int64?) =
            switch name {
            case "before": (nil, time.milliseconds)
            case "after": (time.milliseconds, nil)
            default: (time.day.start.milliseconds - 1, time.day.end.milliseconds)
            }
        return .condition(
            .all([
                after.map { StatsigTime.test(attribute, isBefore: false, $0) } ?? .always,
                before.map { StatsigTime.test(attribute, isBefore: true, $0) } ?? .always,
            ]))
    }

    func contains(all: Bool, isNegated: Bool) throws(ImportProblem) -> Guard {
        guard let texts = try targets() else { return .never }
        let parts = Self.lastSpellings(texts).map { test(["$elemMatch": .any(Self.tests(of: $0))]) }
        let condition = all ? JSONValue.all(parts) : JSONValue.any(parts)
        return .condition(.all([test(["$type": "array"]), isNegated ? .not(condition) : condition]))
    }
}
