import AllotConfiguration

/// Conditions that could be read and can never do what their author plainly meant: an error where no other reading
/// exists, else a warning with the fix.
extension ConditionReading {
    /// Names what is doubtful about the operand of a test.
    ///
    /// - Parameter isBare: Whether the operand is written without an operator.
    mutating func doubt(_ test: Operator, _ node: Node, of attribute: String?, isBare: Bool = false) {
        switch test {
        case .equal, .notEqual:
            if let members = node.members {
                doubtObject(node, members, of: attribute, isBare: isBare)
            } else if let elements = node.elements {
                doubtList(node, elements, of: attribute)
            } else {
                doubtScalar(node, of: attribute)
                doubtGroup(node, of: attribute)
                doubtNumber(node, of: attribute, fix: "$v\(test.rawValue.dropFirst()): \(node.json.canonicalText)")
            }
        case .in, .notIn, .inIgnoringCase, .notInIgnoringCase, .allIgnoringCase, .all:
            guard let elements = node.elements else { return }
            if elements.isEmpty { warn(node, "\(test.rawValue) of nothing \(test.meaningOfNothing); list values") }
            if test == .all { return }
            for doubt in DoubtfulText.doubts(among: elements, of: attribute) {
                warn(elements[doubt.index], doubt.message)
            }
            if elements.count == 1 { doubtGroup(elements[0], of: attribute) }
            for element in elements { doubtNumber(element, of: attribute, fix: "the versions in quotes") }
        case .greater, .greaterOrEqual, .less, .lessOrEqual:
            doubtOrder(test, node)
            doubtNumber(node, of: attribute, fix: "$v\(test.rawValue.dropFirst()): \(node.json.canonicalText)")
        case .startsWith, .startsWithIgnoringCase, .endsWith, .endsWithIgnoringCase, .contains, .containsIgnoringCase,
            .regex, .regexIgnoringCase:
            let isPattern = test == .regex || test == .regexIgnoringCase
            for node in node.elements ?? [node] {
                guard case .string(let text) = node.json else { continue }
                if text.isEmpty {
                    warn(node, "\(test.rawValue) of nothing holds for every text; write the text, or use $exists")
                } else if let doubt = isPattern
                    ? DoubtfulText.expressionDoubt(text)
                    : DoubtfulText.partDoubt(.init(text: text, style: node.style, attribute: nil))
                {
                    warn(node, doubt)
                }
            }
        case .exists, .type, .size, .elementMatch, .versionEqual, .versionNotEqual, .versionGreater,
            .versionGreaterOrEqual, .versionLess, .versionLessOrEqual, .inGroup, .notInGroup, .before, .onOrBefore,
            .after, .onOrAfter, .inNetwork, .notInNetwork, .not:
            break
        }
    }

    // MARK: Names

    /// Names what is doubtful about an attribute's name. Returns whether that is an error.
    mutating func doubtName(_ name: String, _ node: Node) -> Bool {
        if let doubt = DoubtfulText.edgeDoubt(name) { warn(node, atKey: true, doubt) }
        guard let operatorName = DoubtfulText.operatorName(name) else {
            if name.lowercased().filter({ $0 != "_" && $0 != "-" }) == "targetingkey" {
                warn(
                    node, atKey: true,
                    "the targeting key of OpenFeature is the attribute user_id here, and not \(name); write user_id")
            }
            if isKeyOfExperiment(name, node) {
                warn(
                    node, atKey: true,
                    "\(name) is read as the name of an attribute here, and is a key of experiments; move it out of the "
                        + "condition")
            }
            return false
        }
        // A map of operators shows that an attribute has this name.
        let isTested = node.members.map { !$0.isEmpty && $0.allSatisfy { $0.key.hasPrefix("$") } } ?? false
        if name.hasPrefix("$") || isTested { return false }
        let isOperand: Bool
        switch (Connective(rawValue: operatorName), Operator(rawValue: operatorName)) {
        case (.segment, _):
            guard case .string(let segment) = node.json, segments.conditions[UTF8Key(segment)] != nil else {
                return false
            }
            isOperand = false
        case (.not, _): isOperand = node.members?.isEmpty == false
        case (.and, _), (.or, _), (.nor, _): isOperand = node.elements?.contains { $0.members != nil } ?? false
        // Attributes have these names.
        case (nil, .size), (nil, .type): return false
        case (nil, let test): isOperand = test.map { self.isOperand(node, of: $0) } ?? false
        }
        let message = "\(name) is read as the name of an attribute; write \(operatorName) if the operator is meant"
        if isOperand { report(node, atKey: true, message) } else { warn(node, atKey: true, message) }
        return isOperand
    }

