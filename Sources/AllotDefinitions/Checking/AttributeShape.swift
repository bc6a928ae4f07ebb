import Allot
import AllotConfiguration

/// What a conjunction of tests leaves of one attribute.
struct AttributeShape: Sendable {
    private let tests: [Condition.Test]
    /// The literals that the attribute is held to, if any test is `$eq` or `$in`.
    private let literals: [JSONValue]?
    /// The same as a set, when all of them are text.
    private let texts: Set<UTF8Key>?
    private var numbers = Interval<Double>()
    private var words = Interval<UTF8Key>()
    private var instants = Interval<Instant>()
    private var versions = Interval<VersionKey>()

    init(_ tests: [Condition.Test]) {
        self.tests = tests
        let literals = tests.lazy.compactMap(\.literals).min { $0.count < $1.count }
        self.literals = literals
        texts = literals.flatMap(Self.textSet)
        for test in tests where !test.isNegated {
            switch test.predicate {
            case .orderedNumber(let ordering, let literal): numbers.narrow(ordering, literal)
            case .orderedText(let ordering, let literal): words.narrow(ordering, UTF8Key(literal))
            case .instant(let ordering, let literal): instants.narrow(ordering, literal)
            case .version(let ordering, let literal): versions.narrow(ordering, VersionKey(text: literal))
            default: break
            }
        }
    }

    private static func textSet(_ literals: [JSONValue]) -> Set<UTF8Key>? {
        var texts: Set<UTF8Key> = []
        for literal in literals {
            guard case .string(let text) = literal else { return nil }
            texts.insert(UTF8Key(text))
        }
        return texts
    }

    /// Whether it is proved that no value satisfies both.
    func isDisjoint(from other: AttributeShape) -> Bool {
        if let texts, let others = other.texts, texts.isDisjoint(with: others) { return true }
        return refusesAll(of: other) || other.refusesAll(of: self) || numbers.isDisjoint(from: other.numbers)
            || words.isDisjoint(from: other.words) || instants.isDisjoint(from: other.instants)
            || versions.isDisjoint(from: other.versions)
    }

    /// Whether the other shape holds the attribute to literals none of which can pass the tests here.
    private func refusesAll(of other: AttributeShape) -> Bool {
        guard let literals = other.literals else { return false }
        return literals.allSatisfy { literal in tests.contains { $0.passes(LiteralValue(literal)) == .no } }
    }
}

/// A range of an ordered type with open or closed ends.
struct Interval<Bound: Comparable & Sendable>: Sendable {
    private var lower: (bound: Bound, isIncluded: Bool)?
    private var upper: (bound: Bound, isIncluded: Bool)?

    mutating func narrow(_ ordering: Condition.Ordering, _ bound: Bound) {
        switch ordering {
        case .equal:
            narrow(.greaterOrEqual, bound)
            narrow(.lessOrEqual, bound)
        case .greater, .greaterOrEqual:
            let isIncluded = ordering == .greaterOrEqual
            guard let old = lower else { return lower = (bound, isIncluded) }
            if bound > old.bound || (bound == old.bound && !isIncluded) { lower = (bound, isIncluded) }
        case .less, .lessOrEqual:
            let isIncluded = ordering == .lessOrEqual
            guard let old = upper else { return upper = (bound, isIncluded) }
            if bound < old.bound || (bound == old.bound && !isIncluded) { upper = (bound, isIncluded) }
        }
    }

    func isDisjoint(from other: Self) -> Bool {
        isBelow(other) || other.isBelow(self)
    }

    private func isBelow(_ other: Self) -> Bool {
        guard let upper, let lower = other.lower else { return false }
        return upper.bound < lower.bound || (upper.bound == lower.bound && !(upper.isIncluded && lower.isIncluded))
    }
}

/// A version literal that compares by precedence.
struct VersionKey: Sendable, Comparable {
    let text: String

    private static func compare(_ left: Self, _ right: Self) -> Int {
        let (leftBytes, rightBytes) = (Array(left.text.utf8), Array(right.text.utf8))
        guard let first = Version(leftBytes.span), let second = Version(rightBytes.span) else { return 0 }
        return Version.compare(first, in: leftBytes.span, second, in: rightBytes.span)
    }

    static func == (left: Self, right: Self) -> Bool { compare(left, right) == 0 }
    static func < (left: Self, right: Self) -> Bool { compare(left, right) < 0 }
}

extension Condition.Test {
    /// The literals that a test holds its attribute to.
    fileprivate var literals: [JSONValue]? {
        switch (predicate, isNegated) {
        case (.equals(.array), _), (.equals(.object), _): nil
        case (.equals(let literal), false): [literal]
        case (.isIn(let literals, false), false): literals
        case (.exists, true): [.null]
        default: nil
        }
    }
}
