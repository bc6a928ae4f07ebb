import Allot
import AllotConfiguration

/// Joins guards without more of them than needed: conditions are joined into one condition, which lowering need not
/// take apart.
extension Guard {
    /// A test of an attribute by operators that all hold: `{"country": {"$in": ["DE", "FR"]}}`.
    static func test(_ attribute: String, _ operators: JSONObject) -> Guard {
        .condition(.object([attribute: .object(operators)]))
    }

    /// All of the guards.
    static func every(_ guards: [Guard]) -> Guard {
        var conditions: [JSONValue] = []
        var others: [Guard] = []
        for part in guards {
            switch part {
            case .always: break
            case .never: return .never
            case .condition(let condition): conditions.append(condition)
            case .all(let parts): others += parts
            default: others.append(part)
            }
        }
        if !conditions.isEmpty { others.insert(.condition(joined(conditions)), at: 0) }
        return others.isEmpty ? .always : others.count == 1 ? others[0] : .all(others)
    }

    /// At least one of the guards; none of no guards.
    static func some(_ guards: [Guard]) -> Guard {
        var conditions: [JSONValue] = []
        var others: [Guard] = []
        for part in guards {
            switch part {
            case .always: return .always
            case .never: break
            case .condition(let condition): conditions.append(condition)
            case .any(let parts): others += parts
            default: others.append(part)
            }
        }
        if conditions.count == 1 {
            others.insert(.condition(conditions[0]), at: 0)
        } else if !conditions.isEmpty {
            others.insert(.condition(.object(["$or": .array(conditions)])), at: 0)
        }
        return others.isEmpty ? .never : others.count == 1 ? others[0] : .any(others)
    }

    /// The exact opposite.
    var negated: Guard {
        switch self {
        case .always: .never
        case .never: .always
        case .not(let part): part
        case .condition(.object(let condition)):
            if condition.members.count == 1, let inner = condition["$not"] {
                .condition(inner)
            } else {
                .condition(.object(["$not": .object(condition)]))
            }
        default: .not(self)
        }
    }

    /// One condition for several that all hold: their members side by side, or `$and` where that is impossible.
    private static func joined(_ conditions: [JSONValue]) -> JSONValue {
        var members = JSONObject()
        for condition in conditions {
            guard case .object(let object) = condition else { return .object(["$and": .array(conditions)]) }
            for member in object.members {
                guard let other = members[member.key] else {
                    members[member.key] = member.value
                    continue
                }
                guard let both = merged(other, member.value) else { return .object(["$and": .array(conditions)]) }
                members[member.key] = both
            }
        }
        return .object(members)
    }

    /// The operators of two tests of one attribute, if no operator is in both.
    private static func merged(_ left: JSONValue, _ right: JSONValue) -> JSONValue? {
        guard case .object(var operators) = left, case .object(let more) = right else { return nil }
        for member in more.members {
            guard member.key.hasPrefix("$"), operators[member.key] == nil else { return nil }
            operators[member.key] = member.value
        }
        return operators.members.allSatisfy { $0.key.hasPrefix("$") } ? .object(operators) : nil
    }
}

extension JSONValue {
    /// A list of texts.
    static func texts(_ texts: some Sequence<String>) -> JSONValue {
        .array(texts.map(JSONValue.string))
    }
}

extension PayloadNode {
    /// The name of an attribute that conditions can test.
    func attributeName() throws(ImportProblem) -> String {
        let name = try text()
        let test = JSONValue.object([name: ["$exists": true]])
        guard ConditionParser.parse(test, segments: SegmentTable()).condition != nil else {
            throw problem("Allot's conditions cannot test an attribute named \(QuotedText(name))")
        }
        return name
    }

    /// A salt, seed or other text that is hashed with the unit ID.
    func salt() throws(ImportProblem) -> String {
        let salt = try text()
        guard !salt.isEmpty else { throw problem("an empty salt cannot be moved; a salt has 1 to 1,024 bytes") }
        guard salt.utf8.count <= Allot.HashScheme.maximumSaltLength else {
            throw problem("a salt has at most 1,024 bytes, and this one has \(salt.utf8.count)")
        }
        return salt
    }
}
