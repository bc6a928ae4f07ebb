import AllotConfiguration
import TestSupport

/// Small conditions on some attributes, in every operator.
struct RandomOperators {
    private var random: SeededGenerator
    private let attributes: [String]
    /// The attributes that are tested as lists too.
    private let lists: Set<String>

    init(seed: Int, attributes: [String] = ["a"], lists: Set<String> = ["a"]) {
        random = SeededGenerator(seed: seed)
        (self.attributes, self.lists) = (attributes, lists)
    }

    mutating func condition(depth: Int) -> JSONValue {
        if depth > 0, random.chance(0.25) { return joined { $0.condition(depth: depth - 1) } }
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
        case 1: (random.pick(["$in", "$nin", "$ini", "$nini"]), .array((0..<3).map { _ in literal() }))
        case 2: (random.pick(["$lt", "$lte", "$gt", "$gte"]), random.pick([0, 5, "a", "ab", "5"]))
        case 3:
            (
                random.pick(["$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte"]),
                random.pick([1, 1.2, "1.2.3", "1.2.3.0.0", "1.2.3.4", "v1.2.3.4-rc.1", "1.2.3.4.5.6", "1.9"])
            )
        case 4: (random.pick(["$before", "$after", "$onOrBefore", "$onOrAfter"]), instant())
        case 5, 6:
            (
                random.pick([
                    "$startsWith", "$endsWith", "$contains", "$regex", "$startsWithi", "$endsWithi", "$containsi",
                    "$regexi",
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
}
