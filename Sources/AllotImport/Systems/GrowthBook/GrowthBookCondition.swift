import Allot
import AllotConfiguration

/// Translates conditions of GrowthBook, whose language is that of Allot's conditions, but looser.
///
/// Where the two differ, more tests make them equal: GrowthBook never reads text as a number, lists hold for elements
/// of the same type only, and elements that are null are skipped.
struct GrowthBookCondition {
    let groups: GrowthBookGroups

    /// What is tested: an attribute, or (`nil`) the element of a list.
    private typealias Target = String?

    private enum Place {
        case user
        /// Within `$elemMatch`, where names are those of the element's members.
        case element
    }

    /// The condition on a user's attributes.
    func condition(_ node: PayloadNode) throws(ImportProblem) -> JSONValue {
        try condition(node, in: .user)
    }

    private func condition(_ node: PayloadNode, in place: Place) throws(ImportProblem) -> JSONValue {
        var parts: [JSONValue] = []
        for (key, value) in try node.members() {
            switch key {
            case "$or": parts.append(try anyOf(value, place))
            case "$nor": parts.append(ConditionJSON.not(try anyOf(value, place)))
            case "$and": for part in try value.elements() { parts.append(try condition(part, in: place)) }
            case "$not": parts.append(ConditionJSON.not(try condition(value, in: place)))
            case "$savedGroup": parts.append(try savedGroup(value, place))
            case _ where key.hasPrefix("$"): throw value.problem("unknown operator \(QuotedText(key))")
            default: parts.append(try self.value(value, try name(key, value)))
            }
        }
        return Self.joined(parts)
    }

    private func anyOf(_ node: PayloadNode, _ place: Place) throws(ImportProblem) -> JSONValue {
        let elements = try node.elements()
        if elements.isEmpty { return ConditionJSON.everyone }
        var parts: [JSONValue] = []
        for element in elements { parts.append(try condition(element, in: place)) }
        return ConditionJSON.any(parts)
    }

    private func savedGroup(_ node: PayloadNode, _ place: Place) throws(ImportProblem) -> JSONValue {
        try node.checkMembers(known: ["id", "attributeKey"])
        let id = try node.required("id")
        switch try groups.group(id) {
        case .list(let list, let attribute):
            guard let key = try node["attributeKey"]?.text() ?? attribute else { return ConditionJSON.nobody }
            return try isIn(list, try name(key, node), segment: try groups.segment(id))
        case .condition(let condition):
            return try GrowthBookCondition(groups: groups.entering(id)).condition(condition, in: place)
        case nil: return ConditionJSON.nobody
        }
    }

    private func name(_ key: String, _ node: PayloadNode) throws(ImportProblem) -> String {
        for part in key.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
        where part == "length" || (!part.isEmpty && part.utf8.allSatisfy(\.isDigit)) {
            throw node.problem(
                "\(QuotedText(key)) asks for the length of a list, or for one of its elements, which Allot's "
                    + "conditions do not do")
        }
        return try node.attributeName(key)
    }

    // MARK: Values

    /// Joins conditions without mixing tests of an element with those of its members.
    private static func joined(_ parts: [JSONValue]) -> JSONValue {
        let parts = parts.filter { $0 != ConditionJSON.everyone }
        let isMixed = parts.contains { $0.testsElement } && parts.contains { !$0.testsElement }
        return isMixed && !parts.contains(ConditionJSON.nobody) ? ["$and": .array(parts)] : ConditionJSON.all(parts)
    }

    private func test(_ target: Target, _ operators: JSONObject) -> JSONValue {
        target.map { JSONValue.test($0, operators) } ?? .object(operators)
    }

    /// What stands below a name: operators, or a value to be equal to.
    private func value(_ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        guard case .object(let object) = node.value, object.members.allSatisfy({ $0.key.hasPrefix("$") }) else {
            return try equality(node, target)
        }
        var parts: [JSONValue] = []
        for (key, value) in try node.members() { parts.append(try test(key, value, target)) }
        return Self.joined(parts)
    }

    private func equality(_ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch node.value {
        case .null: return test(target, ["$exists": false])
        case .boolean, .string: return test(target, ["$eq": node.value])
        case .number:
            _ = try node.double()
            return test(target, ["$eq": node.value, "$type": "number"])
        case .array, .object:
            try checkOrder(node)
            return test(target, ["$eq": node.value])
        }
    }

