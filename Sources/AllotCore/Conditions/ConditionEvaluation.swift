import AllotConfiguration

/// Follows the tests of a condition. The result is the same with any listener.
protocol ConditionListener {
    /// Whether tests are made, and reported, even if they cannot change the result any more.
    static var hearsEverything: Bool { get }
    /// A connective begins. The nodes that follow one level deeper are its operands.
    mutating func entered(node: Int, depth: Int)
    mutating func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int)
    /// A text was not searched for a pattern because it is longer than the bound.
    mutating func reachedBound()

    // A listener that remembers nothing can leave out what follows; a `ConditionMemo` does it.

    /// The result of the sub-condition at a node for the value that a row has of its attribute; `nil` if it is not
    /// known.
    mutating func recall(_ node: Int, _ attribute: Int, row: Int, _ value: AttributeValue, _ bytes: Span<UInt8>)
        -> Bool?
    mutating func remember(_ node: Int, _ attribute: Int, row: Int, _ holds: Bool)
    /// Looks up the values that rows have of an attribute, before ``filter(_:_:_:_:isNegated:_:)``.
    mutating func lookUp(
        _ node: Int, _ attribute: Int, _ rows: borrowing MutableSpan<Int32>, _ range: Range<Int>,
        _ values: Span<AttributeValue>, stride: Int, _ bytes: Span<UInt8>)
    /// Moves the rows for which a sub-condition holds, or does not hold, to `end` and on, while the results are known;
    /// returns the position of the first that is not, or the end of the range.
    mutating func filter(
        _ node: Int, _ attribute: Int, _ rows: inout MutableSpan<Int32>, _ range: Range<Int>, isNegated: Bool,
        _ end: inout Int
    ) -> Int
}

extension ConditionListener {
    func recall(_ node: Int, _ attribute: Int, row: Int, _ value: AttributeValue, _ bytes: Span<UInt8>) -> Bool? { nil }
    func remember(_ node: Int, _ attribute: Int, row: Int, _ holds: Bool) {}
    func lookUp(
        _ node: Int, _ attribute: Int, _ rows: borrowing MutableSpan<Int32>, _ range: Range<Int>,
        _ values: Span<AttributeValue>, stride: Int, _ bytes: Span<UInt8>
    ) {}
    func filter(
        _ node: Int, _ attribute: Int, _ rows: inout MutableSpan<Int32>, _ range: Range<Int>, isNegated: Bool,
        _ end: inout Int
    ) -> Int { range.lowerBound }
}

// Each function takes the same two spans: `values`, the subject's values with the attributes first, and `bytes`, the
// text that the values refer to. A structure cannot hold both: Swift 6.3 allows stored spans as an experiment only.
extension ConditionProgram {
    private struct Place {
        let node: Int
        let row: Int
        /// The current element of `$elemMatch`, `$all` and `$size`.
        var element = AttributeValue.missing
        var depth = 0

        @inline(__always) func inner(_ node: Int) -> Place {
            Place(node: node, row: row, element: element, depth: depth &+ 1)
        }
    }

    func holds<Listener: ConditionListener>(
        _ root: Int, row: Int = 0, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        element: AttributeValue = .missing, depth: Int = 0, _ listener: inout Listener
    ) -> Bool { holds(Place(node: root, row: row, element: element, depth: depth), values, bytes, &listener) }

    private func holds<Listener: ConditionListener>(
        _ place: Place, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool { remembered(place, pools.nodes[place.node], values, bytes, &listener) }

    /// The remembered result of a node that reads one attribute, else the result that is found.
    @inline(__always) private func remembered<Listener: ConditionListener>(
        _ place: Place, _ node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
        guard !Listener.hearsEverything, let attribute = node.attribute else {
            return find(place, node, values, bytes, &listener)
        }
        if let known = listener.recall(place.node, attribute, row: place.row, values[attribute], bytes) { return known }
        let holds = find(place, node, values, bytes, &listener)
        listener.remember(place.node, attribute, row: place.row, holds)
        return holds
    }

    /// Whether a node holds, without what is remembered of it.
    @inline(__always) private func find<Listener: ConditionListener>(
        _ place: Place, _ node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
        node.kind.isTest ? test(place, node, values, bytes, &listener) : connects(place, node, values, bytes, &listener)
    }

    private func connects<Listener: ConditionListener>(
        _ place: Place, _ node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
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
            // Tests are inlined here and connectives are not: with both, decisions for one subject took 5% longer.
            let partHolds =
                part.kind.isTest
                ? remembered(place.inner(child), part, values, bytes, &listener)
                : holds(place.inner(child), values, bytes, &listener)
            if partHolds == isAny {
                if !Listener.hearsEverything { return isAny }
                result = isAny
            }
            child = Int(part.end)
        }
        return result
    }

