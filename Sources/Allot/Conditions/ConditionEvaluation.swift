import AllotConfiguration

/// Follows the tests of a condition. The result is the same with any listener.
protocol ConditionListener {
    /// Whether tests are made, and reported, even if they cannot change the result any more.
    static var hearsEverything: Bool { get }
    /// A connective begins. The nodes that follow one level deeper are its operands.
    mutating func entered(node: Int, depth: Int)
    /// A value was tested.
    mutating func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int)
    /// A text was not searched for a pattern because it is longer than the bound.
    mutating func reachedBound()
    /// The remembered result of a test for a text. Returns `nil` if it is not known.
    mutating func recall(node: Int, _ text: ShortText) -> Bool?
    mutating func remember(node: Int, _ text: ShortText, holds: Bool)
}

extension ConditionListener {
    func recall(node: Int, _ text: ShortText) -> Bool? { nil }
    func remember(node: Int, _ text: ShortText, holds: Bool) {}
}

// Each function takes the same two spans: `values`, the subject's values with the attributes first, and `bytes`, the
// text that the values refer to. A structure cannot hold both: Swift 6.3 allows stored spans as an experiment only.
extension ConditionProgram {
    /// A node to evaluate.
    private struct Place {
        let node: Int
        /// The current element of `$elemMatch`, `$all` and `$size`.
        var element = AttributeValue.missing
        /// The number of connectives around it.
        var depth = 0

        @inline(__always)
        func inner(_ node: Int) -> Place {
            Place(node: node, element: element, depth: depth &+ 1)
        }
    }

    /// Whether the condition with its root at `root` holds.
    func holds<Listener: ConditionListener>(
        _ root: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, element: AttributeValue = .missing,
        depth: Int = 0, _ listener: inout Listener
    ) -> Bool {
        holds(Place(node: root, element: element, depth: depth), values, bytes, &listener)
    }

    /// Whether the condition at a place holds.
    private func holds<Listener: ConditionListener>(
        _ place: Place, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
        let node = pools.nodes[place.node]
        if node.kind.isTest { return test(place, node, values, bytes, &listener) }
        if Listener.hearsEverything, node.kind != .all || place.depth > 0 {
            listener.entered(node: place.node, depth: place.depth)
        }
        var child = place.node + 1
        if node.kind == .not { return !holds(place.inner(child), values, bytes, &listener) }
        let isAny = node.kind == .any
        // An empty list holds.
        var result = !isAny || child == Int(node.end)
        while child < Int(node.end) {
            let part = pools.nodes[child]
            let partHolds =
                part.kind.isTest
                ? test(place.inner(child), part, values, bytes, &listener)
                : holds(place.inner(child), values, bytes, &listener)
            if partHolds == isAny {
                if !Listener.hearsEverything { return isAny }
                result = isAny
            }
            child = Int(part.end)
        }
        return result
    }

