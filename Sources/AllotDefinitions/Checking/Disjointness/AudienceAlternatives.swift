import AllotConfiguration
import AllotCore

/// An audience in disjunctive normal form, for proving that two audiences have no unit in common.
///
/// Each proof rests on one attribute that cannot satisfy both audiences: one restricts it to values that the other
/// refuses, or their ranges do not intersect. Audiences without such a proof count as overlapping.
///
/// A list satisfies `$in` with any of its elements, so one list can satisfy two disjoint sets. The proofs take an
/// attribute for a list if any audience of the folder tests it as a list (``ListAttributes``), or if only a list can
/// satisfy one of the two audiences; else for a single value.
struct AudienceAlternatives: Sendable {
    /// The alternatives, each a conjunction of tests. Units outside of the audience may satisfy them as well.
    private let alternatives: [Conjunction]

    /// The number of alternatives that are compared. Parts of a condition with more of them count as everyone: that
    /// widens the audience, so proofs stay true.
    private static let limit = 64

    /// The places of the constraints of one alternative, by attribute, which is numbered.
    private typealias Conjunction = [Int: Int]

    /// The constraints of the alternatives, each once: most alternatives share most of theirs.
    private let constraints: [AttributeConstraint]

    /// The attributes, which are numbered, because of which alternatives were dropped.
    private let contradictory: Set<Int>

    /// The proof that no unit is in an audience. `Sendable`.
    struct Contradiction: Sendable {
        /// The attributes, which are numbered, whose tests exclude each other; none if the audience is the negation of
        /// everyone.
        let attributes: Set<Int>
        /// Whether a list could satisfy the tests of one of them.
        let admitsList: Bool
    }

    /// - Parameter numbers: The numbers of attributes and text literals, common to all audiences that are compared.
    init(_ condition: Condition, lists: ListAttributes, numbers: inout Interner) {
        var constraints: [AttributeConstraint] = []
        var places: [[AudienceTest]: Int] = [:]
        let conjunctions = Self.alternatives(condition, isNegated: false, &numbers).map { tests in
            Dictionary(grouping: tests, by: \.attribute).mapValues { tests in
                if let place = places[tests] { return place }
                places[tests] = constraints.count
                constraints.append(
                    AttributeConstraint(tests, isList: lists.contains(tests[0].attribute), numbers: &numbers))
                return constraints.count - 1
            }
        }
        let isContradictory = constraints.map(\.isContradictory)
        alternatives = conjunctions.filter { conjunction in !conjunction.values.contains { isContradictory[$0] } }
        contradictory = Set(conjunctions.flatMap { $0.lazy.filter { isContradictory[$1] }.map(\.key) })
        self.constraints = constraints
    }

    /// The proof that no unit is in the audience as long as attributes that no audience tests as lists are single
    /// values. Returns `nil` if there is none.
    func contradiction() -> Contradiction? {
        let asksForList = constraints.map(\.asksForUnknownList)
        var attributes: Set<Int> = []
        for conjunction in alternatives {
            guard let attribute = conjunction.first(where: { asksForList[$1] })?.key else { return nil }
            attributes.insert(attribute)
        }
        return Contradiction(
            attributes: attributes.isEmpty ? contradictory : attributes, admitsList: !attributes.isEmpty)
    }

    /// The tests of each alternative; negations are moved inwards, to the tests.
    private static func alternatives(
        _ condition: Condition, isNegated: Bool, _ numbers: inout Interner
    ) -> [[AudienceTest]] {
        switch (condition, isNegated) {
        case (.segment(_, let part), _): alternatives(part, isNegated: isNegated, &numbers)
        case (.not(let part), _): alternatives(part, isNegated: !isNegated, &numbers)
        case (.all(let parts), false): product(of: parts, isNegated, &numbers)
        case (.all(let parts), true): union(of: parts, isNegated, &numbers)
        // An empty `$or` is true, so its negation has no alternative.
        case (.any(let parts), _) where parts.isEmpty: isNegated ? [] : [[]]
        case (.any(let parts), false): union(of: parts, isNegated, &numbers)
        case (.any(let parts), true): product(of: parts, isNegated, &numbers)
        case (.test(let test), _): [AudienceTest(test, isNegated: isNegated, &numbers).map { [$0] } ?? []]
        }
    }

    /// The combinations of one alternative of each part, without the parts that would make too many.
    private static func product(
        of parts: [Condition], _ isNegated: Bool, _ numbers: inout Interner
    ) -> [[AudienceTest]] {
        var result: [[AudienceTest]] = [[]]
        // What all combinations have in common; most parts are one test.
        var common: [AudienceTest] = []
        for part in parts {
            let choices = alternatives(part, isNegated: isNegated, &numbers)
            if choices.count == 1 {
                common += choices[0]
                continue
            }
            guard result.count * choices.count <= limit else { continue }
            result = result.flatMap { tests in choices.map { tests + $0 } }
        }
        return result.map { common + $0 }
    }

    /// The alternatives of all parts; everyone if they are too many.
    private static func union(
        of parts: [Condition], _ isNegated: Bool, _ numbers: inout Interner
    ) -> [[AudienceTest]] {
        var result: [[AudienceTest]] = []
        for part in parts {
            result += alternatives(part, isNegated: isNegated, &numbers)
            guard result.count <= limit else { return [[]] }
        }
        return result
    }

    /// Whether it is proved that no unit is in both audiences. Two constraints are compared once, however many
    /// alternatives have them.
    func isDisjoint(from other: AudienceAlternatives) -> Bool {
        var answers: [Int: Bool] = [:]
        func areDisjoint(_ own: Int, _ opposite: Int) -> Bool {
            let pair = own * other.constraints.count + opposite
            if let answer = answers[pair] { return answer }
            let answer = constraints[own].isDisjoint(from: other.constraints[opposite])
            answers[pair] = answer
            return answer
        }
        return alternatives.allSatisfy { left in
            other.alternatives.allSatisfy { right in
                left.contains { attribute, own in right[attribute].map { areDisjoint(own, $0) } ?? false }
            }
        }
    }
}
