import AllotConfiguration

/// The attributes and tests of sets of units that are compared, each once, and the answers that were found.
package struct UnitSpace: Sendable {
    private var table = PredicateTable()
    /// The attributes, which are numbered, that may be lists; `nil` for all.
    private var lists: Set<Int>?
    private var valueSets: [ValueSet] = []
    private var places: [Int: [Set<PreparedTest>: Int]] = [:]
    private var answers: [Pair: Bool] = [:]
    private static let answerLimit = 65_536

    /// The values of one attribute that pass some tests.
    private struct ValueSet: Sendable {
        let attribute: Int
        /// Each once.
        let tests: [PreparedTest]
        /// `nil` until it is needed.
        var content: Content?
        /// `nil` until it is needed.
        var scaled: ScaledValues??
    }

    /// The values that may pass all tests of a set.
    private enum Content: Sendable {
        case nothing
        /// Lists alone.
        case lists
        case values
    }

    private struct Pair: Hashable {
        let low: Int
        let high: Int
    }

    /// A space in which every attribute may be a list.
    package init() {}

    /// A space in which an attribute is a list if audiences show that it is one: one of their tests is about lists.
    /// Where no single value passes the tests, and a list may, an attribute is taken for a list as well.
    package init(listsIn audiences: some Sequence<Condition>) {
        var found: Set<Int> = []
        for test in audiences.lazy.flatMap(\.tests) {
            guard let attribute = test.attribute else { continue }
            switch test.predicate {
            case .hasAll, .hasElement, .size, .type(.array), .equals(.array): found.insert(table.number(of: attribute))
            default: break
            }
        }
        lists = found
    }

    func name(_ attribute: Int) -> String { table.text(of: attribute) }
    mutating func number(of attribute: String) -> Int { table.number(of: attribute) }

    // MARK: Values

    mutating func values(_ attribute: Int, _ test: Condition.Test, isNegated: Bool) -> Int {
        let prepared = table.prepared(test.predicate)
        return values(attribute, [PreparedTest(predicate: prepared, isNegated: test.isNegated != isNegated)])
    }

    mutating func values(_ attribute: Int, _ tests: [PreparedTest]) -> Int {
        let key = Set(tests)
        if let place = places[attribute]?[key] { return place }
        var seen: Set<PreparedTest> = []
        places[attribute, default: [:]][key] = valueSets.count
        valueSets.append(ValueSet(attribute: attribute, tests: tests.filter { seen.insert($0).inserted }))
        return valueSets.count - 1
    }

    mutating func intersection(_ left: Int, _ right: Int) -> Int {
        left == right ? left : values(valueSets[left].attribute, tests(left) + tests(right))
    }

    func tests(_ values: Int) -> [PreparedTest] { valueSets[values].tests }

    private mutating func content(_ values: Int) -> Content {
        if let content = valueSets[values].content { return content }
        let tests = valueSets[values].tests
        var content = Content.values
        if AttributeOptions.areContradictory(tests, canBeList: false) {
            content = AttributeOptions.areContradictory(tests, canBeList: true) ? .nothing : .lists
        }
        valueSets[values].content = content
        return content
    }

    private mutating func scaled(_ values: Int) -> ScaledValues? {
        if let known = valueSets[values].scaled { return known }
        let scaled = ScaledValues(valueSets[values].tests)
        valueSets[values].scaled = .some(scaled)
        return scaled
    }

    mutating func isProvablyEmpty(_ values: Int) -> Bool { content(values) == .nothing }

    /// Whether only lists can be in a set, and nothing shows that the attribute is one.
    mutating func asksForUnknownList(_ values: Int) -> Bool {
        guard let lists, !lists.contains(valueSets[values].attribute) else { return false }
        return content(values) == .lists
    }

    mutating func areProvablyDisjoint(_ left: Int, _ right: Int) -> Bool {
        let pair = Pair(low: min(left, right), high: max(left, right))
        if let known = answers[pair] { return known }
        var canBeList = lists?.contains(valueSets[left].attribute) ?? true
        if !canBeList { canBeList = content(left) == .lists }
        if !canBeList { canBeList = content(right) == .lists }
        if !canBeList, let own = scaled(left), let others = scaled(right), own.isDisjoint(from: others) { return true }
        let answer = AttributeOptions.areContradictory(tests(left) + tests(right), canBeList: canBeList)
        if answers.count >= Self.answerLimit { answers.removeAll(keepingCapacity: true) }
        answers[pair] = answer
        return answer
    }

    func witness(_ values: Int) -> Subject.Value? { AttributeOptions.witness(tests(values)) }

    func contains(_ values: Int, _ subject: Subject) -> Bool {
        tests(values).accept(subject.value(of: name(valueSets[values].attribute)))
    }
}
