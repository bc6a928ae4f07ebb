import AllotConfiguration

/// Listens to the tests of a condition; evaluation is the same with any listener.
protocol ConditionListener {
    /// Whether tests that cannot change the answer any more are made all the same, to be heard of.
    static var hearsEverything: Bool { get }
    /// A connective begins; what follows one level deeper is its operand.
    mutating func entered(node: Int, depth: Int)
    /// A test was made of a value.
    mutating func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int)
    /// A pattern was not searched for because the text is beyond the bound.
    mutating func reachedBound()
    /// The answer of a test for a text, if it is remembered.
    mutating func recall(node: Int, _ text: ShortText) -> Bool?
    mutating func remember(node: Int, _ text: ShortText, holds: Bool)
}

extension ConditionListener {
    func recall(node: Int, _ text: ShortText) -> Bool? { nil }
    func remember(node: Int, _ text: ShortText, holds: Bool) {}
}

extension ConditionProgram {
    /// Whether the condition with its root at `node` holds.
    ///
    /// - Parameters:
    ///   - values: the subject's values, attributes first.
    ///   - bytes: what the values point into.
    ///   - element: the value at hand inside `$elemMatch`, `$all` and `$size`.
    func holds<Listener: ConditionListener>(
        _ index: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, element: AttributeValue, depth: Int,
        _ listener: inout Listener
    ) -> Bool {
        let node = nodes[index]
        switch node.kind {
        case .all, .segment:
            if Listener.hearsEverything, node.kind == .segment || depth > 0 {
                listener.entered(node: index, depth: depth)
            }
            var result = true
            var child = index + 1
            while child < Int(node.end) {
                let part = nodes[child]
                if !holds(child, part, values, bytes, element, depth + 1, &listener) {
                    if !Listener.hearsEverything { return false }
                    result = false
                }
                child = Int(part.end)
            }
            return result
        case .any:
            if Listener.hearsEverything { listener.entered(node: index, depth: depth) }
            var child = index + 1
            var result = child == Int(node.end)
            while child < Int(node.end) {
                let part = nodes[child]
                if holds(child, part, values, bytes, element, depth + 1, &listener) {
                    if !Listener.hearsEverything { return true }
                    result = true
                }
                child = Int(part.end)
            }
            return result
        case .not:
            if Listener.hearsEverything { listener.entered(node: index, depth: depth) }
            return !holds(index + 1, nodes[index + 1], values, bytes, element, depth + 1, &listener)
        default:
            return test(index, node, values, bytes, element, depth, &listener)
        }
    }

