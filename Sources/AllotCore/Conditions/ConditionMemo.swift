/// Results of the sub-conditions that look at one attribute, by its value: countries, versions and plans repeat from
/// one subject to the next. Such a result depends on the value alone, so it stays true. The value of a row is looked up
/// once, however many sub-conditions test it.
struct ConditionMemo: Sendable {
    private let program: ConditionProgram
    /// The number of attributes whose values are remembered.
    private let attributeCount: Int
    private let capacity: Int
    /// The result of each sub-condition by the code of a value; empty until the memo is opened.
    private var results: [Result] = []
    private var values: [ValueCodes] = []
    /// Attribute after attribute, the code of each row's value, in the lowest byte, and above it the number of the
    /// group that it is of: so codes are forgotten without a loop over them.
    private var codes: [UInt32] = []
    private var group: UInt32 = 0
    private var subjectCount = 0
    /// The number of texts that were too long to be searched for a pattern.
    var boundCount = 0

    private enum Result: UInt8 { case unknown, fails, holds }

    /// One subject alone is not worth the memory of a memo.
    private static let subjectsBefore = 64
    private static let codeCount = 256
    /// Numbers of groups have 24 bits.
    private static let groupLimit: UInt32 = 1 << 24
    /// Sub-conditions after this many nodes are not remembered, nor are attributes after that many: no more than 2 and
    /// 4 MiB.
    private static let nodeLimit = 8192
    private static let attributeLimit = 256

    init(_ plan: Plan, capacity: Int) {
        program = plan.compiled.conditions
        attributeCount = min(plan.attributes.names.count, Self.attributeLimit)
        self.capacity = capacity
    }

    @inline(__always) mutating func begin(subjects count: Int) {
        beginGroup()
        let isOpen = subjectCount >= Self.subjectsBefore
        subjectCount &+= count
        if !isOpen, subjectCount >= Self.subjectsBefore { open() }
    }

    /// Starts to remember results.
    mutating func open() {
        results = Array(repeating: .unknown, count: min(program.nodes.count, Self.nodeLimit) * Self.codeCount)
        values = Array(repeating: ValueCodes(), count: attributeCount)
        codes = Array(repeating: 0, count: attributeCount * capacity)
        group = 1
    }

    /// Forgets the values of the group before, not the results.
    @inline(__always) mutating func beginGroup() {
        group &+= 1
        if group == Self.groupLimit { forgetAll() }
    }

    /// The result of a sub-condition for the value that a row has of its attribute. Returns `nil` if it is not known.
    @inline(__always) mutating func recall(
        _ node: Int, _ attribute: Int, row: Int, _ value: AttributeValue, _ bytes: Span<UInt8>
    ) -> Bool? {
        guard isCovered(node, attribute), ShortValue.isPossible(value) else { return nil }
        let place = attribute &* capacity &+ row
        var code = codes[place]
        if code &>> 8 != group {
            code = self.code(of: value, attribute, bytes)
            codes[place] = code
        }
        switch results[node &* Self.codeCount &+ Int(code & 0xFF)] {
        case .unknown: return nil
        case .fails: return false
        case .holds: return true
        }
    }

    /// Remembers a result for the value that ``recall(_:_:row:_:_:)`` did not know.
    mutating func remember(_ node: Int, _ attribute: Int, row: Int, _ holds: Bool) {
        guard isCovered(node, attribute) else { return }
        let code = codes[attribute &* capacity &+ row]
        // A value that cannot have a code was not looked up.
        guard code &>> 8 == group, code & 0xFF != UInt32(ValueCodes.none) else { return }
        results[node &* Self.codeCount &+ Int(code & 0xFF)] = holds ? .holds : .fails
    }

