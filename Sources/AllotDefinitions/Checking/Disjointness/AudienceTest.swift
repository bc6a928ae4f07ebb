import AllotCore

/// A test of an attribute as proofs use it.
struct AudienceTest: Sendable, Hashable {
    /// The attribute's number.
    let attribute: Int
    let predicate: PreparedPredicate
    let isNegated: Bool

    /// Returns `nil` for the test of an element, which is of no attribute.
    ///
    /// - Parameter isNegated: Whether the negation of the test is meant.
    init?(_ test: Condition.Test, isNegated: Bool, _ numbers: inout Interner) {
        guard let attribute = test.attribute else { return nil }
        self.attribute = numbers.number(of: attribute)
        predicate = numbers.prepared(test.predicate)
        self.isNegated = test.isNegated != isNegated
    }

    /// Whether the values that equal a literal pass the test.
    func passes(_ value: LiteralValue) -> Bool? {
        let answer = predicate.passes(value)
        return isNegated ? answer.map(!) : answer
    }

    /// Whether a list may pass the test.
    var admitsLists: Bool {
        switch predicate.question {
        case .isAmong: isNegated || predicate.isSet
        case .exists: !isNegated
        case .type(let type): (type == .array) != isNegated
        case .isOfLists, .other: true
        case .orderedNumber, .orderedText, .version, .instant, .hasPart, .matches, .inNetwork: isNegated
        }
    }

    /// The literals to which the test restricts its attribute; `nil` if it does not.
    func literals(canBeSets: Bool) -> LiteralChoice? {
        switch (predicate.question, isNegated) {
        case (.isAmong, false): canBeSets || !predicate.isSet ? predicate.literals : nil
        case (.exists, true): .missing
        default: nil
        }
    }
}
