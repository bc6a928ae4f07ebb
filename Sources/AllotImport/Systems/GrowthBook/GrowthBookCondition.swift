import AllotConfiguration
import AllotCore

/// Translates conditions of GrowthBook, which never reads text as a number and skips elements that are null.
struct GrowthBookCondition {
    let groups: GrowthBookGroups

    private indirect enum Target {
        case attribute(String)
        case element
        case size(of: Target)

        func test(_ operators: JSONObject) -> JSONValue {
            switch self {
            case .attribute(let name): .test(name, operators)
            case .element: .object(operators)
            case .size(let list): list.test(["$size": .object(operators)])
            }
        }
    }

    enum Place {
        case user
        /// Within `$elemMatch`, where names are those of the element's members.
        case element
    }

    func condition(_ node: PayloadNode, in place: Place = .user) throws(ImportProblem) -> JSONValue {
        var parts: [JSONValue] = []
        for (key, value) in try node.members() {
            switch key {
            case "$or": parts.append(try anyOf(value, place))
            case "$nor": parts.append(.not(try anyOf(value, place)))
            case "$and": for part in try value.elements() { parts.append(try condition(part, in: place)) }
            case "$not": parts.append(.not(try condition(value, in: place)))
            case "$savedGroup": parts.append(try savedGroup(value, place))
            case _ where key.hasPrefix("$"): throw value.problem("unknown operator \(QuotedText(key))")
            default: parts.append(try self.value(value, .attribute(try name(key, value))))
            }
        }
        return Self.joined(parts)
    }

    private func anyOf(_ node: PayloadNode, _ place: Place) throws(ImportProblem) -> JSONValue {
        let parts = try node.elements().map { part throws(ImportProblem) in try condition(part, in: place) }
        return parts.isEmpty ? .always : .any(parts)
    }

    private func savedGroup(_ node: PayloadNode, _ place: Place) throws(ImportProblem) -> JSONValue {
        try node.checkMembers(known: ["id", "attributeKey"])
        let id = try node.required("id")
        switch try groups.group(id) {
        case .list(let list, let attribute):
            guard let key = try node["attributeKey"]?.text() ?? attribute else { return .never }
            return try isIn(list, .attribute(try name(key, node)), segment: try groups.segment(id))
        // Only typed groups can be referred to so.
        case .bareList: return .never
        case .condition(let condition):
            if case .user = place, let segment = try groups.segment(id) { return ["$segment": .string(segment)] }
            return try GrowthBookCondition(groups: groups.entering(id)).condition(condition, in: place)
        case nil: return .never
        }
    }

    private func name(_ key: String, _ node: PayloadNode) throws(ImportProblem) -> String {
        if AttributePath.parts(of: key).dropFirst().contains(where: \.asksList) {
            throw node.problem(
                "\(QuotedText(key)) asks for the length of a list, or for one of its elements, which Allot's "
                    + "conditions do not do")
        }
        return try node.attributeName(key)
    }

