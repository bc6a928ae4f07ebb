extension Pattern {
    /// The pattern in an engine's syntax, which occurs in exactly the texts in which RE2 finds it.
    ///
    /// The text is printable ASCII without quotation marks, but with backslashes. It does not depend on the engine's
    /// flags, locale or tables: classes are written as ranges, and all characters but letters and digits as numbers.
    ///
    /// Throws if Java, which backtracks, might take too long or run out of stack.
    func text(for syntax: PatternSyntax) throws(Unsupported) -> String {
        let pattern = limited(to: syntax.scalars).search
        let written = try PatternWriter(syntax: syntax).written(pattern, at: PatternWriter.Place())
        // Where the pattern does not begin at the start of the text, each place is tried.
        guard !syntax.backtracks || written.effort.isBearable(places: pattern.isAtTextStart ? 0 : 1) else {
            throw Unsupported(
                """
                several of its repetitions can end in many places each, and a backtracking engine could try all \
                combinations for hours in a long text; write the pattern so that the next character decides where a \
                repetition ends, as in [^,]*, for a part of a list
                """)
        }
        return written.text
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
        /// Whether the whole pattern ends here, so that the first match is as good as any.
        var isLast = true
    }

    /// A pattern in the engine's syntax, with what it may cost.
    struct Written {
        var text: String
        var effort = PatternEffort()
    }

    /// The number of repetitions of a group that Java may backtrack into: each of them can double the ways to match.
    private static let mostUndecidedRepetitions = 10

    func written(_ pattern: Pattern, at place: Place) throws(Unsupported) -> Written {
        switch pattern {
        case .never: return Written(text: syntax.textEnd + "a")
        case .empty: return Written(text: "")
        case .scalar(let set): return Written(text: text(set))
        case .assertion(let assertion): return Written(text: text(assertion))
        case .sequence(let parts): return try written(sequence: parts, at: place)
        case .choice(let branches):
            var all: [Written] = []
            for branch in branches { all.append(try written(branch, at: place)) }
            return Written(
                text: all.map(\.text).joined(separator: "|"), effort: PatternEffort(choiceOf: all.map(\.effort)))
        case .repetition(.scalar(let set), let minimum, let maximum):
            return written(repeated: set, minimum: minimum, maximum: maximum, at: place)
        case .repetition(let body, let minimum, let maximum):
            return try written(repeated: body, minimum: minimum, maximum: maximum, at: place)
        }
    }

    private func written(sequence parts: [Pattern], at place: Place) throws(Unsupported) -> Written {
        var place = place
        let end = place
        var texts = parts.map { _ in "" }
        var effort = PatternEffort()
        for (index, part) in parts.enumerated().reversed() {
            var piece = try written(part, at: place)
            if case .choice = part { piece.text = grouped(piece.text) }
            if syntax.backtracks, piece.effort.endsInManyPlaces,
                let last = Self.end(ofFirstMatchAt: index, in: parts, at: end)
            {
                piece.text = "(?>\(piece.text)?"
                if last == index { piece.text += ")" } else { texts[last] += ")" }
                piece.effort = .ofScan
            }
            texts[index] = piece.text
            effort = piece.effort.followed(by: effort)
            place.follow = part.first(followedBy: place.follow)
            place.isLast = false
        }
        return Written(text: texts.joined(), effort: effort)
    }

    /// Where a text has to be found after an unbounded repetition, as in `.*foo.*`, the index of its last part, if
    /// finding it once is enough: if the text stands elsewhere too, what comes after it matches after the first one
    /// as well. That is so at the end of the pattern, and before an unbounded repetition of all the scalars between.
    private static func end(ofFirstMatchAt index: Int, in parts: [Pattern], at place: Place) -> Int? {
        guard case .repetition(.scalar(var scalars), _, nil) = parts[index] else { return nil }
        var next = index + 1
        while next < parts.count, let fixed = parts[next].scalarsOfFixedLength {
            scalars = scalars.union(fixed)
            next += 1
        }
        guard next < parts.count else { return place.isLast ? next - 1 : nil }
        guard case .repetition(.scalar(let all), _, nil) = parts[next], scalars.subtracting(all).isEmpty else {
            return nil
        }
        return next - 1
    }

    /// A repeated scalar.
    private func written(repeated set: ScalarSet, minimum: Int, maximum: Int?, at place: Place) -> Written {
        let isDecided = Pattern.scalar(set)
            .repeatsWithoutBacktracking(minimum: minimum, maximum: maximum, followedBy: place.follow)
        let isPossessive = syntax.backtracks && isDecided && maximum != minimum && maximum != 1
        return Written(
            text: repeated(text(set), minimum: minimum, maximum: maximum) + (isPossessive ? "+" : ""),
            effort: PatternEffort(repeatedScalar: minimum, maximum, isDecided: isDecided))
    }

    /// A repeated group.
    private func written(
        repeated body: Pattern, minimum: Int, maximum: Int?, at place: Place
    ) throws(Unsupported) -> Written {
        // Java needs stack for each repetition that it can backtrack into, and one or two thousand exhaust it.
        let isPossessive =
            syntax.backtracks && maximum != 1
            && body.repeatsWithoutBacktracking(minimum: minimum, maximum: maximum, followedBy: place.follow)
        var inner = place
        inner.follow = place.follow.union(body.first(followedBy: place.follow))
        if maximum != 1 {
            inner.isLast = false
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
        let written = try written(body, at: inner)
        let text = grouped(written.text)
        let effort =
            isPossessive
            ? .ofScan : PatternEffort(repeatedGroup: written.effort, minimum: minimum, maximum: maximum ?? 1)
        if syntax.backtracks, minimum > 1, body.matchesEmpty(where: Set(Pattern.Assertion.allCases)) {
            // Java ends a repetition at the first empty match, even if a match that is not empty could follow.
            let optional = maximum == minimum ? "" : repeated(text, minimum: 0, maximum: maximum.map { $0 - minimum })
            return Written(text: String(repeating: text, count: minimum) + optional, effort: effort)
        }
        return Written(
            text: repeated(text, minimum: minimum, maximum: maximum) + (isPossessive ? "+" : ""), effort: effort)
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
