import AllotConfiguration

/// Joins conditions of Allot's language.
package enum ConditionJSON {
    /// Holds for every unit.
    package static let everyone: JSONValue = [:]
    /// Holds for no unit.
    package static let nobody: JSONValue = ["$not": [:]]

    /// Holds where all conditions hold.
    package static func all(_ conditions: [JSONValue]) -> JSONValue {
        let parts = conditions.filter { $0 != everyone }
        if parts.contains(nobody) { return nobody }
        guard parts.count > 1 else { return parts.first ?? everyone }
        // Members of one condition are joined by "and", and so are the operators of one test.
        var joined = JSONObject()
        for case .object(let object) in parts {
            for member in object.members {
                guard let other = joined[member.key] else {
                    joined[member.key] = member.value
                    continue
                }
                guard !member.key.hasPrefix("$"), let test = test(other, and: member.value) else {
                    return ["$and": .array(parts)]
                }
                joined[member.key] = test
            }
        }
        return .object(joined)
    }

    /// Two tests of an attribute in one. Returns `nil` if they share an operator, or are no maps of operators.
    private static func test(_ left: JSONValue, and right: JSONValue) -> JSONValue? {
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

    /// Holds where one of the conditions holds.
    package static func any(_ conditions: [JSONValue]) -> JSONValue {
        if conditions.contains(everyone) { return everyone }
        let parts = conditions.filter { $0 != nobody }
        return parts.count > 1 ? ["$or": .array(parts)] : parts.first ?? nobody
    }

    /// The number of values in a condition: an upper bound of the number of its tests.
    ///
    /// - Parameter segments: The numbers of values in the segments that it uses, by their names.
    static func size(of condition: JSONValue, segments: [String: Int] = [:]) -> Int {
        switch condition {
        case .array(let elements): elements.reduce(1) { $0 + size(of: $1, segments: segments) }
        case .object(let object):
            object.members.reduce(1) { sum, member in
                if member.key == "$segment", case .string(let name) = member.value {
                    return sum + (segments[name] ?? 1)
                }
                return sum + size(of: member.value, segments: segments)
            }
        case .null, .boolean, .number, .string: 1
        }
    }

    /// Holds where the condition does not.
    package static func not(_ condition: JSONValue) -> JSONValue {
        if condition == everyone { return nobody }
        guard case .object(let object) = condition, object.members.count == 1 else { return ["$not": condition] }
        if let inner = object["$not"] { return inner }
        return opposite(object.members[0]) ?? ["$not": condition]
    }

    /// The opposite of a test by one operator that has one of its own.
    private static func opposite(_ member: JSONObject.Member) -> JSONValue? {
        let opposites = ["$in": "$nin", "$nin": "$in", "$eq": "$ne", "$ne": "$eq", "$veq": "$vne", "$vne": "$veq"]
        guard !member.key.hasPrefix("$"), case .object(let tests) = member.value, tests.members.count == 1 else {
            return nil
        }
        let test = tests.members[0]
        if test.key == "$exists", case .boolean(let isGiven) = test.value {
            return .object([member.key: ["$exists": .boolean(!isGiven)]])
        }
        return opposites[test.key].map { .object([member.key: .object([$0: test.value])]) }
    }
}

extension JSONValue {
    /// The condition with each attribute under another name. Members of objects keep theirs.
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