    /// Moves the subjects that satisfy the condition at `root`, or do not, to the front of a range of `rows`, one test
    /// for all of them after another, and returns the end of these. The rows of the range change their order. `values`
    /// has row after row `stride` values, and then the elements of lists, which start at an index from their row.
    /// Single tests are not reported, so the listener must not ask to hear everything.
    func filter<Listener: ConditionListener>(
        _ root: Int, _ rows: inout MutableSpan<Int32>, _ range: Range<Int>, isNegated: Bool = false,
        _ values: Span<AttributeValue>, stride: Int, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Int {
        precondition(!Listener.hearsEverything, "tests are reported of one subject at a time")
        let node = pools.nodes[root]
        let hasParts = !node.kind.isTest && node.attribute == nil && Int(node.end) > root &+ 1
        guard hasParts else {
            return filterWhole(root, node, &rows, range, isNegated, values, stride, bytes, &listener)
        }
        let isNegated = isNegated != (node.kind == .not)
        // For an alternative, or a conjunction that is not to hold, each part looks at the rows that the parts before
        // it left; otherwise at those that they moved.
        let isAny = (node.kind == .any) != isNegated
        var range = range
        var child = root &+ 1
        while child < Int(node.end), !range.isEmpty {
            let end = filter(child, &rows, range, isNegated: isNegated, values, stride: stride, bytes, &listener)
            range = isAny ? end..<range.upperBound : range.lowerBound..<end
            child = Int(pools.nodes[child].end)
        }
        return isAny ? range.lowerBound : range.upperBound
    }

    /// Moves the subjects for which a condition holds, or does not hold, without a look at its parts where results are
    /// known; what is not known of one's value is found for it alone.
    private func filterWhole<Listener: ConditionListener>(
        _ index: Int, _ node: Node, _ rows: inout MutableSpan<Int32>, _ range: Range<Int>, _ isNegated: Bool,
        _ values: Span<AttributeValue>, _ stride: Int, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Int {
        var end = range.lowerBound
        var position = range.lowerBound
        if let attribute = node.attribute {
            listener.lookUp(index, attribute, rows, range, values, stride: stride, bytes)
        }
        while true {
            if let attribute = node.attribute {
                position = listener.filter(
                    index, attribute, &rows, position..<range.upperBound, isNegated: isNegated, &end)
            }
            guard position < range.upperBound else { return end }
            let row = rows[position]
            // The elements of lists follow all rows.
            let subject = values.extracting(Int(row) &* stride..<values.count)
            let place = Place(node: index, row: Int(row))
            let holds = find(place, node, subject, bytes, &listener)
            if let attribute = node.attribute { listener.remember(index, attribute, row: place.row, holds) }
            rows[position] = rows[end]
            rows[end] = row
            end &+= holds != isNegated ? 1 : 0
            position &+= 1
        }
    }

    @inline(__always) private func test<Listener: ConditionListener>(
        _ place: Place, _ node: Node, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>, _ listener: inout Listener
    ) -> Bool {
        let value =
            switch node.source {
            case .attribute(let index): values[Int(index)]
            case .element: place.element
            case .member(let path): place.element.member(pools.memberPaths[Int(path)], values, bytes)
            }
        let holds = passes(place.node, value, values, bytes, &listener) != node.isNegated
        if Listener.hearsEverything { listener.tested(node: place.node, value, holds: holds, depth: place.depth) }
        return holds
    }

    /// Whether an operand holds for an element. Tests of single elements are not reported.
    func operandHolds<Listener: ConditionListener>(
        _ index: Int, _ element: AttributeValue, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        _ listener: inout Listener
    ) -> Bool {
        var counter = BoundCounter()
        defer { for _ in 0..<counter.count { listener.reachedBound() } }
        return holds(Place(node: index, row: 0, element: element), values, bytes, &counter)
    }

    /// A listener that counts the texts beyond the bound and nothing else.
    struct BoundCounter: ConditionListener {
        private(set) var count = 0
        static var hearsEverything: Bool { false }
        func entered(node: Int, depth: Int) {}
        func tested(node: Int, _ value: AttributeValue, holds: Bool, depth: Int) {}
        mutating func reachedBound() { count += 1 }
    }
}
