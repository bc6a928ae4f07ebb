import AllotConfiguration

/// Conditions that could be read and can never do what their author plainly meant: an error where no other reading
/// exists, else a warning with the fix.
extension ConditionReading {
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
        switch Connective(rawValue: operatorName) {
        case .segment:
            guard case .string(let segment) = node.json, segments.conditions[UTF8Key(segment)] != nil else {
                return false
            }
            isOperand = false
        case .not: isOperand = node.members?.isEmpty == false
        case .and, .or, .nor: isOperand = node.elements?.contains { $0.members != nil } ?? false
        // Attributes have these names.
        case nil where [ListOperator.size.rawValue, TypeOperator.type.rawValue].contains(operatorName): return false
        case nil: isOperand = self.isOperand(node, of: operatorName)
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

    func isOperand(_ node: Node, of name: String) -> Bool {
        var trial = ConditionReading(segments: segments)
        _ = trial.test(of: nil, name, node)
        return !trial.hasErrors
    }

    // MARK: Scalars

    mutating func doubtScalar(_ node: Node, of attribute: String?) {
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
    mutating func doubtGroup(_ node: Node, of attribute: String?) {
        guard let attribute, case .string(let name) = node.json else { return }
        if attribute == Subject.defaultUnit, segments.groups[UTF8Key(name)] != nil {
            warn(node, "\(name) is compared with unit IDs here, and is the name of a list; write $inGroup: \(name)")
        } else if let tests = segments.conditions[UTF8Key(name)]?.tests.filter({ $0.attribute == attribute }),
            !tests.isEmpty, !tests.contains(where: { $0.names(name) })
        {
            warn(
                node,
                "\(name) is compared with \(attribute) here, and is the name of a segment; write $segment: \(name) in "
                    + "place of \(attribute)")
        }
    }

    mutating func doubtNumber(_ node: Node, of attribute: String?, fix: String) {
        guard let attribute, case .number(let number) = node.json,
            DoubtfulText.namesVersion(attribute, isWhole: number.isWrittenAsInteger)
        else { return }
        warn(node, "\(number.text) is a number here, and 4.10 is below 4.9 as a number; write \(fix)")
    }
}

extension Condition.Test {
    fileprivate func names(_ text: String) -> Bool {
        switch predicate {
        case .equals(let literal): literal == .string(text)
        case .isIn(let list, _): list.literals.contains(.string(text))
        default: false
        }
    }
}
