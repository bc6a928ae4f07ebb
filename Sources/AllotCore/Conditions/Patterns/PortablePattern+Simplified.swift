extension PortablePattern {
    /// A simpler pattern that occurs in the same texts.
    package var search: PortablePattern { simplified().trimmed(atEnd: false).trimmed(atEnd: true).simplified() }

    /// Removes the parts at one end that do not affect whether the pattern occurs: `a*b+` occurs where `b` does.
    private func trimmed(atEnd: Bool) -> PortablePattern {
        if matchesEmpty() { return .empty }
        switch self {
        case .scalar, .assertion: return self
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

    /// An equivalent pattern without groups that are not needed.
    func simplified() -> PortablePattern {
        switch self {
        case .scalar, .assertion: self
        case .sequence(let parts): Self.sequence(of: parts.map { $0.simplified() })
        case .choice(let branches): Self.choice(of: branches.map { $0.simplified() })
        case .repetition(let body, let minimum, let maximum):
            body.simplified().repeated(minimum: minimum, maximum: maximum)
        }
    }

    package var elements: [PortablePattern] { if case .sequence(let parts) = self { parts } else { [self] } }
    private var branches: [PortablePattern] { if case .choice(let branches) = self { branches } else { [self] } }

    private static func sequence(of parts: [PortablePattern]) -> PortablePattern {
        guard !parts.contains(.never) else { return .never }
        let flat = parts.flatMap(\.elements)
        return flat.count == 1 ? flat[0] : .sequence(flat)
    }

    /// A choice of branches that are already simplified. Merges all branches of one scalar into one class, and turns an
    /// empty branch into an optional repetition.
    private static func choice(of branches: [PortablePattern]) -> PortablePattern {
        var ranges: [ClosedRange<UInt32>] = []
        var rest: [PortablePattern] = []
        for branch in branches.flatMap(\.branches) {
            if case .scalar(let set) = branch { ranges += set.ranges } else if branch != .empty { rest.append(branch) }
        }
        if !ranges.isEmpty { rest.append(.scalar(ScalarSet(ranges))) }
        let choice = rest.count > 1 ? PortablePattern.choice(rest) : rest.first ?? .never
        return branches.contains(.empty) ? choice.repeated(minimum: 0, maximum: 1) : choice
    }

    private func repeated(minimum: Int, maximum: Int?) -> PortablePattern {
        if maximum == 0 || self == .empty || self == .never && minimum == 0 { return .empty }
        if case .assertion = self { return minimum == 0 ? .empty : self }
        if minimum == 1 && maximum == 1 || self == .never { return self }
        return .repetition(self, minimum: minimum, maximum: maximum)
    }
}
