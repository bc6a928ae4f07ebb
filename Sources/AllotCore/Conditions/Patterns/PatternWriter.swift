extension PortablePattern {
    /// The pattern in an engine's syntax, which occurs in exactly the texts in which this one does: printable ASCII
    /// without quotation marks, but with backslashes. It does not depend on the engine's flags, locale or tables:
    /// classes are written as ranges, and all characters but letters and digits as numbers. Throws if Java, which
    /// backtracks, might take too long or run out of stack, and if a bound is too large.
    package func text(for syntax: PatternSyntax) throws(Refusal) -> String {
        // No text of PostgreSQL contains U+0000.
        let pattern = (syntax == .postgresql ? limited(to: ScalarSet([0...0]).complement) : self).search
        let written = try PatternWriter(syntax: syntax).written(pattern, followedBy: .all)
        // Where the pattern does not begin at the start of the text, each place is tried.
        let places = pattern.elements.first == .assertion(.textStart) ? 1 : PatternWriter.longest
        guard syntax != .java || places * (written.steps + written.ways) <= PatternWriter.mostSteps else {
            throw Refusal(
                "several repetitions that can end in many places each, and a backtracking engine could try all "
                    + "combinations for hours; write it so that the next character decides where a repetition ends, "
                    + "as in [^,]*, for a part of a list")
        }
        return written.text
    }

    /// The scalars that can come next where this pattern matches, followed by another one, which begins with some of
    /// `follow`.
    fileprivate func first(followedBy follow: ScalarSet) -> ScalarSet {
        switch self {
        case .assertion(.textEnd): ScalarSet([])
        case .assertion: follow
        case .scalar(let set): set
        case .sequence(let parts): parts.reversed().reduce(follow) { $1.first(followedBy: $0) }
        case .choice(let branches): ScalarSet(branches.flatMap { $0.first(followedBy: follow).ranges })
        case .repetition(let body, let minimum, _):
            minimum == 0 ? follow.union(body.first(followedBy: follow)) : body.first(followedBy: follow)
        }
    }
}

private struct PatternWriter {
    let syntax: PatternSyntax

    static let longest = Double(RegularExpression.maximumTextLength)
    /// Four times 4,096³, which three unbounded repetitions try in a text of 4,096 bytes, and Java in two minutes.
    static let mostSteps = 0x1p38

    /// A pattern in the engine's syntax, with the most that a backtracking engine may do for it at one place.
    struct Written {
        var text: String
        /// The repetitions that are tried.
        var steps = 0.0
        /// The number of matches, after each of which the engine may try what follows.
        var ways = 1.0
    }

    /// - Parameter follow: the scalars that can come after the pattern.
    func written(_ pattern: PortablePattern, followedBy follow: ScalarSet) throws(PortablePattern.Refusal) -> Written {
        switch pattern {
        case .scalar(let set): return Written(text: set.isEmpty ? syntax.textEnd + "a" : syntax.text(of: set))
        case .assertion(let assertion): return Written(text: text(assertion))
        case .sequence(let parts):
            var all = Written(text: "")
            var texts: [String] = []
            var follow = follow
            for part in parts.reversed() {
                let piece = try written(part, followedBy: follow)
                let isChoice = if case .choice = part { true } else { false }
                texts.append(isChoice ? "(?:\(piece.text))" : piece.text)
                all.steps = piece.steps + piece.ways * all.steps
                all.ways *= piece.ways
                follow = part.first(followedBy: follow)
            }
            all.text = texts.reversed().joined()
            return all
        case .choice(let branches):
            let all = try branches.map { branch throws(PortablePattern.Refusal) in
                try written(branch, followedBy: follow)
            }
            var (seen, isDecided) = (ScalarSet([]), true)
            for branch in branches where isDecided {
                let first = branch.first(followedBy: follow)
                // An empty branch would match before later branches were tried.
                isDecided = !branch.matchesEmpty() && first.isDisjoint(from: seen)
                seen = seen.union(first)
            }
            let ways = isDecided ? all.map(\.ways).max() ?? 1 : all.reduce(0) { $0 + $1.ways }
            return Written(
                text: all.map(\.text).joined(separator: "|"), steps: all.reduce(0) { $0 + $1.steps }, ways: ways)
        case .repetition(let body, let minimum, let maximum):
            return try written(repeated: body, minimum: minimum, maximum: maximum, followedBy: follow)
        }
    }

    private func written(
        repeated body: PortablePattern, minimum: Int, maximum: Int?, followedBy follow: ScalarSet
    ) throws(PortablePattern.Refusal) -> Written {
        let first = body.first(followedBy: follow)
        var all = try written(body, followedBy: maximum == 1 ? follow : follow.union(first))
        // Where the next scalar alone decides whether it repeats again, a text matches in one way at most, and a
        // possessive repetition has the same matches as a backtracking one.
        let isDecided = all.ways == 1 && !body.matchesEmpty() && (minimum == maximum || first.isDisjoint(from: follow))
        if case .scalar = body {
            all.steps = min(Self.longest, maximum.map { Double($0) } ?? Self.longest)
            all.ways = isDecided ? 1 : max(1, all.steps - Double(minimum) + 1)
        } else {
            all.text = "(?:\(all.text))"
            guard maximum == 1 || isDecided || syntax != .java else {
                // Each repetition that Java can backtrack into takes stack too, and one or two thousand exhaust it.
                throw PortablePattern.Refusal(
                    "a repeated group that can end in several places, and backtracking in a long text could take hours "
                        + "or exhaust the engine's stack; write it so that the next character decides, as in "
                        + "(?:,\\d+)* for lists of numbers")
            }
            if maximum != 1 { all.steps = Self.longest }
            all.ways = isDecided ? 1 : all.ways + 1
        }
        let largest = max(minimum, maximum ?? 0)
        guard largest <= syntax.largestBound else {
            throw PortablePattern.Refusal(
                "the bound \(largest), and the engine takes \(syntax.largestBound) at most; "
                    + "write smaller ones, one after another")
        }
        all.text += quantifier(minimum, maximum)
        if syntax == .java, isDecided, maximum != minimum, maximum != 1 { all.text += "+" }
        return all
    }

    private func quantifier(_ minimum: Int, _ maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (_, nil): "{\(minimum),}"
        case (_, minimum): "{\(minimum)}"
        case (_, let maximum?): "{\(minimum),\(maximum)}"
        }
    }

    private func text(_ assertion: PortablePattern.Assertion) -> String {
        let word = syntax.text(of: .word)
        return switch assertion {
        case .textStart: "\\A"
        case .textEnd: syntax.textEnd
        case .wordBoundary: "(?:(?<=\(word))(?!\(word))|(?<!\(word))(?=\(word)))"
        }
    }
}
