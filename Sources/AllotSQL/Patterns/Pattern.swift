/// What a regular expression describes, without the ways to write it down.
///
/// Only one question is asked of a pattern: does it occur anywhere in a text? Captures and the preference for short or
/// long matches have therefore no place here.
indirect enum Pattern: Hashable, Sendable {
    /// Matches nothing, not even the empty text.
    case never
    /// Matches the empty text, everywhere.
    case empty
    /// Matches one scalar of a set.
    case scalar(ScalarSet)
    /// Matches the empty text, at some places.
    case assertion(Assertion)
    case sequence([Pattern])
    case choice([Pattern])
    /// Matches the pattern at least and at most so many times in a row; no maximum is written `nil`.
    case repetition(Pattern, minimum: Int, maximum: Int?)

    /// A condition on the place between two scalars.
    enum Assertion: Sendable, CaseIterable {
        case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
    }
}

extension Pattern {
    /// Whether the empty text matches at a place where these assertions hold, and no others.
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

    /// Whether all that matches is the empty text.
    var matchesOnlyEmpty: Bool {
        switch self {
        case .never, .empty, .assertion: true
        case .scalar: false
        case .sequence(let parts), .choice(let parts): parts.allSatisfy(\.matchesOnlyEmpty)
        case .repetition(let body, _, _): body.matchesOnlyEmpty
        }
    }

    /// The pattern on texts that hold only the scalars of a set.
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
