/// The meaning of a regular expression, independent of its notation: the part that all engines can express. The only
/// question about a pattern is whether it occurs anywhere in a text. So there are no captures, and no preferences for
/// short or long matches. Sets contain all the scalars that match, so nothing depends on flags.
package indirect enum PortablePattern: Hashable, Sendable {
    case scalar(ScalarSet)
    /// Matches the empty text at certain places.
    case assertion(Assertion)
    case sequence([PortablePattern])
    case choice([PortablePattern])
    /// Matches the pattern repeatedly, at least `minimum` times, and at most `maximum` times unless that is `nil`.
    case repetition(PortablePattern, minimum: Int, maximum: Int?)

    /// A condition on the place between two scalars. Words consist of letters, digits and `_` of ASCII.
    package enum Assertion: Sendable { case textStart, textEnd, wordBoundary }

    /// A construct that an engine reads in another way, or not at all.
    package struct Refusal: Error {
        /// The construct and the remedy, to follow "the pattern uses".
        package let reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    package static let empty = PortablePattern.sequence([])
    package static let never = PortablePattern.scalar(ScalarSet([]))
}

extension PortablePattern {
    /// Whether the empty text matches: everywhere, or at some places too if assertions may hold.
    func matchesEmpty(ifAssertionsHold: Bool = false) -> Bool {
        switch self {
        case .scalar: false
        case .assertion: ifAssertionsHold
        case .sequence(let parts): parts.allSatisfy { $0.matchesEmpty(ifAssertionsHold: ifAssertionsHold) }
        case .choice(let branches): branches.contains { $0.matchesEmpty(ifAssertionsHold: ifAssertionsHold) }
        case .repetition(let body, let minimum, _):
            minimum == 0 || body.matchesEmpty(ifAssertionsHold: ifAssertionsHold)
        }
    }

    /// The pattern for texts that consist of the scalars of a set.
    package func limited(to scalars: ScalarSet) -> PortablePattern {
        switch self {
        case .assertion: self
        case .scalar(let set): .scalar(set.intersection(scalars))
        case .sequence(let parts): .sequence(parts.map { $0.limited(to: scalars) })
        case .choice(let branches): .choice(branches.map { $0.limited(to: scalars) })
        case .repetition(let body, let minimum, let maximum):
            .repetition(body.limited(to: scalars), minimum: minimum, maximum: maximum)
        }
    }

    /// The number of times that every match contains a scalar, at least.
    package func leastCount(of scalar: Unicode.Scalar) -> Int {
        switch self {
        case .assertion: 0
        case .scalar(let set): set.only == scalar ? 1 : 0
        case .sequence(let parts): parts.reduce(0) { min(2, $0 + $1.leastCount(of: scalar)) }
        case .choice(let branches): branches.map { $0.leastCount(of: scalar) }.min() ?? 0
        case .repetition(let body, let minimum, _): min(2, minimum * body.leastCount(of: scalar))
        }
    }
}
