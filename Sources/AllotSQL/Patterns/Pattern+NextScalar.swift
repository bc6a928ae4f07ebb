extension Pattern {
    /// The scalars that can come next where this pattern matches, followed by another one.
    /// - Parameter follow: the scalars that can come next where the other one matches.
    func first(followedBy follow: ScalarSet) -> ScalarSet {
        switch self {
        case .never, .assertion(.textEnd): ScalarSet([])
        case .assertion(.lineEnd): .newline
        case .empty, .assertion: follow
        case .scalar(let set): set
        case .sequence(let parts): parts.reversed().reduce(follow) { $1.first(followedBy: $0) }
        case .choice(let branches): ScalarSet(branches.flatMap { $0.first(followedBy: follow).ranges })
        case .repetition(let body, let minimum, _):
            minimum == 0 ? follow.union(body.first(followedBy: follow)) : body.first(followedBy: follow)
        }
    }

    /// Whether the next scalar alone decides whether this pattern repeats again.
    ///
    /// Then a text matches in one way at most, and a possessive repetition has the same matches as a backtracking one.
    ///
    /// - Parameter follow: the scalars that can come after the repetition.
    func repeatsWithoutBacktracking(minimum: Int, maximum: Int?, followedBy follow: ScalarSet) -> Bool {
        let first = first(followedBy: ScalarSet([]))
        guard !matchesEmpty(), minimum == maximum || first.isDisjoint(from: follow) else { return false }
        return isDecided(followedBy: follow.union(first))
    }

    private func isDecided(followedBy follow: ScalarSet) -> Bool {
        switch self {
        case .never, .assertion: return false
        case .empty, .scalar: return true
        case .sequence(let parts):
            var follow = follow
            for part in parts.reversed() {
                guard part.isDecided(followedBy: follow) else { return false }
                follow = part.first(followedBy: follow)
            }
            return true
        case .choice(let branches):
            // An empty branch would match before later branches were tried.
            guard branches.allSatisfy({ !$0.matchesEmpty() && $0.isDecided(followedBy: follow) }) else { return false }
            var seen = ScalarSet([])
            for branch in branches {
                let first = branch.first(followedBy: follow)
                guard first.isDisjoint(from: seen) else { return false }
                seen = seen.union(first)
            }
            return true
        case .repetition(let body, let minimum, let maximum):
            return body.repeatsWithoutBacktracking(minimum: minimum, maximum: maximum, followedBy: follow)
        }
    }
}