    /// Throws for objects that GrowthBook finds equal in one order of their members only.
    private func checkOrder(_ node: PayloadNode) throws(ImportProblem) {
        switch node.value {
        case .array: for element in try node.elements() { try checkOrder(element) }
        case .object(let object):
            guard object.members.count < 2 else {
                throw node.problem(
                    "GrowthBook compares the text of objects, so that the order of their members matters; Allot does "
                        + "not")
            }
            for (_, member) in try node.members() { try checkOrder(member) }
        case .number: _ = try node.double()
        case .null, .boolean, .string: break
        }
    }

    // MARK: Operators

    private func test(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch name {
        case "$eq": return try strictEquality(node, target)
        case "$ne": return ConditionJSON.not(try strictEquality(node, target))
        case "$lt", "$lte", "$gt", "$gte": return try ordered(name, node, target)
        case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte": return try version(name, node, target)
        case "$in": return try listed(node, target) ?? ConditionJSON.nobody
        case "$nin": return try listed(node, target).map(ConditionJSON.not) ?? ConditionJSON.nobody
        case "$ini": return try listed(node, target, ignoringCase: true) ?? ConditionJSON.nobody
        case "$nini": return try listed(node, target, ignoringCase: true).map(ConditionJSON.not) ?? ConditionJSON.nobody
        case "$inGroup": return try inGroup(node, target)
        case "$notInGroup": return ConditionJSON.not(try inGroup(node, target))
        case "$regex", "$regexi": return try pattern(name, node, target)
        case "$notRegex": return ConditionJSON.not(try pattern("$regex", node, target))
        case "$notRegexi": return ConditionJSON.not(try pattern("$regexi", node, target))
        case "$elemMatch": return try hasElement(node, target)
        case "$size":
            let size = try value(node, nil)
            guard case .object(let operators) = size else { return size }
            return test(target, ["$size": .object(operators)])
        case "$all", "$alli": return try hasAll(node, target, ignoringCase: name == "$alli")
        case "$exists": return test(target, ["$exists": .boolean(try isTrue(node))])
        case "$type":
            let types = ["null", "boolean", "number", "string", "array", "object"].map(JSONValue.string)
            return types.contains(node.value) ? test(target, ["$type": node.value]) : ConditionJSON.nobody
        case "$not": return ConditionJSON.not(try value(node, target))
        case "$and", "$or", "$nor", "$savedGroup": return ConditionJSON.nobody
        default: throw node.problem("unknown operator \(QuotedText(name))")
        }
    }

    /// Whether JavaScript takes a value for true.
    private func isTrue(_ node: PayloadNode) throws(ImportProblem) -> Bool {
        switch node.value {
        case .boolean(let flag): return flag
        case .null: return false
        case .number(let number): return number.double != 0
        case .string(let text): return !text.isEmpty
        case .array, .object: throw node.problem("expected true or false here, not \(node.value.described)")
        }
    }

    /// Lists and objects are never equal to one another here.
    private func strictEquality(_ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch node.value {
        case .array, .object: ConditionJSON.nobody
        case .null, .boolean, .number, .string: try equality(node, target)
        }
    }

    private func ordered(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch node.value {
        case .number:
            _ = try node.double()
            return test(target, [name: node.value, "$type": "number"])
        case .string(let text):
            guard text.unicodeScalars.allSatisfy({ $0.value < 0xD800 }) else {
                throw node.problem(
                    "GrowthBook orders text by UTF-16, and Allot by UTF-8, which differs for \(QuotedText(text))")
            }
            return test(target, [name: node.value])
        case .null, .boolean, .array, .object: return ConditionJSON.nobody
        }
    }

    private func version(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch node.value {
        case .string(let text):
            guard let version = GrowthBookVersion(text) else {
                throw node.problem("the version \(QuotedText(text)) has characters beyond ASCII")
            }
            let test: (JSONObject) -> JSONValue = { self.test(target, $0) }
            let isText = test(["$type": "string"])
            let (after, same) = (version.isAfter(test), version.isSame(test))
            return switch name {
            case "$veq": same
            case "$vne": ConditionJSON.not(same)
            case "$vgt": after
            case "$vgte": ConditionJSON.any([after, same])
            case "$vlt": ConditionJSON.all([isText, ConditionJSON.not(ConditionJSON.any([after, same]))])
            default: ConditionJSON.all([isText, ConditionJSON.not(after)])
            }
        case .number:
            throw node.problem("versions that are numbers, such as \(node.value.canonicalText), are not moved")
        case .null, .boolean, .array, .object:
            return name == "$vne" ? ConditionJSON.everyone : ConditionJSON.nobody
        }
    }

