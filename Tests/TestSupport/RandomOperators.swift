import AllotConfiguration
import AllotCore
import Foundation

/// Small conditions on some attributes, in every operator.
package struct RandomOperators {
    /// More seeds than those of a quick run, as many times as the environment says.
    package static let seedFactor = ProcessInfo.processInfo.environment["ALLOT_PROOF_SEEDS"].flatMap { Int($0) } ?? 1

    private var random: SeededGenerator
    private let attributes: [String]
    /// The attributes that are tested as lists too.
    private let lists: Set<String>

    package init(seed: Int, attributes: [String] = ["a"], lists: Set<String> = ["a"]) {
        random = SeededGenerator(seed: seed)
        (self.attributes, self.lists) = (attributes, lists)
    }

    /// The list that conditions refer to as the group `few`.
    static let group: [JSONValue] = [1, "a", "5"]
    /// The condition that others refer to as the segment `some`.
    static let segment: JSONValue = ["$or": [["a": "ab"], ["x": ["$in": ["ab", 5]]], ["y": ["$gt": 1]]]]

    package static let segments: SegmentTable = {
        var segments = SegmentTable()
        segments.groups[UTF8Key("few")] = LiteralList(group)
        segments.conditions[UTF8Key("some")] = ConditionParser.parse(segment, segments: SegmentTable()).condition
        return segments
    }()

    /// Some conditions, as they are written and as they are read.
    package mutating func conditions(_ count: Int) -> [(json: JSONValue, condition: Condition)] {
        (0..<count).map { _ in
            let json = condition(depth: 2)
            guard let parsed = ConditionParser.parse(json, segments: Self.segments).condition else {
                preconditionFailure("\(json.canonicalText) is not a condition")
            }
            return (json, parsed)
        }
    }

    package mutating func condition(depth: Int) -> JSONValue {
        if depth > 0, random.chance(0.25) { return joined { $0.condition(depth: depth - 1) } }
        if random.chance(0.05) { return ["$segment": "some"] }
        var members = JSONObject()
        for _ in attributes {
            let name = random.pick(attributes)
            members[name] = tests(depth: lists.contains(name) ? depth : 0)
        }
        return .object(members)
    }

    /// Conditions of one kind in a connective.
    private mutating func joined(_ part: (inout Self) -> JSONValue) -> JSONValue {
        let name = random.pick(["$and", "$or", "$nor", "$not"])
        if name == "$not" { return ["$not": part(&self)] }
        let parts = (0..<random.number(0...2)).map { _ in part(&self) }
        return .object(JSONObject([(key: name, value: .array(parts))]))
    }

    private mutating func tests(depth: Int) -> JSONValue {
        var members = JSONObject()
        for _ in 0..<random.number(1...2) {
            let (name, literal) = test(depth: depth)
            members[name] = literal
        }
        return random.number(0...5) == 0 ? ["$not": .object(members)] : .object(members)
    }

    private mutating func element(depth: Int) -> JSONValue {
        if depth > 0, random.chance(0.5) { return joined { $0.element(depth: depth - 1) } }
        return random.chance(0.25) ? ["x": tests(depth: 0)] : tests(depth: 0)
    }

    private mutating func test(depth: Int) -> (String, JSONValue) {
        switch random.number(0...(depth > 0 ? 12 : 9)) {
        case 0: (random.pick(["$eq", "$ne"]), literal())
        case 1 where random.chance(0.2): (random.pick(["$inGroup", "$notInGroup"]), "few")
        case 1: (random.pick(["$in", "$nin", "$ini", "$nini"]), .array((0..<3).map { _ in literal() }))
        case 2: (random.pick(["$lt", "$lte", "$gt", "$gte"]), random.pick([0, 5, "a", "ab", "5"]))
        case 3:
            (
                random.pick(["$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte"]),
                random.pick([1, 1.2, "1.2.3", "1.2.3.0.0", "1.2.3.4", "v1.2.3.4-rc.1", "1.2.3.4.5.6", "1.9"])
            )
        case 4: (random.pick(["$before", "$after", "$onOrBefore", "$onOrAfter"]), instant())
        case 5 where random.chance(0.3):
            // Patterns fold one scalar to one, unlike the other operators: no text here has an I.
            (random.pick(["$regex", "$regexi"]), oneOrMore(["a", "b", "AB", "bC", "é", "É", "1", "ss", "ß", ""]))
        case 5, 6:
            (
                random.pick([
                    "$startsWith", "$endsWith", "$contains", "$startsWithi", "$endsWithi", "$containsi",
                ]), oneOrMore(["a", "b", "AB", "bC", "i", "\u{307}", "İ", "é", "É", "1", "ss", "ß", ""])
            )
        case 7:
            (
                random.pick(["$inNetwork", "$notInNetwork"]),
                oneOrMore([
                    "10.0.0.0/8", "10.0.0.0/16", "10.0.0.1", "::/0", "0.0.0.0/0", "2001:db8::/32", "2001:db8::/47",
                    "::ffff:10.0.0.0/104", "::1/128",
                ])
            )
        case 8: ("$exists", random.pick([true, false]))
        case 9: ("$type", random.pick(["string", "number", "boolean", "null", "array", "object"]))
        case 10: ("$elemMatch", element(depth: depth - 1))
        case 11 where random.chance(0.3): ("$alli", [literal(), literal()])
        case 11: ("$all", [tests(depth: 0), literal()])
        default: ("$size", random.pick([0, 1, ["$gt": 1]]))
        }
    }

    private mutating func oneOrMore(_ texts: [String]) -> JSONValue {
        if random.chance(0.5) { return .string(random.pick(texts)) }
        return .array((0..<random.number(1...3)).map { _ in .string(random.pick(texts)) })
    }

    private mutating func instant() -> JSONValue {
        let text = random.pick(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-06-01T00:00:00Z"])
        guard random.chance(0.5) else { return .string(text) }
        return ["instant": .string(text), "epoch": .string(random.pick(["seconds", "milliseconds"]))]
    }

    private mutating func literal() -> JSONValue {
        random.pick([.null, true, false, 1, 5, "a", "ab", "5", "5.0", "true", "1.2.3", "é", ""])
    }

    // MARK: Values

    /// Values of attributes, at most 64: missing, typed and untyped; no lists.
    package static let values: [Subject.Value?] = {
        let texts = [
            "AB", "b", "ss", "a", "ab", "5", "5.0", "1", "0", "true", "TRUE", "false", "1.2.3", "1.9", "1.2.3.4",
            "v1.2.3.4-rc.1", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", "2027-01-01T00:00:00Z", "é",
            "10.0.0.1", "::1", "2001:db8::5", "1767225600",
        ]
        let typed: [JSONValue] = [.null, true, false, 0, 1, 5, 5.5, 30, -1, 1.2, ""] + texts.map(JSONValue.string)
        return [nil] + typed.map { .typed($0) } + texts.map { .untyped($0) }
    }()

    /// Lists, and some other values.
    package static let lists: [Subject.Value?] = {
        let typed: [JSONValue] = [
            .null, true, 1, 5, "ab", "a", "b", "5", "true", "10.0.0.1", [], ["ab"], ["a"], ["a", "ab"], ["a", "b"],
            ["ab", "é", "b"], [1], [5, 30], ["5"], ["5.0", 1], [.null], [true, "a"], ["true"], [["a"]], [["x": 5]],
            ["a", .null, 5], ["é", ""], ["10.0.0.1"], ["1.2.3", "2026-01-01T00:00:00Z"], ["x": "a"],
        ]
        return [nil] + typed.map { .typed($0) } + ["ab", "a", "5", "true"].map { .untyped($0) }
    }()
}
