extension Pattern {
    /// A simpler pattern that occurs in the same texts, by RE2's rules.
    var search: Pattern {
        withPlacesInsideScalars.simplified().trimmed(atEnd: false).trimmed(atEnd: true).simplified()
    }

    /// The pattern with matches between the bytes of a scalar. RE2 looks there too, and no word begins or ends there:
    /// `\B` occurs in "é". No scalar starts there, so this matters only for patterns that match the empty text.
    private var withPlacesInsideScalars: Pattern {
        guard matchesEmpty(where: [.noWordBoundary]) else { return self }
        return .choice([self, .scalar(ScalarSet.ascii.complement)])
    }

    /// Removes the parts at one end that do not affect whether the pattern occurs: `a*b+` occurs where `b` does.
    private func trimmed(atEnd: Bool) -> Pattern {
        if matchesEmpty() { return .empty }
        switch self {
        case .never, .empty, .scalar, .assertion: return self
        case .choice(let branches): return .choice(branches.map { $0.trimmed(atEnd: atEnd) })
        case .repetition(let body, let minimum, _):
            return minimum == 1 ? body.trimmed(atEnd: atEnd) : .repetition(body, minimum: minimum, maximum: minimum)
        case .sequence(let parts):
            // Not all parts match the empty text, or the sequence would.
            var rest = Array((atEnd ? parts.reversed() : parts).drop { $0.matchesEmpty() })
            rest[0] = rest[0].trimmed(atEnd: atEnd)
            return .sequence(atEnd ? rest.reversed() : rest)
        }
    }
}
