extension Pattern {
    /// A simpler pattern that occurs in the same texts, by RE2's rules.
    var search: Pattern {
        withPlacesInsideScalars.simplified().trimmed(.leading).trimmed(.trailing).simplified()
    }

    /// The pattern with matches between the bytes of a scalar. RE2 looks there too, and no word begins or ends there:
    /// `\B` occurs in "é". No scalar starts there, so this matters only for patterns that match the empty text.
    private var withPlacesInsideScalars: Pattern {
        guard matchesEmpty(where: [.noWordBoundary]) else { return self }
        return .choice([self, .scalar(ScalarSet.ascii.complement)])
    }

    private enum Edge {
        case leading, trailing
    }

    /// Removes the parts that do not affect whether the pattern occurs: `a*b+` occurs where `b` does.
    private func trimmed(_ edge: Edge) -> Pattern {
        if matchesEmpty() { return .empty }
        switch self {
        case .never, .empty, .scalar, .assertion: return self
        case .choice(let branches): return .choice(branches.map { $0.trimmed(edge) })
        case .repetition(let body, let minimum, _):
            return minimum == 1 ? body.trimmed(edge) : .repetition(body, minimum: minimum, maximum: minimum)
        case .sequence(var parts):
            switch edge {
            case .leading:
                let first = parts.firstIndex { !$0.matchesEmpty() } ?? 0
                parts.removeFirst(first)
                if !parts.isEmpty { parts[0] = parts[0].trimmed(edge) }
            case .trailing:
                let last = parts.lastIndex { !$0.matchesEmpty() } ?? parts.count - 1
                parts.removeLast(parts.count - 1 - last)
                if !parts.isEmpty { parts[parts.count - 1] = parts[parts.count - 1].trimmed(edge) }
            }
            return .sequence(parts)
        }
    }
}
