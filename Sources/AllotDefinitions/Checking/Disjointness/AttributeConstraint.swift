import AllotConfiguration
import AllotCore

/// The values of one attribute that satisfy a conjunction of tests.
struct AttributeConstraint: Sendable {
    private let tests: [AudienceTest]
    /// Whether audiences show that the attribute is a list.
    private let isKnownAsList: Bool
    /// Whether the attribute is expected to be a list.
    private let isList: Bool
    /// Whether a list may satisfy the tests.
    private let admitsLists: Bool
    /// The literals to which `$eq` or `$in` restricts a single value; `nil` without such a test.
    private let literals: LiteralChoice?
    /// The literals to which `$eq` alone restricts it, which a list does not satisfy.
    private let singleLiterals: LiteralChoice?
    private var numbers = Interval<Double>()
    private var words = Interval<UTF8Key>()
    private var instants = Interval<Instant>()
    private var versions = Interval<VersionBound>()
    /// The networks of each test, all of which contain the address.
    private var networks: [IPNetworkSet] = []
    /// The beginnings and endings of each test, one of which the text has.
    private var edges: [TextEdges] = []
    /// The predicates that the value satisfies.
    private let satisfied: Set<PreparedPredicate>
    /// The predicates that it does not satisfy.
    private let refused: Set<PreparedPredicate>
    /// The literals of each `$in`.
    private let choices: [LiteralChoice]
    /// The tests `$nin`.
    private let exclusions: [AudienceTest]

    /// - Parameter isList: Whether audiences show that the attribute is a list. It is taken for one as well if no
    ///   single value satisfies the tests, and a list may.
    init(_ tests: [AudienceTest], isList: Bool, numbers textNumbers: inout Interner) {
        self.tests = tests
        isKnownAsList = isList
        literals = Self.fewest(tests, canBeSets: true, &textNumbers)
        singleLiterals = Self.fewest(tests, canBeSets: false, &textNumbers)
        satisfied = Set(tests.lazy.filter { !$0.isNegated }.map(\.predicate))
        refused = Set(tests.lazy.filter(\.isNegated).map(\.predicate))
        choices = tests.lazy.filter(\.predicate.isSet).compactMap { $0.literals(canBeSets: true) }
        exclusions = tests.filter { $0.isNegated && $0.predicate.isSet }
        admitsLists = tests.allSatisfy(\.admitsLists) && !Self.exclude(exclusions, choices)
        self.isList = isList || (admitsLists && literals?.values.isEmpty ?? false)
        for test in tests where !test.isNegated {
            switch test.predicate.question {
            case .orderedNumber(let ordering, let literal): numbers.narrow(ordering, literal)
            case .orderedText(let ordering, let literal): words.narrow(ordering, literal)
            case .instant(let ordering, let literal): instants.narrow(ordering, literal)
            case .version(let ordering, let literal): versions.narrow(ordering, literal)
            case .inNetwork(let literals): networks.append(literals)
            case .hasPart(_, let edges): if let edges { self.edges.append(edges) }
            default: break
            }
        }
    }

    /// The literals of the test that allows the fewest, without those that fail another test.
    private static func fewest(
        _ tests: [AudienceTest], canBeSets: Bool, _ numbers: inout Interner
    ) -> LiteralChoice? {
        let choices = tests.compactMap { $0.literals(canBeSets: canBeSets) }
        guard let fewest = choices.min(by: { $0.values.count < $1.values.count }) else { return nil }
        let left = tests.count > 1 ? fewest.values.filter { literal in !Self.refuse(tests, literal) } : fewest.values
        return left.count == fewest.values.count ? fewest : LiteralChoice(left, &numbers)
    }

    /// Whether one of the tests fails for all values that equal a literal.
    private static func refuse(_ tests: [AudienceTest], _ literal: LiteralValue) -> Bool {
        tests.contains { $0.passes(literal) == false }
    }

    /// Whether it is proved that no value at all satisfies the tests.
    var isContradictory: Bool {
        (tests.count > 1 || !admitsAnyLiteral) && isDisjoint(from: self)
    }

    /// Whether only a list can satisfy the tests, and no audience shows that the attribute is one.
    var asksForUnknownList: Bool { !admitsAnyLiteral && !isKnownAsList }

    /// Whether one of the literals that the tests restrict the attribute to passes all of them.
    private var admitsAnyLiteral: Bool { literals.map { !$0.values.isEmpty } ?? true }

    /// Whether it is proved that no value satisfies both. The proofs that take longest are last.
    func isDisjoint(from other: AttributeConstraint) -> Bool {
        let canBeSets = !(isList || other.isList) || !admitsLists || !other.admitsLists
        if canBeSets, let texts = literals?.texts, let others = other.literals?.texts, texts.isDisjoint(with: others) {
            return true
        }
        return numbers.isDisjoint(from: other.numbers) || words.isDisjoint(from: other.words)
            || instants.isDisjoint(from: other.instants) || versions.isDisjoint(from: other.versions)
            || contradicts(other)
            || refusesAll(of: other, canBeSets: canBeSets) || other.refusesAll(of: self, canBeSets: canBeSets)
            || Self.exclude(exclusions, other.choices) || Self.exclude(other.exclusions, choices)
            || networks.contains { own in other.networks.contains(where: own.isDisjoint) }
            || edges.contains { own in other.edges.contains(where: own.isDisjoint) }
    }

    /// Whether a test here is the negation of a test there. A value, whatever its type, satisfies only one of them.
    private func contradicts(_ other: AttributeConstraint) -> Bool {
        !satisfied.isDisjoint(with: other.refused) || !other.satisfied.isDisjoint(with: refused)
    }

    /// Whether the other constraint restricts the attribute to literals none of which can pass the tests here.
    private func refusesAll(of other: AttributeConstraint, canBeSets: Bool) -> Bool {
        guard let literals = canBeSets ? other.literals : other.singleLiterals else { return false }
        return literals.values.allSatisfy { Self.refuse(tests, $0) }
    }

    /// Whether tests `$nin` exclude every literal of one `$in`, so that no list has an element that both allow.
    private static func exclude(_ exclusions: [AudienceTest], _ choices: [LiteralChoice]) -> Bool {
        choices.contains { choice in choice.values.allSatisfy { refuse(exclusions, $0) } }
    }
}