    /// Looks up the values that rows of a range have of an attribute, before a sub-condition that looks at it filters
    /// them. `values` has row after row `stride` values.
    mutating func lookUp(
        _ node: Int, _ attribute: Int, _ rows: borrowing MutableSpan<Int32>, _ range: Range<Int>,
        _ values: Span<AttributeValue>, stride: Int, _ bytes: Span<UInt8>
    ) {
        guard isCovered(node, attribute) else { return }
        var range = range
        while true {
            let known = lookUpKnown(attribute, rows, range, values, stride: stride, bytes)
            guard known < range.upperBound else { return }
            let row = Int(rows[known])
            let value = ShortValue(values[row &* stride &+ attribute], bytes)
            let code = value.map { enter($0, of: attribute) } ?? ValueCodes.none
            codes[attribute &* capacity &+ row] = group &<< 8 | UInt32(code)
            range = known &+ 1..<range.upperBound
        }
    }

    /// Looks up values as long as they have codes. Returns the position of the first row whose value has none yet, or
    /// the end of the range. It changes nothing but the codes of rows, so that the loop over them has all else in
    /// registers.
    @inline(__always) private mutating func lookUpKnown(
        _ attribute: Int, _ rows: borrowing MutableSpan<Int32>, _ range: Range<Int>, _ values: Span<AttributeValue>,
        stride: Int, _ bytes: Span<UInt8>
    ) -> Int {
        let (group, first) = (group, attribute &* capacity)
        let slots = self.values[attribute].slots
        guard !slots.isEmpty else { return range.lowerBound }
        let known = slots.span
        var codes = codes.mutableSpan
        precondition(range.lowerBound >= 0 && range.upperBound <= rows.count)
        for position in range {
            let row = Int(rows[unchecked: position])
            guard codes[first &+ row] &>> 8 != group else { continue }
            var code = ValueCodes.none
            if let value = ShortValue(values[row &* stride &+ attribute], bytes) {
                code = ValueCodes.code(of: value, in: known)
                guard code != ValueCodes.unknown else { return position }
            }
            codes[unchecked: first &+ row] = group &<< 8 | UInt32(code)
        }
        return range.upperBound
    }

    /// Moves the rows of a range for which a sub-condition holds, or does not, to `end` and on, which is at most the
    /// start of the range, while its results are known. Returns the position of the first that is not, or the end of
    /// the range. The values were looked up.
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
            let result = results[Int(codes[Int(row)] & 0xFF)]
            guard result != .unknown else { return position }
            // Without a branch, which would often be mispredicted: membership in an audience follows no pattern.
            rows[position] = rows[end]
            rows[end] = row
            end &+= result == moved ? 1 : 0
        }
        return range.upperBound
    }

    @inline(__always) private func isCovered(_ node: Int, _ attribute: Int) -> Bool {
        node &* Self.codeCount < results.count && attribute < values.count
    }

    /// The code of an attribute's value in this group.
    @inline(__always)
    private mutating func code(of value: AttributeValue, _ attribute: Int, _ bytes: Span<UInt8>) -> UInt32 {
        guard let value = ShortValue(value, bytes) else { return group &<< 8 | UInt32(ValueCodes.none) }
        let code = values[attribute].code(of: value)
        return group &<< 8 | UInt32(code == ValueCodes.unknown ? enter(value, of: attribute) : code)
    }

    @inline(never) private mutating func enter(_ value: ShortValue, of attribute: Int) -> UInt8 {
        if values[attribute].areOutdated { restart(attribute) }
        return values[attribute].enter(value)
    }

    /// Gives the codes of an attribute's values anew, and forgets what was known of them.
    private mutating func restart(_ attribute: Int) {
        values[attribute] = ValueCodes()
        for index in attribute * capacity..<(attribute + 1) * capacity { codes[index] = 0 }
        for (node, content) in program.nodes.prefix(Self.nodeLimit).enumerated() where content.attribute == attribute {
            for index in node * Self.codeCount..<(node + 1) * Self.codeCount { results[index] = .unknown }
        }
    }

    /// Forgets all codes of rows, before numbers of groups are used again.
    private mutating func forgetAll() {
        for index in codes.indices { codes[index] = 0 }
        group = 1
    }
}
