/// The meaning of a regular expression, independent of its notation.
///
/// The only question about a pattern is whether it occurs anywhere in a text. So there are no captures, and no
/// preferences for short or long matches.
indirect enum Pattern: Hashable, Sendable {
    /// Matches nothing, not even the empty text.
    case never
    /// Matches the empty text, everywhere.
    case empty
    /// Matches one scalar of a set.
    case scalar(ScalarSet)
    /// Matches the empty text at certain places.
    case assertion(Assertion)
    case sequence([Pattern])
    case choice([Pattern])
    /// Matches the pattern repeatedly, at least `minimum` times, and at most `maximum` times unless that is `nil`.
    case repetition(Pattern, minimum: Int, maximum: Int?)

    /// A condition on the place between two scalars.
    enum Assertion: Sendable, CaseIterable {
        case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
    }
}

extension Pattern {
    /// Whether the empty text matches at a place where exactly these assertions hold.
    func matchesEmpty(where assertions: Set<Assertion> = []) -> Bool {
        switch self {
        case .never, .scalar: false
        case .empty: true
        case .assertion(let assertion): assertions.contains(assertion)
        case .sequence(let parts): parts.allSatisfy { $0.matchesEmpty(where: assertions) }
        case .choice(let branches): branches.contains { $0.matchesEmpty(where: assertions) }
        case .repetition(let body, let minimum, _): minimum == 0 || body.matchesEmpty(where: assertions)
        }
    }

    /// Whether it matches the empty text at most.
    var matchesOnlyEmpty: Bool {
        switch self {
        case .never, .empty, .assertion: true
        case .scalar: false
        case .sequence(let parts), .choice(let parts): parts.allSatisfy(\.matchesOnlyEmpty)
        case .repetition(let body, _, _): body.matchesOnlyEmpty
        }
    }

    /// The pattern for texts that consist of the scalars of a set.
    func limited(to scalars: ScalarSet) -> Pattern {
        switch self {
        case .never, .empty, .assertion: self
        case .scalar(let set): .scalar(set.intersection(scalars))
        case .sequence(let parts): .sequence(parts.map { $0.limited(to: scalars) })
        case .choice(let branches): .choice(branches.map { $0.limited(to: scalars) })
        case .repetition(let body, let minimum, let maximum):
            .repetition(body.limited(to: scalars), minimum: minimum, maximum: maximum)
        }
    }
}