    /// Whether a name is a key of experiments, with a value that it has there: wrong indentation, for example.
    private func isKeyOfExperiment(_ name: String, _ node: Node) -> Bool {
        switch (name, node.json) {
        case ("traffic", .string(let text)): text.hasSuffix("%")
        case ("traffic", .number), ("variants", .array): true
        case ("slots", .array), ("slots", .string): node.json.canonicalText.contains("..<")
        case ("starts", .string(let text)), ("ends", .string(let text)): Instant(text) != nil
        case ("forced", .object(let object)), ("requires", .object(let object)):
            !object.members.contains { $0.key.hasPrefix("$") }
        case ("description", .string(let text)): text.contains(" ")
        default: false
        }
    }

    private func isOperand(_ node: Node, of test: Operator) -> Bool {
        var trial = ConditionReading(segments: segments)
        _ = trial.test(of: nil, test.rawValue, node)
        return !trial.hasErrors
    }

    // MARK: Whole values

    private mutating func doubtObject(
        _ node: Node, _ members: [(key: String, value: Node)], of attribute: String?, isBare: Bool
    ) {
        if doubtDepth(node, path: attribute.map { [$0] } ?? []) { return }
        let named = members.map { (member: $0, test: DoubtfulText.operatorName($0.key).flatMap(Operator.init)) }
        if isBare, let first = named.first,
            named.allSatisfy({ entry in entry.test.map { isOperand(entry.member.value, of: $0) } ?? false })
        {
            report(
                first.member.value, atKey: true,
                "\(first.member.key) is read as a member of an object; write \(first.test?.rawValue ?? "") for the "
                    + "operator")
            return
        }
        guard let attribute else { return }
        guard let first = members.first else {
            warn(node, "\(attribute) is compared with an object without members; write a test, such as $exists: true")
            return
        }
        let names = "test members by name, as in \(attribute).\(first.key): …"
        let fix = named.first?.test.map { ", or write \($0.rawValue) for the operator" } ?? ""
        warn(node, "\(attribute) is compared with this whole object, every member included; \(names)\(fix)")
    }

    private mutating func doubtList(_ node: Node, _ elements: [Node], of attribute: String?) {
        if doubtDepth(node, path: attribute.map { [$0] } ?? []) { return }
        guard let attribute else { return }
        warn(
            node,
            elements.isEmpty
                ? "\(attribute) is compared with an empty list; write $size: 0 for a list, or list values below $in"
                : "\(attribute) is compared with this whole list, in this order; write $in for any of the values, or "
                    + "$all for each of them")
    }

    /// Reports operators inside of a literal. Returns whether there are any.
    private mutating func doubtDepth(_ node: Node, path: [String]) -> Bool {
        var found = false
        for element in node.elements ?? [] where doubtDepth(element, path: []) { found = true }
        for (key, value) in node.members ?? [] {
            if key.hasPrefix("$") {
                found = true
                let place = path.joined(separator: ".")
                report(
                    value, atKey: true,
                    "\(key) is inside of a value that is compared as a whole, where it is not an operator; write "
                        + (path.isEmpty ? "$elemMatch for the elements of a list" : "\(place): { \(key): … }"))
            } else if doubtDepth(value, path: path.isEmpty ? [] : path + [key]) {
                found = true
            }
        }
        return found
    }

    // MARK: Scalars

    private mutating func doubtScalar(_ node: Node, of attribute: String?) {
        if node.style == .leftOut {
            warn(node, DoubtfulText.leftOutDoubt)
        } else if case .string(let text) = node.json,
            let doubt = DoubtfulText.doubt(.init(text: text, style: node.style, attribute: attribute))
        {
            warn(node, doubt)
        }
    }

