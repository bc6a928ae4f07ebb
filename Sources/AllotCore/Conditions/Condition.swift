import AllotConfiguration

/// An audience condition after its operators and literals were checked, and before it is compiled.
package indirect enum Condition: Sendable {
    /// All of the conditions hold. An empty list holds for everyone.
    case all([Condition])
    /// At least one of the conditions holds. An empty list holds, as in GrowthBook.
    case any([Condition])
    case not(Condition)
    /// A named condition of the segments file.
    case segment(String, Condition)
    case test(Test)

    package static let everyone = Condition.all([])

    /// One operator applied to one value.
    package struct Test: Sendable {
        /// The attribute's name; `nil` for the current element inside `$elemMatch`, `$all` and `$size`.
        package let attribute: String?
        package let predicate: Predicate
        /// Whether the result is negated: `$ne` is the exact negation of `$eq`.
        package let isNegated: Bool
        /// The operator as written, such as `$in`; `$eq` for a plain value.
        package let operatorName: String
        /// The operator in words and its literal, such as `is one of DE, FR`.
        package let words: String

        package init(
            attribute: String?, predicate: Predicate, isNegated: Bool, operatorName: String = "$eq", words: String
        ) {
            (self.attribute, self.predicate, self.isNegated) = (attribute, predicate, isNegated)
            (self.operatorName, self.words) = (operatorName, words)
        }
    }

    /// The conditions directly inside: operands of a connective, or conditions on the elements of an array or on their
    /// number.
    var parts: [Condition] {
        switch self {
        case .all(let parts), .any(let parts): parts
        case .not(let part), .segment(_, let part): [part]
        case .test(let test): test.predicate.parts
        }
    }

    /// The tests in the order of explanations, with segments expanded and without those of elements.
    package var tests: [Test] { if case .test(let test) = self { [test] } else { parts.flatMap(\.tests) } }

    /// Whether the condition holds if its tests have some results, which are taken one by one.
    package func holds(_ results: inout ArraySlice<Bool>) -> Bool {
        switch self {
        case .all(let parts): parts.reduce(true) { $1.holds(&results) && $0 }
        case .any(let parts): parts.reduce(parts.isEmpty) { $1.holds(&results) || $0 }
        case .not(let part): !part.holds(&results)
        case .segment(_, let part): part.holds(&results)
        case .test: results.removeFirst()
        }
    }

    /// The number of conditions and tests, with segments expanded: an upper bound of the cost of one evaluation.
    package var size: Int {
        if case .test(let test) = self {
            switch test.predicate {
            case .hasPart(_, let literals, _): return literals.count
            case .matches(let expressions): return expressions.count
            default: break
            }
        }
        return parts.reduce(1) { $0 + $1.size }
    }

    package var depth: Int { 1 + parts.reduce(0) { max($0, $1.depth) } }
}
