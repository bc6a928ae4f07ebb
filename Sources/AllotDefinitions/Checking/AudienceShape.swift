import Allot
import AllotConfiguration

/// An audience as alternatives of joined tests, for proving that two audiences share nobody.
///
/// A proof is by one attribute that cannot satisfy both: it is held to values that the other refuses, or to ranges that
/// do not intersect. What cannot be proved is taken to meet. An attribute that is an array satisfies `$in` with any of
/// its elements; the proofs take attributes to be single values.
struct AudienceShape: Sendable {
    /// The alternatives; `nil` when there are too many to look at.
    let alternatives: [Conjunction]?

    /// Conditions with more alternatives than this prove nothing.
    private static let limit = 64

    /// Tests that hold together, by attribute.
    struct Conjunction: Sendable {
        var attributes: [String: AttributeShape] = [:]
    }

    init(_ condition: Condition) {
        alternatives = Self.alternatives(condition, isNegated: false).map { alternatives in
            alternatives.map { tests in
                var conjunction = Conjunction()
                for (name, tests) in Dictionary(grouping: tests, by: { $0.attribute ?? "" }) where !name.isEmpty {
                    conjunction.attributes[name] = AttributeShape(tests)
                }
                return conjunction
            }
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
    func isDisjoint(from other: AudienceShape) -> Bool {
        guard let alternatives, let others = other.alternatives else { return false }
        return alternatives.allSatisfy { left in others.allSatisfy { right in left.isDisjoint(from: right) } }
    }
}

extension AudienceShape.Conjunction {
    func isDisjoint(from other: Self) -> Bool {
        attributes.contains { name, shape in other.attributes[name].map(shape.isDisjoint) ?? false }
    }
}

extension Condition.Test {
    fileprivate var negated: Condition.Test {
        Condition.Test(attribute: attribute, predicate: predicate, isNegated: !isNegated, words: words)
    }
}
