import AllotConfiguration
import AllotCore

extension JSONValue {
    static let always: JSONValue = [:]
    static let never: JSONValue = ["$not": [:]]

    /// The condition that an attribute satisfies all operators: `{"country": {"$in": ["DE", "FR"]}}`.
    static func test(_ attribute: String, _ operators: JSONObject) -> JSONValue {
        .object([attribute: .object(operators)])
    }

    static func all(_ conditions: [JSONValue]) -> JSONValue {
        let parts = conditions.filter { $0 != .always }
        if parts.contains(.never) { return .never }
        guard parts.count > 1 else { return parts.first ?? .always }
        // Members of one condition are joined by "and", and so are the operators of one test.
        var joined = JSONObject()
        for member in parts.compactMap(\.asObject).flatMap(\.members) {
            guard let other = joined[member.key] else {
                joined[member.key] = member.value
                continue
            }
            guard !member.key.hasPrefix("$"), let test = operators(other, and: member.value) else {
                return ["$and": .array(parts)]
            }
            joined[member.key] = test
        }
        return .object(joined)
    }

    /// Two tests of an attribute in one. Returns `nil` if they share an operator, or are not maps of operators.
    private static func operators(_ left: JSONValue, and right: JSONValue) -> JSONValue? {
        guard case .object(var operators) = left, case .object(let more) = right else { return nil }
        for member in more.members {
            guard operators[member.key] == nil else { return nil }
            operators[member.key] = member.value
        }
        guard !more.isEmpty, operators.members.count > more.members.count,
            operators.members.allSatisfy({ $0.key.hasPrefix("$") })
        else { return nil }
        return .object(operators)
    }

    static func any(_ conditions: [JSONValue]) -> JSONValue {
        if conditions.contains(.always) { return .always }
        let parts = conditions.filter { $0 != .never }
        return parts.count > 1 ? ["$or": .array(parts)] : parts.first ?? .never
    }

    static func not(_ condition: JSONValue) -> JSONValue {
        if condition == .always { return .never }
        guard case .object(let object) = condition, object.members.count == 1 else { return ["$not": condition] }
        if let inner = object["$not"] { return inner }
        return opposite(object.members[0]) ?? ["$not": condition]
    }

    private static func opposite(_ member: JSONObject.Member) -> JSONValue? {
        let opposites = ["$in": "$nin", "$nin": "$in", "$eq": "$ne", "$ne": "$eq", "$veq": "$vne", "$vne": "$veq"]
        guard !member.key.hasPrefix("$"), case .object(let tests) = member.value, tests.members.count == 1 else {
            return nil
        }
        let test = tests.members[0]
        if test.key == "$exists", let isGiven = test.value.boolean {
            return .test(member.key, ["$exists": .boolean(!isGiven)])
        }
        return opposites[test.key].map { .test(member.key, [$0: test.value]) }
    }

    /// The number of values in a condition: an upper bound of the number of its tests.
    func size(segments: [String: Int] = [:]) -> Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.size(segments: segments) }
        case .object(let object):
            object.members.reduce(1) { sum, member in
                let segment = member.key == "$segment" ? member.value.text : nil
                return sum + (segment.map { segments[$0] ?? 1 } ?? member.value.size(segments: segments))
            }
        case .null, .boolean, .number, .string: 1
        }
    }

    func renamingAttributes(_ rename: (String) -> String) -> JSONValue {
        guard case .object(let object) = self else { return self }
        return .object(
            JSONObject(
                object.members.map { member -> (key: String, value: JSONValue) in
                    switch (member.key, member.value) {
                    case ("$and", .array(let parts)), ("$or", .array(let parts)), ("$nor", .array(let parts)):
                        return (member.key, .array(parts.map { $0.renamingAttributes(rename) }))
                    case ("$not", let part): return ("$not", part.renamingAttributes(rename))
                    case ("$segment", _): return (member.key, member.value)
                    default:
                        // Dots walk into objects, where only the first name is the attribute's.
                        let whole = rename(member.key)
                        if !UTF8Order.areEqual(whole, member.key) { return (whole, member.value) }
                        let dot = member.key.utf8.firstIndex(of: UInt8(ascii: ".")) ?? member.key.endIndex
                        return (rename(String(member.key[..<dot])) + member.key[dot...], member.value)
                    }
                }))
    }
}

extension JSONValue {
    var isText: Bool { text != nil }

    /// Whether programs take it for true.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .boolean(let flag): flag
        case .number(let number): number.double != 0
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object: true
        }
    }

    /// All objects in it, itself included, each before those within it; none below members of the name `skipped`.
    func objects(outside skipped: String? = nil) -> [JSONObject] {
        switch self {
        case .array(let elements): elements.flatMap { $0.objects(outside: skipped) }
        case .object(let object):
            [object] + object.members.filter { $0.key != skipped }.flatMap { $0.value.objects(outside: skipped) }
        case .null, .boolean, .number, .string: []
        }
    }

    var allMembers: [JSONObject.Member] { objects().flatMap(\.members) }
    var memberNames: Set<String> { Set(allMembers.map(\.key)) }
}

struct ValueCondition {
    static let attribute = "value"

    private let plan: Plan

    init?(_ json: JSONValue) {
        guard let condition = ConditionParser.parse(json, segments: SegmentTable()).condition,
            let salt = Salt(Self.attribute)
        else { return nil }
        let variant = VariantDefinition(key: "met", buckets: [0..<Bucketing.bucketCount], overrides: [:])
        var experiment = ExperimentDefinition(key: "unit", status: .running, salt: salt, variants: [variant])
        experiment.audience = condition
        plan = Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: [experiment]))
    }

    func holds(for value: JSONValue) -> Bool {
        let subject = Subject(id: "unit", attributes: [Self.attribute: value])
        return plan.assignments(for: subject, at: Instant(seconds: 0)).first?.variant != nil
    }
}
