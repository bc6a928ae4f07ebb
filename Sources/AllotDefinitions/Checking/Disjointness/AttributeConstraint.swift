import Allot
import AllotConfiguration

/// The values of one attribute that satisfy a conjunction of tests.
struct AttributeConstraint: Sendable {
    private let tests: [Condition.Test]
    /// Whether the attribute is expected to be a list.
    private let isList: Bool
    /// The literals that `$eq` or `$in` restrict a single value to; `nil` without such a test.
    private let literals: [LiteralValue]?
    /// The literals that `$eq` alone restricts it to, which a list does not satisfy.
    private let singleLiterals: [LiteralValue]?
    /// The numbers of ``literals``, if all of them are text.
    private let texts: Set<Int>?
    private var numbers = Interval<Double>()
    private var words = Interval<UTF8Key>()
    private var instants = Interval<Instant>()
    private var versions = Interval<VersionBound>()
    /// The networks of each test, all of which contain the address.
    private var networks: [IPNetworkSet] = []
    /// The beginnings and endings of each test, one of which the text has.
    private var edges: [TextEdges] = []

    init(_ tests: [Condition.Test], numbers textNumbers: inout Interner) {
        self.tests = tests
        isList = tests.contains(where: \.isOfLists)
        literals = Self.fewest(tests, canBeSets: true)
        singleLiterals = Self.fewest(tests, canBeSets: false)
        texts = literals.flatMap { Self.numbers(of: $0, &textNumbers) }
        for test in tests where !test.isNegated {
            switch test.predicate {
            case .orderedNumber(let ordering, let literal): numbers.narrow(ordering, literal)
            case .orderedText(let ordering, let literal): words.narrow(ordering, UTF8Key(literal))
            case .instant(let ordering, let literal): instants.narrow(ordering, literal)
            case .version(let ordering, let literal):
                if let version = VersionBound(literal) { versions.narrow(ordering, version) }
            case .inNetwork(let literals): networks.append(IPNetworkSet(literals))
            case .hasPart(let part, let literals, let ignoringCase):
                if let edges = TextEdges(part, literals, ignoringCase: ignoringCase) { self.edges.append(edges) }
            default: break
            }
        }
    }

    /// The literals of the test that allows the fewest, without those that fail another test.
    private static func fewest(_ tests: [Condition.Test], canBeSets: Bool) -> [LiteralValue]? {
        let fewest = tests.lazy.compactMap { $0.literals(canBeSets: canBeSets) }.min { $0.count < $1.count }
        let literals = fewest?.map(LiteralValue.init)
        guard tests.count > 1 else { return literals }
        return literals?.filter { literal in !tests.contains { $0.passes(literal) == false } }
    }

    private static func numbers(of literals: [LiteralValue], _ textNumbers: inout Interner) -> Set<Int>? {
        var numbers: Set<Int> = []
        for literal in literals {
            guard case .text(let text) = literal else { return nil }
            numbers.insert(textNumbers.number(of: text))
        }
        return numbers
    }

    /// Whether it is proved that no value satisfies both.
    func isDisjoint(from other: AttributeConstraint) -> Bool {
        let canBeSets = !isList && !other.isList
        if canBeSets, let texts, let others = other.texts, texts.isDisjoint(with: others) { return true }
        return refusesAll(of: other, canBeSets: canBeSets) || other.refusesAll(of: self, canBeSets: canBeSets)
            || numbers.isDisjoint(from: other.numbers) || words.isDisjoint(from: other.words)
            || instants.isDisjoint(from: other.instants) || versions.isDisjoint(from: other.versions)
            || networks.contains { own in other.networks.contains(where: own.isDisjoint) }
            || edges.contains { own in other.edges.contains(where: own.isDisjoint) }
    }

    /// Whether the other constraint restricts the attribute to literals none of which can pass the tests here.
    private func refusesAll(of other: AttributeConstraint, canBeSets: Bool) -> Bool {
        guard let literals = canBeSets ? other.literals : other.singleLiterals else { return false }
        return literals.allSatisfy { literal in tests.contains { $0.passes(literal) == false } }
    }
}

extension Condition.Test {
    /// Whether only lists can satisfy the test.
    fileprivate var isOfLists: Bool {
        switch predicate {
        case .hasAll, .hasElement, .size, .type(.array), .equals(.array): true
        default: false
        }
    }

    /// The literals that the test restricts its attribute to; `nil` if it does not.
    fileprivate func literals(canBeSets: Bool) -> [JSONValue]? {
        switch (predicate, isNegated) {
        case (.equals(.array), _), (.equals(.object), _): nil
        case (.equals(let literal), false): [literal]
        case (.isIn(let list, false), false) where canBeSets: list.literals
        case (.exists, true): [.null]
        default: nil
        }
    }
}
