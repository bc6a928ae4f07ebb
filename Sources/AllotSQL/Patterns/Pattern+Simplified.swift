extension Pattern {
    /// An equivalent, simpler pattern. Backtracking engines are slow if a text matches in several ways.
    func simplified() -> Pattern {
        switch self {
        case .never, .empty, .assertion: self
        case .scalar(let set): set.isEmpty ? .never : self
        case .sequence(let parts): Self.sequence(simplifying: parts)
        case .choice(let branches): Self.choice(simplifying: branches)
        case .repetition(let body, let minimum, let maximum):
            body.simplified().repeated(minimum: minimum, maximum: maximum)
        }
    }

    private static func sequence(simplifying parts: [Pattern]) -> Pattern {
        var flat: [Pattern] = []
        for part in parts {
            switch part.simplified() {
            case .never: return .never
            case .empty: continue
            case .sequence(let inner): flat += inner
            case let other: flat.append(other)
            }
        }
        return flat.count > 1 ? .sequence(flat) : flat.first ?? .empty
    }

    /// Merges all branches of one scalar into one class, and turns an empty branch into an optional repetition.
    private static func choice(simplifying branches: [Pattern]) -> Pattern {
        var flat: [Pattern] = []
        for branch in branches {
            if case .choice(let inner) = branch.simplified() {
                flat += inner
            } else {
                flat.append(branch.simplified())
            }
        }
        var ranges: [ClosedRange<UInt32>] = []
        for case .scalar(let set) in flat { ranges += set.ranges }
        var rest: [Pattern] = []
        var seen: Set<Pattern> = [.never, .empty]
        for branch in flat {
            let merged: Pattern = if case .scalar = branch { .scalar(ScalarSet(ranges)) } else { branch }
            if seen.insert(merged).inserted { rest.append(merged) }
        }
        let choice: Pattern = rest.count > 1 ? .choice(rest) : rest.first ?? .never
        return flat.contains(.empty) ? choice.repeated(minimum: 0, maximum: 1) : choice
    }

    /// A repetition of this pattern, which is already simplified.
    private func repeated(minimum: Int, maximum: Int?) -> Pattern {
        if maximum == 0 || self == .empty { return .empty }
        // An assertion that holds once holds again.
        if matchesOnlyEmpty { return minimum == 0 ? .empty : self }
        if minimum == 1, maximum == 1 { return self }
        let least = matchesEmpty() ? 0 : minimum
        if case .repetition(let body, let inner, let most) = self {
            // (x*){2,3} is x*, and (x+){2,3} is x{2,}.
            if most == nil, inner <= 1 { return body.repeated(minimum: inner * minimum, maximum: nil) }
            // (x?){2,3} is x{0,3}.
            if inner == 0, most == 1 { return body.repeated(minimum: 0, maximum: maximum) }
            // (x{0,5})* is x*, and (x{1,5}){2,} is x{2,}.
            if maximum == nil, inner <= 1 { return body.repeated(minimum: inner * minimum, maximum: nil) }
        }
        if maximum == nil, least == 0 {
            let core = choiceCore.simplified()
            return core == self ? .repetition(self, minimum: 0, maximum: nil) : core.repeated(minimum: 0, maximum: nil)
        }
        return .repetition(self, minimum: least, maximum: maximum)
    }

    /// A pattern with the same unbounded repetition, such as `a|b` for `a*b*`.
    private var choiceCore: Pattern {
        switch self {
        case _ where matchesOnlyEmpty: .never
        case .choice(let branches): .choice(branches.map(\.choiceCore))
        case .sequence(let parts) where matchesEmpty(): .choice(parts.map(\.choiceCore))
        case .repetition(let body, 0...1, _): body.choiceCore
        default: self
        }
    }
}