    /// Warns of a unit ID that is the name of a list of unit IDs, and of a value that is the name of a segment on its
    /// attribute.
    private mutating func doubtGroup(_ node: Node, of attribute: String?) {
        guard let attribute, case .string(let name) = node.json else { return }
        if attribute == Subject.defaultUnit, segments.groups[UTF8Key(name)] != nil {
            warn(node, "\(name) is compared with unit IDs here, and is the name of a list; write $inGroup: \(name)")
        } else if let tests = segments.conditions[UTF8Key(name)]?.tests(of: attribute), !tests.isEmpty,
            !tests.contains(where: { $0.names(name) })
        {
            warn(
                node,
                "\(name) is compared with \(attribute) here, and is the name of a segment; write $segment: \(name) in "
                    + "place of \(attribute)")
        }
    }

    /// Warns of order by characters where another order was meant.
    private mutating func doubtOrder(_ test: Operator, _ node: Node) {
        guard case .string(let text) = node.json else { return }
        let name = test.rawValue
        var fixes: [String] = []
        if let number = DoubtfulText.number(text) { fixes.append("\(number) without quotes for numbers") }
        if DoubtfulText.isVersion(text) || (!fixes.isEmpty && text.contains(".")) {
            fixes.append("$v\(name.dropFirst()) for versions")
        }
        let isInstant = Self.isInstant(text)
        if isInstant || Self.isDate(text) { fixes.append("\(test.ordering.nameForInstants) for instants") }
        let effect = isInstant ? "whatever the offset" : "so that \"10\" is below \"9\""
        if fixes.isEmpty {
            doubtScalar(node, of: nil)
        } else {
            warn(node, "\(name) orders text by its characters, \(effect); write \(fixes.joined(separator: ", or "))")
        }
    }

    /// Whether a text is an instant, or a date and a time without an offset.
    private static func isInstant(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(14))
        return Instant(text) != nil
            || (bytes.count == 14
                && zip(bytes, "0000-00-00T00:".utf8).allSatisfy { byte, form in
                    form == UInt8(ascii: "0")
                        ? byte.isDigit : byte == form || (form == UInt8(ascii: "T") && byte == 0x20)
                })
    }

    /// Whether a text is a date such as 01/02/2026.
    private static func isDate(_ text: String) -> Bool {
        text.utf8.count == 10
            && zip(text.utf8, "00/00/0000".utf8).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
    }

    /// Warns of a number where the attribute's name says that it is a version.
    private mutating func doubtNumber(_ node: Node, of attribute: String?, fix: String) {
        guard let attribute, case .number(let number) = node.json,
            DoubtfulText.namesVersion(attribute, isWhole: number.isWrittenAsInteger)
        else { return }
        warn(node, "\(number.text) is a number here, and 4.10 is below 4.9 as a number; write \(fix)")
    }
}

extension Operator {
    /// The result of a test that has an empty list.
    fileprivate var meaningOfNothing: String {
        switch self {
        case .all, .allIgnoringCase: "holds for every list"
        default: isNegation ? "holds for everyone" : "holds for no unit"
        }
    }
}

extension Condition {
    fileprivate func tests(of attribute: String) -> [Test] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap { $0.tests(of: attribute) }
        case .not(let part), .segment(_, let part): part.tests(of: attribute)
        case .test(let test): test.attribute == attribute ? [test] : []
        }
    }
}

extension Condition.Test {
    /// Whether a text is among the literals of the test.
    fileprivate func names(_ text: String) -> Bool {
        switch predicate {
        case .equals(let literal): literal == .string(text)
        case .isIn(let list, _): list.literals.contains(.string(text))
        default: false
        }
    }
}

extension Condition.Ordering {
    fileprivate var nameForInstants: String {
        switch self {
        case .greater: "$after"
        case .greaterOrEqual: "$onOrAfter"
        case .less: "$before"
        case .lessOrEqual: "$onOrBefore"
        case .equal: "$eq"
        }
    }
}
