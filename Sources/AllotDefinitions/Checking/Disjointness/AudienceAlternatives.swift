import Allot
import AllotConfiguration

/// An audience in disjunctive normal form, for proving that two audiences have no unit in common.
///
/// Each proof rests on one attribute that cannot satisfy both audiences: one restricts it to values that the other
/// refuses, or their ranges do not intersect. Audiences without such a proof count as overlapping.
///
/// A list satisfies `$in` with any of its elements, so one list can satisfy two disjoint sets. The proofs take an
/// attribute for a list if one of the two audiences tests it as a list (with `$size`, say), else for a single value.
struct AudienceAlternatives: Sendable {
    /// The alternatives, each a conjunction of tests; `nil` if there are too many to compare.
    private let alternatives: [Conjunction]?

    /// Conditions with more alternatives than this prove nothing.
    private static let limit = 64

    /// The tests of one alternative by attribute, which is numbered.
    private typealias Conjunction = [Int: AttributeConstraint]

    /// - Parameter numbers: The numbers of attributes and text literals, common to all audiences that are compared.
    init(_ condition: Condition, numbers: inout Interner) {
        alternatives = Self.alternatives(condition, isNegated: false)?.map { tests in
            var byAttribute: [Int: [Condition.Test]] = [:]
            for test in tests {
                guard let attribute = test.attribute else { continue }
                byAttribute[numbers.number(of: attribute), default: []].append(test)
            }
            return byAttribute.mapValues { AttributeConstraint($0, numbers: &numbers) }
        }
    }

    /// The tests of each alternative; negations are moved inwards, to the tests.
    private static func alternatives(_ condition: Condition, isNegated: Bool) -> [[Condition.Test]]? {
        switch (condition, isNegated) {
        case (.segment(_, let part), _): alternatives(part, isNegated: isNegated)
        case (.not(let part), _): alternatives(part, isNegated: !isNegated)
        case (.all(let parts), false): combinations(parts, isNegated, isProduct: true)
        case (.all(let parts), true): combinations(parts, isNegated, isProduct: false)
        // An empty `$or` is true, so its negation has no alternative.
        case (.any(let parts), _) where parts.isEmpty: isNegated ? [] : [[]]
        case (.any(let parts), _): combinations(parts, isNegated, isProduct: isNegated)
        case (.test(let test), _): [[isNegated ? test.negated : test]]
        }
    }

    /// The combinations of one alternative of each part, or the alternatives of all parts.
    private static func combinations(
        _ parts: [Condition], _ isNegated: Bool, isProduct: Bool
    ) -> [[Condition.Test]]? {
        var result: [[Condition.Test]] = isProduct ? [[]] : []
        for part in parts {
            guard let choices = alternatives(part, isNegated: isNegated),
                (isProduct ? result.count * choices.count : result.count + choices.count) <= limit
            else { return nil }
            result = isProduct ? result.flatMap { tests in choices.map { tests + $0 } } : result + choices
        }
        return result
    }

    /// Whether it is proved that no unit is in both audiences.
    func isDisjoint(from other: AudienceAlternatives) -> Bool {
        guard let alternatives, let others = other.alternatives else { return false }
        return alternatives.allSatisfy { left in
            others.allSatisfy { right in
                left.contains { attribute, constraint in right[attribute]?.isDisjoint(from: constraint) ?? false }
            }
        }
    }
}

extension Condition.Test {
    fileprivate var negated: Condition.Test {
        Condition.Test(attribute: attribute, predicate: predicate, isNegated: !isNegated, words: words)
    }
}
