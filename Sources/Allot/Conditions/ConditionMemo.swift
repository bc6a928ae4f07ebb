/// Results of the sub-conditions that look at one attribute, by its value: countries, versions and plans repeat from one
/// subject to the next.
///
/// Such a result depends on the value alone, so it stays true. The value of a row is looked up once, however many
/// sub-conditions test it.
struct ConditionMemo: Sendable {
    private let program: ConditionProgram
    /// The most rows of a group.
    private let capacity: Int
    /// What is known of each sub-condition by the code of a value; empty until the memo is opened.
    private var results: [Result] = []
    /// By attribute the codes of its values; `nil` before the first.
    private var values: [ValueCodes?] = []
    /// Attribute after attribute, the code of each row's value; ``ValueCodes/unknown`` where it was not looked up.
    private var codes: [UInt8] = []
    /// By attribute the group that its codes are of, so that forgetting them takes no loop over all attributes.
    private var groups: [Int] = []
    private var group = 1

    private enum Result: UInt8 {
        case unknown, fails, holds
    }

    private static let codeCount = 256
    /// Sub-conditions after this many nodes are not remembered, nor are attributes after that many: no more than 2 and
    /// 3 MiB.
    private static let nodeLimit = 8192
    private static let attributeLimit = 256

    init(_ program: ConditionProgram, capacity: Int) {
        self.program = program
        self.capacity = capacity
    }

    /// Starts to remember results.
    ///
    /// - Parameter attributeCount: the number of attributes that a subject has.
    mutating func open(attributeCount: Int) {
        let attributeCount = min(attributeCount, Self.attributeLimit)
        results = Array(repeating: .unknown, count: min(program.nodes.count, Self.nodeLimit) * Self.codeCount)
        values = Array(repeating: nil, count: attributeCount)
        codes = Array(repeating: ValueCodes.unknown, count: attributeCount * capacity)
        groups = Array(repeating: 0, count: attributeCount)
    }

    /// Forgets the values of the group before, not the results.
    @inline(__always)
    mutating func beginGroup() { group &+= 1 }

    /// The result of a sub-condition for the value that a row has of its attribute. Returns `nil` if it is not known.
    @inline(__always)
    mutating func recall(
        _ node: Int, _ attribute: Int, row: Int, _ value: AttributeValue, _ bytes: Span<UInt8>
    ) -> Bool? {
        guard isCovered(node, attribute), ShortValue.isPossible(value) else { return nil }
        if groups[attribute] != group { forget(attribute) }
        if codes[attribute &* capacity &+ row] == ValueCodes.unknown {
            lookUp(attribute, row..<row + 1, bytes) {
                $0
            } _: { _ in
                value
            }
        }
        switch results[node &* Self.codeCount &+ Int(codes[attribute &* capacity &+ row])] {
        case .unknown: return nil
        case .fails: return false
        case .holds: return true
        }
    }

    /// Remembers a result for the value that ``recall(_:_:row:_:_:)`` did not know.
    mutating func remember(_ node: Int, _ attribute: Int, row: Int, _ holds: Bool) {
        // A value that cannot have a code was not looked up.
        guard isCovered(node, attribute), groups[attribute] == group else { return }
        let code = codes[attribute &* capacity &+ row]
        if code != ValueCodes.unknown, code != ValueCodes.none {
            results[node &* Self.codeCount &+ Int(code)] = holds ? .holds : .fails
        }
    }

    /// Looks up the values that rows have of an attribute, before they are filtered by a sub-condition that looks at it.
    ///
    /// - Parameters:
    ///   - rows: the rows, of which those in `range` are looked at.
    ///   - values: row after row `stride` values.
    mutating func lookUp(
        _ node: Int, _ attribute: Int, _ rows: borrowing MutableSpan<Int32>, _ range: Range<Int>,
        _ values: Span<AttributeValue>, stride: Int, _ bytes: Span<UInt8>
    ) {
        guard isCovered(node, attribute) else { return }
        if groups[attribute] != group { forget(attribute) }
        lookUp(attribute, range, bytes) {
            Int(rows[$0])
        } _: {
            values[$0 &* stride &+ attribute]
        }
    }

    /// Moves the rows for which a sub-condition holds while its results are known. The values were looked up.
    ///
    /// - Parameters:
    ///   - rows: the rows, of which those in `range` are looked at.
    ///   - isNegated: whether the rows for which it does not hold are to be moved instead.
    ///   - end: where the next row that is moved belongs, at most the start of the range.
    /// - Returns: the position of the first row whose result is not known, or the end of the range.
    mutating func filter(
        _ node: Int, _ attribute: Int, _ rows: inout MutableSpan<Int32>, _ range: Range<Int>, isNegated: Bool,
        _ end: inout Int
    ) -> Int {
        guard isCovered(node, attribute) else { return range.lowerBound }
        let codes = codes.span.extracting(attribute &* capacity..<(attribute &+ 1) &* capacity)
        let results = results.span.extracting(node &* Self.codeCount..<(node &+ 1) &* Self.codeCount)
        let moved: Result = isNegated ? .fails : .holds
        for position in range {
            let row = rows[position]
            let result = results[Int(codes[Int(row)])]
            guard result != .unknown else { return position }
            // Without a branch, which would often be mispredicted: membership in an audience follows no pattern.
            rows[position] = rows[end]
            rows[end] = row
            end &+= result == moved ? 1 : 0
        }
        return range.upperBound
    }

    @inline(__always)
    private func isCovered(_ node: Int, _ attribute: Int) -> Bool {
        node &* Self.codeCount < results.count && attribute < groups.count
    }

    /// Forgets the values that an attribute had in a group before.
    @inline(never)
    private mutating func forget(_ attribute: Int) {
        groups[attribute] = group
        for index in attribute &* capacity..<(attribute &+ 1) &* capacity { codes[index] = ValueCodes.unknown }
    }

    /// Looks up the values of some rows that were not looked up.
    @inline(__always)
    private mutating func lookUp(
        _ attribute: Int, _ positions: Range<Int>, _ bytes: Span<UInt8>, _ row: (_ position: Int) -> Int,
        _ value: (_ row: Int) -> AttributeValue
    ) {
        if values[attribute]?.areOutdated ?? true { restart(attribute) }
        // Moved out of the array for the loop, which then owns it alone.
        guard var table = values[attribute].take() else { return }
        let first = attribute &* capacity
        var codes = codes.mutableSpan
        for position in positions {
            let row = row(position)
            if codes[first &+ row] == ValueCodes.unknown { codes[first &+ row] = table.code(of: value(row), bytes) }
        }
        values[attribute] = table
    }

    /// Forgets the codes of an attribute's values, and what was known of them.
    private mutating func restart(_ attribute: Int) {
        values[attribute] = ValueCodes()
        forget(attribute)
        for (node, content) in program.nodes.prefix(Self.nodeLimit).enumerated() where content.attribute == attribute {
            for index in node * Self.codeCount..<(node + 1) * Self.codeCount { results[index] = .unknown }
        }
    }
}
