extension Pattern {
    /// An equivalent, simpler pattern. Backtracking engines are slow if a text matches in several ways.
    ///
    /// Complexity: O(*n* *d*) for a pattern of size *n* and depth *d*: each part is simplified once.
    func simplified() -> Pattern {
        switch self {
        case .never, .empty, .assertion: self
        case .scalar(let set): set.isEmpty ? .never : self
        case .sequence(let parts): Self.sequence(of: parts.map { $0.simplified() })
        case .choice(let branches): Self.choice(of: branches.map { $0.simplified() })
        case .repetition(let body, let minimum, let maximum):
            body.simplified().repeated(minimum: minimum, maximum: maximum)
        }
    }

    /// A sequence of parts that are already simplified.
    private static func sequence(of parts: [Pattern]) -> Pattern {
        var flat: [Pattern] = []
        for part in parts {
            switch part {
            case .never: return .never
            case .empty: continue
            case .sequence(let inner): flat += inner
            case let other: flat.append(other)
            }
        }
        return flat.count > 1 ? .sequence(flat) : flat.first ?? .empty
    }

    /// A choice of branches that are already simplified. Merges all branches of one scalar into one class, and turns an
    /// empty branch into an optional repetition.
    private static func choice(of branches: [Pattern]) -> Pattern {
        var flat: [Pattern] = []
        for branch in branches {
            if case .choice(let inner) = branch { flat += inner } else { flat.append(branch) }
        }
        var ranges: [ClosedRange<UInt32>] = []
        for case .scalar(let set) in flat { ranges += set.ranges }
        var rest: [Pattern] = []
        var seen: Set<Pattern> = [.never, .empty]
        var hasScalar = false
        for branch in flat {
            if case .scalar = branch {
                if !hasScalar { rest.append(.scalar(ScalarSet(ranges))) }
                hasScalar = true
            } else if seen.insert(branch).inserted {
                rest.append(branch)
            }
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
            let core = choiceCore
            return core == self ? .repetition(self, minimum: 0, maximum: nil) : core.repeated(minimum: 0, maximum: nil)
        }
        return .repetition(self, minimum: least, maximum: maximum)
    }

    /// A pattern with the same unbounded repetition, such as `a|b` for `a*b*`; this pattern is simplified, and so is
    /// the result.
    private var choiceCore: Pattern {
        switch self {
        case _ where matchesOnlyEmpty: .never
        case .choice(let branches): Self.choice(of: branches.map(\.choiceCore))
        case .sequence(let parts) where matchesEmpty(): Self.choice(of: parts.map(\.choiceCore))
        case .repetition(let body, 0...1, _): body.choiceCore
        default: self
        }
    }
}
