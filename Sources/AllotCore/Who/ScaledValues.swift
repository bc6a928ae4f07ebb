import AllotConfiguration

/// The values that pass some tests of one attribute, all of which compare with bounds on ordered scales. Two of these
/// are compared in the time of their bounds.
struct ScaledValues: Sendable {
    private let plain: [Bool]
    private let numbers: Section
    private var texts: [TextScale.Kind: Texts] = [:]

    private struct Texts: Sendable {
        var inside: Section
        /// Whether texts pass that are not on the scale.
        var outside: Bool
    }

    /// Returns `nil` if a test depends on anything else than a scale.
    init?(_ tests: [PreparedTest]) {
        var numbers = Section.everywhere
        for test in tests {
            guard case .section(let scale, let section) = test.predicate.values.form else { return nil }
            let ofNumbers = scale == .scalar ? section : .nowhere
            numbers = numbers.intersection(test.isNegated ? ofNumbers.complement : ofNumbers)
            var own = texts[scale] ?? Texts(inside: .everywhere, outside: scale != .order)
            own.inside = own.inside.intersection(test.isNegated ? section.complement : section)
            own.outside = own.outside && test.isNegated
            texts[scale] = own
        }
        self.numbers = numbers
        plain = tests.plainResults
    }

    /// Whether it is proved that no single value is in both.
    func isDisjoint(from other: ScaledValues) -> Bool {
        if zip(plain, other.plain).contains(where: { $0 && $1 }) { return false }
        guard numbers.intersection(other.numbers).isEmpty else { return false }
        return texts.contains { scale, own in
            guard let others = other.texts[scale] else { return false }
            return !(own.outside && others.outside) && own.inside.intersection(others.inside).isEmpty
        }
    }
}
