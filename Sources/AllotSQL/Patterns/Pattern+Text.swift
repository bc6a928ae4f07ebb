extension Pattern {
    /// The pattern in an engine's syntax. It occurs in exactly the texts in which RE2 finds it.
    ///
    /// The text is printable ASCII without quotation marks, but with backslashes. It does not depend on the engine's
    /// flags, locale or tables: classes are written as ranges, and all characters but letters and digits as numbers.
    ///
    /// Throws if Java, which backtracks, might take too long or run out of stack.
    func text(for syntax: PatternSyntax) throws(Unsupported) -> String {
        try PatternWriter(syntax: syntax).text(limited(to: syntax.scalars).search, at: PatternWriter.Place())
    }
}

/// Writes simplified patterns.
private struct PatternWriter {
    let syntax: PatternSyntax

    /// The context of a pattern.
    struct Place {
        /// The scalars that can come after the pattern.
        var follow = ScalarSet.all
        /// The number of times that bounded repetitions around the pattern repeat it.
        var repetitions = 1
    }

    /// The number of repetitions of a group that Java may backtrack into: each of them can double the ways to match.
    private static let mostUndecidedRepetitions = 10

    func text(_ pattern: Pattern, at place: Place) throws(Unsupported) -> String {
        switch pattern {
        case .never: return syntax.textEnd + "a"
        case .empty: return ""
        case .scalar(let set): return text(set)
        case .assertion(let assertion): return text(assertion)
        case .sequence(let parts): return try text(sequence: parts, at: place)
        case .choice(let branches):
            var texts: [String] = []
            for branch in branches { texts.append(try text(branch, at: place)) }
            return texts.joined(separator: "|")
        case .repetition(.scalar(let set), let minimum, let maximum):
            return repeated(text(set), minimum: minimum, maximum: maximum)
        case .repetition(let body, let minimum, let maximum):
            return try text(repeated: body, minimum: minimum, maximum: maximum, at: place)
        }
    }

    private func text(sequence parts: [Pattern], at place: Place) throws(Unsupported) -> String {
        var place = place
        var texts: [String] = []
        for part in parts.reversed() {
            let text = try text(part, at: place)
            if case .choice = part { texts.append(grouped(text)) } else { texts.append(text) }
            place.follow = part.first(followedBy: place.follow)
        }
        return texts.reversed().joined()
    }

    /// A repeated group.
    private func text(
        repeated body: Pattern, minimum: Int, maximum: Int?, at place: Place
    ) throws(Unsupported) -> String {
        // Java needs stack for each repetition that it can backtrack into, and one or two thousand exhaust it.
        let isPossessive =
            syntax.backtracks && maximum != 1
            && body.repeatsWithoutBacktracking(minimum: minimum, maximum: maximum, followedBy: place.follow)
        var inner = place
        inner.follow = place.follow.union(body.first(followedBy: place.follow))
        if maximum != 1 {
            inner.repetitions =
                place.repetitions.multipliedReportingOverflow(by: maximum ?? max(minimum, 1)).partialValue
        }
        if syntax.backtracks, maximum != 1, !isPossessive {
            guard maximum != nil else {
                throw Unsupported(
                    """
                    a group with an unbounded repetition can end in several places, and backtracking in a long text \
                    would exhaust the engine's stack; write the pattern so that the next character decides, as in \
                    (?:,\\d+)* for lists of numbers, or bound the repetition
                    """)
            }
            guard inner.repetitions <= Self.mostUndecidedRepetitions else {
                throw Unsupported(
                    """
                    a repeated group can match the same text in several ways, and its bounds or repetitions around it \
                    multiply them beyond what a backtracking engine can try; write the pattern so that the next \
                    character decides, as in (?:,\\d+)* for lists of numbers
                    """)
            }
        }
        let text = grouped(try text(body, at: inner))
        if syntax.backtracks, minimum > 1, body.matchesEmpty(where: Set(Pattern.Assertion.allCases)) {
            // Java ends a repetition at the first empty match, even if a match that is not empty could follow.
            return String(repeating: text, count: minimum)
                + (maximum == minimum ? "" : repeated(text, minimum: 0, maximum: maximum.map { $0 - minimum }))
        }
        return repeated(text, minimum: minimum, maximum: maximum) + (isPossessive ? "+" : "")
    }

    private func grouped(_ text: String) -> String {
        "(?:\(text))"
    }

    /// A repetition, divided into several if its bounds are too large for the engine's braces.
    private func repeated(_ body: String, minimum: Int, maximum: Int?) -> String {
        var text = ""
        var minimum = minimum
        var maximum = maximum
        let most = syntax.largestBound
        while minimum > most {
            text += "\(body){\(most)}"
            minimum -= most
            maximum = maximum.map { $0 - most }
        }
        while let bound = maximum, bound > most {
            // The required repetitions come first, without optional ones, so the rest never becomes negative.
            let required = minimum
            text += required > 0 ? body + quantifier(required, required) : body + quantifier(0, most)
            minimum = 0
            maximum = bound - (required > 0 ? required : most)
        }
        return text + (maximum == 0 ? "" : body + quantifier(minimum, maximum))
    }

    private func quantifier(_ minimum: Int, _ maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (1, 1): ""
        case (_, nil): "{\(minimum),}"
        case (_, minimum): "{\(minimum)}"
        case (_, let maximum?): "{\(minimum),\(maximum)}"
        }
    }

    private func text(_ set: ScalarSet) -> String {
        if set.ranges.count == 1, let only = set.ranges.first, only.count == 1 {
            return syntax.text(of: only.lowerBound)
        }
        let members = set.ranges.map { range in
            let first = syntax.text(of: range.lowerBound)
            let last = syntax.text(of: range.upperBound)
            return switch range.count {
            case 1: first
            case 2: first + last
            default: first + "-" + last
            }
        }
        return "[\(members.joined())]"
    }

    private func text(_ assertion: Pattern.Assertion) -> String {
        let word = text(ScalarSet.word)
        let newline = text(ScalarSet.newline)
        return switch assertion {
        case .textStart: syntax.textStart
        case .textEnd: syntax.textEnd
        case .lineStart: "(?:\(syntax.textStart)|(?<=\(newline)))"
        case .lineEnd: "(?:\(syntax.textEnd)|(?=\(newline)))"
        case .wordBoundary: "(?:(?<=\(word))(?!\(word))|(?<!\(word))(?=\(word)))"
        case .noWordBoundary: "(?:(?<=\(word))(?=\(word))|(?<!\(word))(?!\(word)))"
        }
    }
}
