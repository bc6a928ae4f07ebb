import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

struct ConditionOracleTests {
    private static let texts = [
        "", "a", "A", "ab", "aB", "abc", "i", "I", "İ", "i̇", "İa", "é", "É", "straße", "STRASSE", "5", "5.0", "-1",
        "true",
        "TRUE", "1", "v1", "1.2", "1.2.3", "1.2.3.0", "1.2.3.4", "1.2.3.4.5.6", "1.2.3.4.5.6.7", "1.2.3-rc.1",
        "1.2.3.4-rc.1",
        "1.10", "1.02", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00.5Z",
        "2027-01-01T00:00:00Z", "1767225600", "1767225600.5", "1767225600000", "1767225600500", "10.0.0.1", "10.1.0.0",
        "11.0.0.1", "::ffff:10.0.0.1", "::ffff:a00:1", "::1", "2001:db8::5", "2001:db8:1::", "::", "10.0.0.256",
    ]
    private static let values: [ConditionOracle.Value] =
        [.missing] + texts.map(ConditionOracle.Value.untyped)
        + (texts.map(JSONValue.string) + [
            .null, true, false, 0, 1, 5, -1, 1.2, 2, 1_767_225_600, 1_767_225_600_500, [], ["a", "abc"], ["10.0.0.1"],
            [1, 5], [5], [["x": 5]], [["x": "abc"], 5], ["x": 5],
        ]).map(ConditionOracle.Value.typed)

    /// Evaluation of conditions in every operator gives the oracle's answers.
    @Test("Random conditions have the answers of the oracle", arguments: 1...4)
    func randomConditions(seed: Int) throws {
        var audiences = RandomOperators(seed: seed)
        for _ in 0..<20 {
            let condition = audiences.condition(depth: 2)
            let harness = try ConditionHarness(condition)
            for value in Self.values {
                #expect(
                    harness.holds(value) == ConditionOracle(["a": value]).holds(condition),
                    "\(condition.canonicalText) of \(value)")
            }
        }
    }

    @Test("Versions compare as the oracle compares them", arguments: 0..<30)
    func randomVersions(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let (left, right) = (Self.versionLike(&random), Self.versionLike(&random))
            let isVersion = ConditionOracle(["a": .untyped(right)]).holds(["a": ["$veq": .string(right)]])
            for name in ["$vlt", "$veq", "$vgt"] {
                let condition: JSONValue = ["a": .object([name: .string(right)])]
                let harness = try? ConditionHarness(condition)
                #expect((harness != nil) == isVersion, "\(right)")
                let expected = ConditionOracle(["a": .untyped(left)]).holds(condition)
                #expect((harness?.holds(.untyped(left)) ?? false) == expected, "\(left) \(name) \(right)")
            }
        }
    }

    private static func versionLike(_ random: inout SeededGenerator) -> String {
        func pick(_ items: [String]) -> String { items[Int.random(in: 0..<items.count, using: &random)] }
        let numbers = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            pick(["0", "1", "2", "10", "99", "01", "18446744073709551616", ""])
        }
        var text = pick(["", "", "v", "V"]) + numbers.prefix(3).joined(separator: ".")
        if Bool.random(using: &random) {
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                pick(["a", "B", "1", "11", "2", "-", "x-1", "01", "0"])
            }
            text += "-" + parts.joined(separator: ".")
        }
        if Int.random(in: 0..<4, using: &random) == 0 { text += "+" + pick(["5", "a.b", "", "007", "ä"]) }
        return text
    }
}

/// Small conditions on the attribute `a`.
private struct RandomOperators {
    private var random: SeededGenerator

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    mutating func condition(depth: Int) -> JSONValue {
        if depth > 0, Int.random(in: 0..<4, using: &random) == 0 { return joined { $0.condition(depth: depth - 1) } }
        return ["a": tests(depth: depth)]
    }

    /// Conditions of one kind in a connective.
    private mutating func joined(_ part: (inout Self) -> JSONValue) -> JSONValue {
        let name = one(of: ["$and", "$or", "$nor", "$not"])
        if name == "$not" { return ["$not": part(&self)] }
        let parts = (0..<Int.random(in: 0...2, using: &random)).map { _ in part(&self) }
        return .object(JSONObject([(key: name, value: .array(parts))]))
    }

    private mutating func tests(depth: Int) -> JSONValue {
        var members = JSONObject()
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let (name, literal) = test(depth: depth)
            members[name] = literal
        }
        return Int.random(in: 0..<6, using: &random) == 0 ? ["$not": .object(members)] : .object(members)
    }

    private mutating func element(depth: Int) -> JSONValue {
        if depth > 0, Int.random(in: 0..<2, using: &random) == 0 { return joined { $0.element(depth: depth - 1) } }
        return Int.random(in: 0..<4, using: &random) == 0 ? ["x": tests(depth: 0)] : tests(depth: 0)
    }

    private mutating func test(depth: Int) -> (String, JSONValue) {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &random) {
        case 0: (one(of: ["$eq", "$ne"]), literal())
        case 1: (one(of: ["$in", "$nin"]), .array((0..<3).map { _ in literal() }))
        case 2: (one(of: ["$lt", "$lte", "$gt", "$gte"]), one(of: [0, 5, "a", "ab", "5"]))
        case 3:
            (
                one(of: ["$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte"]),
                one(of: [1, 1.2, "1.2.3", "1.2.3.0.0", "1.2.3.4", "v1.2.3.4-rc.1", "1.2.3.4.5.6", "1.9"])
            )
        case 4: (one(of: ["$before", "$after", "$onOrBefore", "$onOrAfter"]), instant())
        case 5, 6:
            (
                one(of: [
                    "$startsWith", "$endsWith", "$contains", "$regex", "$startsWithi", "$endsWithi", "$containsi",
                ]), oneOrMore(["a", "b", "AB", "bC", "i", "\u{307}", "İ", "é", "É", "1", "ss", "ß", ""])
            )
        case 7:
            (
                one(of: ["$inNetwork", "$notInNetwork"]),
                oneOrMore([
                    "10.0.0.0/8", "10.0.0.0/16", "10.0.0.1", "::/0", "0.0.0.0/0", "2001:db8::/32", "2001:db8::/47",
                    "::ffff:10.0.0.0/104", "::1/128",
                ])
            )
        case 8: ("$exists", one(of: [true, false]))
        case 9: ("$elemMatch", element(depth: depth - 1))
        case 10: ("$all", [tests(depth: 0), literal()])
        default: ("$size", one(of: [0, 1, ["$gt": 1]]))
        }
    }

    private mutating func oneOrMore(_ texts: [String]) -> JSONValue {
        if Bool.random(using: &random) { return .string(one(of: texts)) }
        return .array((0..<Int.random(in: 1...3, using: &random)).map { _ in .string(one(of: texts)) })
    }

    private mutating func instant() -> JSONValue {
        let text = JSONValue.string(
            one(of: ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-06-01T00:00:00Z"]))
        guard Bool.random(using: &random) else { return text }
        return ["instant": text, "epoch": .string(one(of: ["seconds", "milliseconds"]))]
    }

    private mutating func literal() -> JSONValue {
        one(of: [.null, true, false, 1, 5, "a", "ab", "5", "5.0", "true", "1.2.3", "é", ""])
    }
}