    /// Filters `rows` to the subjects that satisfy the condition at `root`, one sub-condition at a time. Single tests
    /// are not reported, so the listener must not ask to hear everything.
    ///
    /// - Parameters:
    ///   - rows: the subjects' rows; those that are kept move to the front.
    ///   - count: the number of rows.
    ///   - values: row after row `stride` values, and then the elements of lists, which start at an index from their
    ///     row.
    /// - Returns: the number of rows that are kept.
    func filter<Listener: ConditionListener>(
        _ root: Int, _ rows: inout MutableSpan<Int32>, _ count: Int, _ values: Span<AttributeValue>, stride: Int,
        _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Int {
        precondition(!Listener.hearsEverything, "tests are reported of one subject at a time")
        let node = pools.nodes[root]
        guard node.kind == .all || node.kind == .segment else {
            return filterPart(root, &rows, count, values, stride, bytes, &listener)
        }
        var left = count
        var child = root + 1
        while child < Int(node.end), left > 0 {
            left = filterPart(child, &rows, left, values, stride, bytes, &listener)
            child = Int(pools.nodes[child].end)
        }
        return left
    }

    @inline(__always)
    private func filterPart<Listener: ConditionListener>(
        _ index: Int, _ rows: inout MutableSpan<Int32>, _ count: Int, _ values: Span<AttributeValue>, _ stride: Int,
        _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Int {
        var kept = 0
        let node = pools.nodes[index]
        let attribute = node.kind.isTest ? node.attribute ?? -1 : -1
        for position in 0..<count {
            let row = rows[position]
            let start = Int(row) &* stride
            let isKept: Bool
            if attribute >= 0, let text = ShortText(values[start &+ attribute], bytes),
                let known = listener.recall(node: index, text)
            {
                isKept = known
            } else {
                // The elements of lists follow all rows.
                isKept = holdsUnremembered(index, values.extracting(start..<values.count), bytes, &listener)
            }
            // Without a branch, which would often be mispredicted: membership in an audience follows no pattern.
            rows[kept] = row
            kept &+= isKept ? 1 : 0
        }
        return kept
    }

    /// Not inlined: it would take registers from the loop.
    @inline(never)
    private func holdsUnremembered<Listener: ConditionListener>(
        _ index: Int, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
        holds(Place(node: index), values, bytes, &listener)
    }

    @inline(__always)
    private func test<Listener: ConditionListener>(
        _ place: Place, _ node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
        let value =
            switch node.source {
            case .attribute(let index): values[Int(index)]
            case .element: place.element
            case .member(let path): place.element.member(pools.memberPaths[Int(path)], values, bytes)
            }
        let result: Bool
        if let text = ShortText(value, bytes) {
            if let known = listener.recall(node: place.node, text) {
                result = known
            } else {
                result = passes(place.node, value, values, bytes, &listener) != node.isNegated
                listener.remember(node: place.node, text, holds: result)
            }
        } else {
            result = passes(place.node, value, values, bytes, &listener) != node.isNegated
        }
        if Listener.hearsEverything {
            listener.tested(node: place.node, value, holds: result, depth: place.depth)
        }
        return result
    }

    /// Whether a test holds before it is negated.
    private func passes<Listener: ConditionListener>(
        _ index: Int, _ value: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ listener: inout Listener
    ) -> Bool {
        let node = pools.nodes[index]
        let operand = Int(node.operand)
        let literalBytes = pools.bytes
        switch node.kind {
        case .isIn:
            guard value.kind == .array else { return pools.sets[operand].contains(value, bytes) }
            for element in value.elements where pools.sets[operand].contains(values[element], bytes) { return true }
            return false
        case .equalsText:
            return value.isText(equalTo: literalBytes.span.extracting(pools.texts[operand]), in: bytes)
        case .equalsNumber: return value.number(in: bytes) == node.number
        case .equalsBoolean: return value.boolean(in: bytes) == (node.operand == 1)
        case .equalsNull: return value.isAbsent
        case .equalsValue: return value.isEqual(to: pools.values[operand], values, bytes)
        case .exists: return !value.isAbsent
        case .isType: return value.isType(pools.types[operand], in: bytes)
        case .number:
            guard let number = value.number(in: bytes) else { return false }
            return node.ordering.accepts(number < node.number ? -1 : number > node.number ? 1 : 0)
        case .instant:
            guard value.isText, let instant = Instant(utf8: bytes.extracting(value.range)) else { return false }
            let literal = pools.instants[operand]
            return node.ordering.accepts(instant < literal ? -1 : instant > literal ? 1 : 0)
        case .version:
            guard value.isText, let version = Version(bytes.extracting(value.range)) else { return false }
            let literal = pools.versions[operand]
            return node.ordering.accepts(
                Version.compare(
                    version, in: bytes.extracting(value.range), literal.version,
                    in: literalBytes.span.extracting(literal.text)))
        case .text, .hasPrefix, .hasSuffix, .contains:
            guard value.isText else { return false }
            let literal = literalBytes.span.extracting(pools.texts[operand])
            return Self.passes(node, bytes.extracting(value.range), literal)
        case .matches:
            guard value.isText else { return false }
            if let matches = pools.expressions[operand].matches(bytes.extracting(value.range)) { return matches }
            listener.reachedBound()
            return false
        case .hasAnyPart: return value.isText && pools.parts[operand].matches(bytes.extracting(value.range))
        case .inNetwork: return value.isText && pools.networks[operand].contains(bytes.extracting(value.range))
        case .matchesAny:
            guard value.isText else { return false }
            for index in pools.expressionLists[operand] {
                guard let matches = pools.expressions[index].matches(bytes.extracting(value.range)) else {
                    listener.reachedBound()
                    return false
                }
                if matches { return true }
            }
            return false
        case .hasElement:
            for element in value.elements where operandHolds(index + 1, values[element], values, bytes, &listener) {
                return true
            }
            return false
        case .hasAll:
            guard value.kind == .array else { return false }
            var child = index + 1
            while child < Int(node.end) {
                var isFound = false
                for element in value.elements where !isFound {
                    isFound = operandHolds(child, values[element], values, bytes, &listener)
                }
                guard isFound else { return false }
                child = Int(pools.nodes[child].end)
            }
            return true
        case .size:
            guard value.kind == .array else { return false }
            let count = AttributeValue(.number, number: Double(value.length))
            return operandHolds(index + 1, count, values, bytes, &listener)
        case .all, .any, .not, .segment: return false
        }
    }

    /// Whether an operand holds for an element. Tests of single elements are not reported.
    private func operandHolds<Listener: ConditionListener>(
        _ index: Int, _ element: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ listener: inout Listener
    ) -> Bool {
        var counter = BoundCounter()
        defer { for _ in 0..<counter.count { listener.reachedBound() } }
        return holds(Place(node: index, element: element), values, bytes, &counter)
    }

    /// Tests of text against a text literal, by bytes.
    private static func passes(_ node: Node, _ text: Span<UInt8>, _ literal: Span<UInt8>) -> Bool {
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

    /// A plain search. Horspool's algorithm would pay off for long needles only, and attributes are short.
    private static func contains(_ text: Span<UInt8>, _ literal: Span<UInt8>) -> Bool {
        guard literal.count > 0 else { return true }
        guard text.count >= literal.count else { return false }
        for start in 0...(text.count - literal.count) where text[start] == literal[0] {
            if ByteTable.areEqual(text.extracting(start..<start + literal.count), literal) { return true }
        }
        return false
    }

    /// A listener that counts the texts beyond the bound and nothing else.
    private struct BoundCounter: ConditionListener {
        private(set) var count = 0
        static var hearsEverything: Bool { false }
        func entered(node: Int, depth: Int) {}
        func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int) {}
        mutating func reachedBound() { count += 1 }
    }
}