    /// Keeps those of many subjects, for listeners that do not hear everything, for which the condition with its root at `node` holds: one part of it after another,
    /// for all that are left.
    ///
    /// - Parameters:
    ///   - rows: the subjects' rows; those that are kept move to the front.
    ///   - count: the number of rows.
    ///   - values: row after row `stride` scalars.
    /// - Returns: how many are kept.
    func filter<Listener: ConditionListener>(
        _ index: Int, _ rows: inout MutableSpan<Int32>, _ count: Int, _ values: Span<AttributeValue>, stride: Int,
        _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Int {
        precondition(!Listener.hearsEverything, "who hears everything is told of one subject at a time")
        let root = nodes[index]
        guard root.kind == .all || root.kind == .segment else {
            return filter(index, root, &rows, count, values, stride, bytes, &listener)
        }
        var left = count
        var child = index + 1
        while child < Int(root.end), left > 0 {
            let part = nodes[child]
            left = filter(child, part, &rows, left, values, stride, bytes, &listener)
            child = Int(part.end)
        }
        return left
    }

    @inline(__always)
    private func filter<Listener: ConditionListener>(
        _ index: Int, _ node: Node, _ rows: inout MutableSpan<Int32>, _ count: Int, _ values: Span<AttributeValue>,
        _ stride: Int, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Int {
        var kept = 0
        let attribute = Int(node.attribute)
        let isTest = node.kind.isTest && attribute >= 0
        for position in 0..<count {
            let row = rows[position]
            let start = Int(row) &* stride
            let isKept: Bool
            if isTest, let text = ShortText(values[start &+ attribute], bytes),
                let known = listener.recall(node: index, text)
            {
                isKept = known
            } else {
                isKept = holdsUnremembered(index, node, values.extracting(start..<start &+ stride), bytes, &listener)
            }
            // Without a branch, which would be mispredicted often: who is in an audience follows no pattern.
            rows[kept] = row
            kept &+= isKept ? 1 : 0
        }
        return kept
    }

    /// Whether a part holds, where the answer is not remembered. Not inlined: it would take registers from the loop.
    @inline(never)
    private func holdsUnremembered<Listener: ConditionListener>(
        _ index: Int, _ node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
        holds(index, node, values, bytes, .missing, 0, &listener)
    }

    /// Whether a part holds: tests are made at once, connectives looked into.
    @inline(__always)
    private func holds<Listener: ConditionListener>(
        _ index: Int, _ node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ element: AttributeValue,
        _ depth: Int, _ listener: inout Listener
    ) -> Bool {
        node.kind.isTest
            ? test(index, node, values, bytes, element, depth, &listener)
            : holds(index, values, bytes, element: element, depth: depth, &listener)
    }

    /// Makes a test.
    @inline(__always)
    private func test<Listener: ConditionListener>(
        _ index: Int, _ node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ element: AttributeValue,
        _ depth: Int, _ listener: inout Listener
    ) -> Bool {
        let value = value(of: node, values, bytes, element)
        let result: Bool
        if let text = ShortText(value, bytes) {
            if let known = listener.recall(node: index, text) {
                result = known
            } else {
                result = passes(node, index, value, values, bytes, &listener) != node.isNegated
                listener.remember(node: index, text, holds: result)
            }
        } else {
            result = passes(node, index, value, values, bytes, &listener) != node.isNegated
        }
        if Listener.hearsEverything { listener.tested(node: index, value, holds: result, depth: depth) }
        return result
    }

    /// The value that a test looks at.
    @inline(__always)
    private func value(
        of node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ element: AttributeValue
    ) -> AttributeValue {
        if node.attribute >= 0 { return values[Int(node.attribute)] }
        return node.attribute == -1 ? element : member(Int(-2 - node.attribute), of: element, values, bytes)
    }

    private func member(
        _ path: Int, of element: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>
    ) -> AttributeValue {
        var value = element
        for name in relativePaths[path] {
            guard value.kind == .object else { return .missing }
            var found = AttributeValue.missing
            for index in 0..<value.length where Self.isText(values[value.start + index * 2], equalTo: name.span, bytes)
            {
                found = values[value.start + index * 2 + 1]
            }
            value = found
        }
        return value
    }

    /// Whether a test holds before it is turned round.
    private func passes<Listener: ConditionListener>(
        _ node: Node, _ index: Int, _ value: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ listener: inout Listener
    ) -> Bool {
        let literalBytes = self.bytes
        switch node.kind {
        case .isInSet, .isInFoldedSet:
            return isMember(value, of: Int(node.operand), folded: node.kind == .isInFoldedSet, values, bytes)
        case .equalsText:
            let literal = texts[Int(node.operand)]
            return Self.isText(value, equalTo: literalBytes.span.extracting(literal.start..<literal.end), bytes)
        case .equalsNumber: return number(value, bytes) == node.number
        case .equalsBoolean: return boolean(value, bytes) == (node.operand == 1)
        case .equalsNull: return value.isAbsent
        case .equalsValue: return Self.isEqual(value, self.values[Int(node.operand)], values, bytes)
        case .exists: return !value.isAbsent
        case .isType: return isType(value, types[Int(node.operand)])
        case .number:
            guard let number = number(value, bytes) else { return false }
            return node.ordering.accepts(number < node.number ? -1 : number > node.number ? 1 : 0)
        case .instant:
            guard value.isText, let instant = Instant(utf8: bytes.extracting(value.range)) else { return false }
            let literal = instants[Int(node.operand)]
            return node.ordering.accepts(instant < literal ? -1 : instant > literal ? 1 : 0)
        case .version:
            guard value.isText, let version = Version(bytes.extracting(value.range)) else { return false }
            let literal = texts[Int(node.operand)]
            return node.ordering.accepts(
                Version.compare(
                    version, in: bytes.extracting(value.range), versions[Int(node.operand)],
                    in: literalBytes.span.extracting(literal.start..<literal.end)))
        case .text, .hasPrefix, .hasSuffix, .contains:
            let literal = texts[Int(node.operand)]
            return value.isText
                && TextTest.passes(
                    node, bytes.extracting(value.range), literalBytes.span.extracting(literal.start..<literal.end))
        case .matches:
            guard value.isText else { return false }
            guard let matches = expressions[Int(node.operand)].matches(bytes.extracting(value.range)) else {
                listener.reachedBound()
                return false
            }
            return matches
        case .hasElement:
            guard value.kind == .array else { return false }
            for element in value.start..<value.start + value.length
            where operandHolds(index + 1, values[element], values, bytes, &listener) { return true }
            return false
        case .hasAll:
            guard value.kind == .array else { return false }
            var child = index + 1
            while child < Int(node.end) {
                var isHeld = false
                for element in value.start..<value.start + value.length where !isHeld {
                    isHeld = operandHolds(child, values[element], values, bytes, &listener)
                }
                guard isHeld else { return false }
                child = Int(nodes[child].end)
            }
            return true
        case .size:
            guard value.kind == .array else { return false }
            let count = AttributeValue(.number, number: Double(value.length))
            return operandHolds(index + 1, count, values, bytes, &listener)
        case .all, .any, .not, .segment: return false
        }
    }

    /// Whether an operand holds for an element; elements are not heard of one by one.
    private func operandHolds<Listener: ConditionListener>(
        _ index: Int, _ element: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ listener: inout Listener
    ) -> Bool {
        var counter = BoundCounter()
        defer { for _ in 0..<counter.count { listener.reachedBound() } }
        return holds(index, values, bytes, element: element, depth: 0, &counter)
    }

    // MARK: Reading a value as the literal's type

    @inline(__always)
    private static func isText(_ value: AttributeValue, equalTo literal: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
        value.isText && value.length == literal.count && ByteTable.areEqual(bytes.extracting(value.range), literal)
    }

    private func number(_ value: AttributeValue, _ bytes: Span<UInt8>) -> Double? {
        switch value.kind {
        case .number: value.number
        case .text, .untyped: NumberText.parse(bytes.extracting(value.range))
        default: nil
        }
    }

    private func boolean(_ value: AttributeValue, _ bytes: Span<UInt8>) -> Bool? {
        switch value.kind {
        case .boolean: value.length == 1
        case .untyped:
            Self.isWord(value, "true", bytes) ? true : Self.isWord(value, "false", bytes) ? false : nil
        default: nil
        }
    }

    /// Whether text is an ASCII word in any case.
    private static func isWord(_ value: AttributeValue, _ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
        guard value.length == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { letters in
            for index in 0..<value.length where bytes[value.start + index] | 0x20 != letters[index] { return false }
            return true
        }
    }

    private func isType(_ value: AttributeValue, _ type: Condition.ValueType) -> Bool {
        switch value.kind {
        case .missing, .null: type == .null
        case .boolean: type == .boolean
        case .number: type == .number
        case .text, .untyped: type == .string
        case .array: type == .array
        case .object: type == .object
        }
    }

    // MARK: Sets and whole values

    private func isMember(
        _ value: AttributeValue, of set: Int, folded: Bool, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>
    ) -> Bool {
        guard value.kind == .array else { return isScalarMember(value, of: set, folded: folded, bytes) }
        for element in value.start..<value.start + value.length
        where isScalarMember(values[element], of: set, folded: folded, bytes) { return true }
        return false
    }

    private func isScalarMember(_ value: AttributeValue, of set: Int, folded: Bool, _ bytes: Span<UInt8>) -> Bool {
        switch value.kind {
        case .missing, .null: return sets[set].holdsNull
        case .boolean: return value.length == 1 ? sets[set].holdsTrue : sets[set].holdsFalse
        case .number: return holdsNumber(value.number, in: set)
        case .array, .object: return false
        case .text, .untyped:
            let text = bytes.extracting(value.range)
            if folded ? sets[set].foldedTexts.contains(text) : sets[set].texts.find(text) != nil { return true }
            if !sets[set].numbers.isEmpty, let number = NumberText.parse(text), holdsNumber(number, in: set) {
                return true
            }
            guard sets[set].holdsTrue || sets[set].holdsFalse, let flag = boolean(value, bytes) else { return false }
            return flag ? sets[set].holdsTrue : sets[set].holdsFalse
        }
    }

    private func holdsNumber(_ number: Double, in set: Int) -> Bool {
        var low = 0
        var high = sets[set].numbers.count
        while low < high {
            let middle = (low + high) / 2
            if sets[set].numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < sets[set].numbers.count && sets[set].numbers[low] == number
    }

    /// Deep equality of a typed value with a literal array or object; the order of members does not count.
    private static func isEqual(
        _ value: AttributeValue, _ literal: JSONValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>
    ) -> Bool {
        switch (value.kind, literal) {
        case (.null, .null): return true
        case (.boolean, .boolean(let flag)): return (value.length == 1) == flag
        case (.number, .number(let number)): return value.number == number.double
        case (.text, .string(let text)): return isText(value, equalTo: Array(text.utf8).span, bytes)
        case (.array, .array(let elements)):
            guard value.length == elements.count else { return false }
            for index in elements.indices
            where !isEqual(values[value.start + index], elements[index], values, bytes) { return false }
            return true
        case (.object, .object(let object)):
            // Members of both sides are sorted by the bytes of their names.
            guard value.length == object.members.count else { return false }
            for (index, member) in object.members.enumerated() {
                let name = values[value.start + index * 2]
                guard isText(name, equalTo: Array(member.key.utf8).span, bytes),
                    isEqual(values[value.start + index * 2 + 1], member.value, values, bytes)
                else { return false }
            }
            return true
        default: return false
        }
    }

    /// A listener that hears nothing but the bound.
    private struct BoundCounter: ConditionListener {
        private(set) var count = 0
        static var hearsEverything: Bool { false }
        func entered(node: Int, depth: Int) {}
        func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int) {}
        mutating func reachedBound() { count += 1 }
    }
}

/// Tests of text against a text literal, by bytes.
private enum TextTest {
    static func passes(_ node: ConditionProgram.Node, _ text: Span<UInt8>, _ literal: Span<UInt8>) -> Bool {
        switch node.kind {
        case .text: return node.ordering.accepts(compare(text, literal))
        case .hasPrefix:
            return text.count >= literal.count && ByteTable.areEqual(text.extracting(first: literal.count), literal)
        case .hasSuffix:
            return text.count >= literal.count && ByteTable.areEqual(text.extracting(last: literal.count), literal)
        default: return contains(text, literal)
        }
    }

    private static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return (left.count - right.count).signum()
    }

    /// Boyer, Moore and Horspool's idea would pay for long needles only; texts of attributes are short.
    private static func contains(_ text: Span<UInt8>, _ literal: Span<UInt8>) -> Bool {
        guard literal.count > 0 else { return true }
        guard text.count >= literal.count else { return false }
        for start in 0...(text.count - literal.count) where text[start] == literal[0] {
            if ByteTable.areEqual(text.extracting(start..<start + literal.count), literal) { return true }
        }
        return false
    }
}
