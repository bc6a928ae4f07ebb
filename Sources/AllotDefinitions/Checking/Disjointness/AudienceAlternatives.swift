import Allot
import AllotConfiguration

/// An audience as alternatives of joined tests, for proving that two audiences share nobody.
///
/// A proof is by one attribute that cannot satisfy both: it is held to values that the other refuses, or to ranges that
/// do not intersect. What cannot be proved is taken to meet.
///
/// A list satisfies `$in` with any of its elements, so that lists can be in two disjoint sets. The proofs take an
/// attribute for a list when one of the two audiences tests it as a list (`$size`, say), and for a single value else.
struct AudienceAlternatives: Sendable {
    /// The alternatives; `nil` when there are too many to look at.
    private let alternatives: [Conjunction]?

    /// Conditions with more alternatives than this prove nothing.
    private static let limit = 64

    /// Tests that hold together, by attribute, in the order of the attributes' numbers.
    private typealias Conjunction = [(attribute: Int, shape: AttributeConstraint)]

    /// - Parameter numbers: those of attributes and of text literals, common to all shapes that are compared.
    init(_ condition: Condition, numbers: inout Interner) {
        alternatives = Self.alternatives(condition, isNegated: false)?.map { tests in
            var byAttribute: [Int: [Condition.Test]] = [:]
            for test in tests {
                guard let attribute = test.attribute else { continue }
                byAttribute[numbers.number(of: attribute), default: []].append(test)
            }
            return byAttribute.sorted { $0.key < $1.key }
                .map { (attribute: $0.key, shape: AttributeConstraint($0.value, numbers: &numbers)) }
        }
    }

    /// The tests of each alternative; negation goes inwards.
    private static func alternatives(_ condition: Condition, isNegated: Bool) -> [[Condition.Test]]? {
        switch (condition, isNegated) {
        case (.segment(_, let part), _): alternatives(part, isNegated: isNegated)
        case (.not(let part), _): alternatives(part, isNegated: !isNegated)
        case (.all(let parts), false), (.any(let parts), true): product(parts, isNegated)
        case (.any(let parts), false): parts.isEmpty ? [[]] : sum(parts, isNegated)
        case (.all(let parts), true): sum(parts, isNegated)
        case (.test(let test), _):
            [[isNegated ? test.negated : test]]
        }
    }

    private static func product(_ parts: [Condition], _ isNegated: Bool) -> [[Condition.Test]]? {
        // Not-any of an empty list: an empty `$or` holds, so its negation has no alternative.
        if isNegated, parts.isEmpty { return [] }
        var result: [[Condition.Test]] = [[]]
        for part in parts {
            guard let choices = alternatives(part, isNegated: isNegated), choices.count * result.count <= limit else {
                return nil
            }
            result = result.flatMap { tests in choices.map { tests + $0 } }
        }
        return result
    }

    private static func sum(_ parts: [Condition], _ isNegated: Bool) -> [[Condition.Test]]? {
        var result: [[Condition.Test]] = []
        for part in parts {
            guard let choices = alternatives(part, isNegated: isNegated), choices.count + result.count <= limit else {
                return nil
            }
            result += choices
        }
        return result
    }

    /// Whether it is proved that no subject is in both audiences.
    func isDisjoint(from other: AudienceAlternatives) -> Bool {
        guard let alternatives, let others = other.alternatives else { return false }
        return alternatives.allSatisfy { left in others.allSatisfy { right in Self.areDisjoint(left, right) } }
    }

    private static func areDisjoint(_ left: Conjunction, _ right: Conjunction) -> Bool {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            let (first, second) = (left[i].attribute, right[j].attribute)
            if first == second, left[i].shape.isDisjoint(from: right[j].shape) { return true }
            if first <= second { i += 1 }
            if second <= first { j += 1 }
        }
        return false
    }
}

extension Condition.Test {
    fileprivate var negated: Condition.Test {
        Condition.Test(attribute: attribute, predicate: predicate, isNegated: !isNegated, words: words)
    }
}