    /// Joins conditions without mixing tests of an element with those of its members.
    private static func joined(_ parts: [JSONValue]) -> JSONValue {
        let parts = parts.filter { $0 != .always }
        let isMixed = parts.contains { $0.testsElement } && parts.contains { !$0.testsElement }
        return isMixed && !parts.contains(.never) ? ["$and": .array(parts)] : .all(parts)
    }

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
        case .null: return target.test(["$exists": false])
        case .boolean, .string: return target.test(["$eq": node.value])
        case .number:
            _ = try node.double()
            return target.test(["$eq": node.value, "$type": "number"])
        case .array, .object:
            try checkOrder(node)
            return target.test(["$eq": node.value])
        }
    }

    /// Throws for objects that GrowthBook finds equal in one order of their members only.
    private func checkOrder(_ node: PayloadNode) throws(ImportProblem) {
        switch node.value {
        case .array: for element in try node.elements() { try checkOrder(element) }
        case .object(let object):
            guard object.members.count < 2 else {
                throw node.problem("GrowthBook compares the text of objects, in which the order of members matters")
            }
            for (_, member) in try node.members() { try checkOrder(member) }
        case .number: _ = try node.double()
        case .null, .boolean, .string: break
        }
    }

    private func test(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch name {
        case "$eq": return try strictEquality(node, target)
        case "$ne": return .not(try strictEquality(node, target))
        case "$lt", "$lte", "$gt", "$gte": return try ordered(name, node, target)
        case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte": return try version(name, node, target)
        case "$in", "$ini": return try listed(name, node, target) ?? .never
        case "$nin", "$nini": return try listed(name, node, target).map(JSONValue.not) ?? .never
        case "$inGroup": return try inGroup(node, target) ?? .never
        case "$notInGroup": return try inGroup(node, target).map(JSONValue.not) ?? .never
        case "$regex", "$regexi": return try pattern(name, node, target)
        case "$notRegex", "$notRegexi":
            return .not(try pattern(name == "$notRegex" ? "$regex" : "$regexi", node, target))
        case "$elemMatch": return try hasElement(node, target)
        case "$size":
            if Self.isPlainSize(node.value) { return target.test(["$size": node.value]) }
            return .all([target.test(["$type": "array"]), try value(node, .size(of: target))])
        case "$all", "$alli": return try hasAll(node, target, ignoringCase: name == "$alli")
        case "$exists":
            if node.value.asArray != nil || node.value.asObject != nil { _ = try node.boolean() }
            return target.test(["$exists": .boolean(node.value.isTruthy)])
        case "$type":
            let types = ["null", "boolean", "number", "string", "array", "object"].map(JSONValue.string)
            return types.contains(node.value) ? target.test(["$type": node.value]) : .never
        case "$not": return .not(try value(node, target))
        case "$and", "$or", "$nor", "$savedGroup": return .never
        default: throw node.problem("unknown operator \(QuotedText(name))")
        }
    }

    /// Whether Allot's `$size` says the same of a size.
    private static func isPlainSize(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let number): number.decimal.isWhole && number.double >= 0
        case .object(let object):
            !object.isEmpty
                && object.members.allSatisfy {
                    ["$gt", "$gte", "$lt", "$lte"].contains($0.key) && $0.value.asNumber != nil
                }
        case .null, .boolean, .string, .array: false
        }
    }

    /// Lists and objects are never equal to one another here.
    private func strictEquality(_ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch node.value {
        case .array, .object: .never
        case .null, .boolean, .number, .string: try equality(node, target)
        }
    }

    private func ordered(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch node.value {
        case .number:
            _ = try node.double()
            return target.test([name: node.value, "$type": "number"])
        case .string(let text):
            guard text.unicodeScalars.allSatisfy({ $0.value < 0xD800 }) else {
                throw node.problem("GrowthBook orders text by UTF-16, Allot by UTF-8, unlike for \(QuotedText(text))")
            }
            return target.test([name: node.value])
        case .null, .boolean, .array, .object: return .never
        }
    }

    private func version(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        switch node.value {
        case .string(let text):
            try node.checkLength(ofVersion: text)
            if name == "$vne" { return .not(try version("$veq", node, target)) }
            if let short = GrowthBookVersion.short(name, text) {
                return target.test([short.name: .string(short.version)])
            }
            guard text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\n") }) else {
                throw node.problem("the version \(QuotedText(text)) has a line feed or characters beyond ASCII")
            }
            guard name == "$veq" else {
                throw node.problem(
                    "GrowthBook orders \(QuotedText(text)) as text, and not as a version; write a version of up to "
                        + "three numbers of at most five digits")
            }
            return GrowthBookVersion(text).isSame(target.test)
        case .number:
            throw node.problem("versions that are numbers, such as \(node.value.canonicalText), are not moved")
        case .null, .boolean, .array, .object: return name == "$vne" ? .always : .never
        }
    }

    private func pattern(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        guard let text = node.value.text else { return .never }
        let condition = JSONValue.test("a", [name: node.value])
        guard ConditionParser.parse(condition, segments: SegmentTable()).condition != nil else {
            throw node.problem(
                "the pattern \(QuotedText(text)) is not one of RE2, which Allot uses: lookahead and back-references "
                    + "cannot be moved")
        }
        return target.test([name: node.value])
    }

    /// Membership in a list. Returns `nil` if it is not a list, which never holds.
    private func listed(_ name: String, _ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue? {
        node.value.asArray == nil ? nil : try isIn(node, target, ignoringCase: name == "$ini" || name == "$nini")
    }

    /// Membership in a saved group. Returns `nil` if it is not a list, which never holds.
    private func inGroup(_ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue? {
        guard case .string = node.value else { return nil }
        return switch try groups.group(node) {
        case .list(let list, _), .bareList(let list): try isIn(list, target, segment: try groups.segment(node))
        case .condition: nil
        case .none: .never
        }
    }

    /// Whether a value, or an element of it, is one of a list.
    private func isIn(
        _ list: PayloadNode, _ target: Target, ignoringCase: Bool = false, segment: String? = nil
    ) throws(ImportProblem) -> JSONValue {
        if let segment { return target.test(["$inGroup": .string(segment)]) }
        var (others, numbers) = ([JSONValue](), [JSONValue]())
        var hasNull = false
        for element in try list.elements() {
            switch element.value {
            case .string(let text):
                if ignoringCase { try element.checkCase(of: [text]) }
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
        if !others.isEmpty { parts.append(target.test([name: .array(others)])) }
        if !numbers.isEmpty {
            let isNumber: JSONObject = ["$in": .array(numbers), "$type": "number"]
            parts += [target.test(isNumber), target.test(["$elemMatch": .object(isNumber)])]
        }
        if hasNull { parts += [target.test(["$exists": false]), target.test(["$elemMatch": ["$exists": false]])] }
        return .any(parts)
    }

    private func hasElement(_ node: PayloadNode, _ target: Target) throws(ImportProblem) -> JSONValue {
        let members = try node.members()
        let isOnValue = members.allSatisfy { key, _ in
            key.hasPrefix("$") && !["$or", "$nor", "$and", "$savedGroup"].contains(key)
        }
        let inner = isOnValue ? try value(node, .element) : try condition(node, in: .element)
        if inner == .never { return inner }
        return target.test(["$elemMatch": Self.joined([["$exists": true], inner])])
    }

    private func hasAll(_ node: PayloadNode, _ target: Target, ignoringCase: Bool) throws(ImportProblem) -> JSONValue {
        guard case .array = node.value else { return .never }
        var parts: [JSONValue] = []
        for element in try node.elements() {
            var inner = try value(element, .element)
            if ignoringCase, case .string(let text) = element.value {
                try element.checkCase(of: [text])
                inner = ["$ini": [element.value]]
            }
            if inner == .never { return inner }
            parts.append(target.test(["$elemMatch": inner]))
        }
        return parts.isEmpty ? target.test(["$type": "array"]) : parts.count == 1 ? parts[0] : ["$and": .array(parts)]
    }
}

extension JSONValue {
    fileprivate var testsElement: Bool {
        guard case .object(let object) = self else { return false }
        return object.members.contains {
            $0.key.hasPrefix("$") && !["$and", "$or", "$nor", "$not", "$segment"].contains($0.key)
        }
    }
}