    private func pattern(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        guard case .string(let text) = node.value else { return ConditionJSON.nobody }
        let condition = JSONValue.test("a", [name: node.value])
        guard ConditionParser.parse(condition, segments: SegmentTable()).condition != nil else {
            throw node.problem(
                "the pattern \(QuotedText(text)) is not one of RE2, which Allot uses: lookahead and back-references "
                    + "cannot be moved")
        }
        return test(target, [name: node.value])
    }

    // MARK: Lists

    /// Membership in a list. Returns `nil` if it is not a list, which never holds.
    private func listed(
        _ node: PayloadNode, _ target: Target, ignoringCase: Bool = false
    ) throws(ImportProblem) -> JSONValue? {
        guard case .array = node.value else { return nil }
        return try isIn(node, target, ignoringCase: ignoringCase)
    }

    private func inGroup(_ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        guard case .string = node.value else {
            throw node.problem("expected the ID of a saved group here, not \(node.value.described)")
        }
        switch try groups.group(node) {
        case .list(let list, _): return try isIn(list, target, segment: try groups.segment(node))
        case .condition:
            throw node.problem("the saved group is a condition, not a list, so GrowthBook's answer is always false")
        case nil: return ConditionJSON.nobody
        }
    }

    /// Whether a value, or an element of it, is one of a list.
    private func isIn(
        _ list: PayloadNode, _ target: Target, ignoringCase: Bool = false, segment: String? = nil
    ) throws(ImportProblem) -> JSONValue {
        if let segment { return test(target, ["$inGroup": .string(segment)]) }
        var (others, numbers) = ([JSONValue](), [JSONValue]())
        var hasNull = false
        for element in try list.elements() {
            switch element.value {
            case .string(let text):
                if ignoringCase { try checkCase(text, element) }
                others.append(element.value)
            case .boolean: others.append(element.value)
            case .number:
                _ = try element.double()
                numbers.append(element.value)
            case .null: hasNull = true
            case .array, .object: break
            }
        }
        var parts: [JSONValue] = []
        let name = ignoringCase ? "$ini" : "$in"
        if !others.isEmpty { parts.append(test(target, [name: .array(others)])) }
        if !numbers.isEmpty {
            let isNumber: JSONObject = ["$in": .array(numbers), "$type": "number"]
            parts += [test(target, isNumber), test(target, ["$elemMatch": .object(isNumber)])]
        }
        if hasNull {
            parts += [test(target, ["$exists": false]), test(target, ["$elemMatch": ["$exists": false]])]
        }
        return ConditionJSON.any(parts)
    }

    private func checkCase(_ text: String, _ node: PayloadNode) throws(ImportProblem) {
        guard text.unicodeScalars.allSatisfy({ ![0x3A3, 0x3C2, 0x3C3].contains($0.value) }) else {
            throw node.problem("the lower case of a sigma depends on its place in a word, which Allot ignores")
        }
    }

    private func hasElement(_ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        let members = try node.members()
        let isOnValue = members.allSatisfy { key, _ in
            key.hasPrefix("$") && !["$or", "$nor", "$and", "$savedGroup"].contains(key)
        }
        let inner = isOnValue ? try value(node, nil) : try condition(node, in: .element)
        if inner == ConditionJSON.nobody { return inner }
        let element = Self.joined([["$exists": true], inner])
        return test(target, ["$elemMatch": element])
    }

    private func hasAll(
        _ node: PayloadNode, _ target: Target, ignoringCase: Bool
    ) throws(ImportProblem) -> JSONValue {
        guard case .array = node.value else { return ConditionJSON.nobody }
        var parts: [JSONValue] = []
        for element in try node.elements() {
            var inner = try value(element, nil)
            if ignoringCase, case .string(let text) = element.value {
                try checkCase(text, element)
                inner = ["$ini": [element.value]]
            }
            if inner == ConditionJSON.nobody { return inner }
            parts.append(test(target, ["$elemMatch": inner]))
        }
        return parts.isEmpty ? test(target, ["$type": "array"]) : parts.count == 1 ? parts[0] : ["$and": .array(parts)]
    }
}

extension JSONValue {
    /// Whether the condition has operators that test an element itself.
    fileprivate var testsElement: Bool {
        guard case .object(let object) = self else { return false }
        return object.members.contains { $0.key.hasPrefix("$") && !["$and", "$or", "$nor", "$not"].contains($0.key) }
    }
}
