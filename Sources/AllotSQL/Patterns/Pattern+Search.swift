extension Pattern {
    /// A simpler pattern that occurs in the same texts as RE2 finds this one in.
    var search: Pattern {
        withPlacesInsideScalars.simplified().trimmed(.leading).trimmed(.trailing).simplified()
    }

    /// RE2 looks between the bytes of a scalar too, where no word begins or ends: `\B` occurs in "é" there, and
    /// nowhere else. No scalar starts there, so that only patterns that match the empty text are concerned.
    private var withPlacesInsideScalars: Pattern {
        guard matchesEmpty(where: [.noWordBoundary]) else { return self }
        return .choice([self, .scalar(ScalarSet.ascii.complement)])
    }

    private enum Edge {
        case leading, trailing
    }

    /// Takes away what adds nothing to the question whether the pattern occurs: `a*b+` occurs where `b` does.
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
