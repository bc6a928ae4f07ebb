import AllotConfiguration

extension Condition {
    /// One line of a condition in words.
    package struct Line: Sendable, Hashable {
        /// 0 for the outermost.
        package let depth: Int
        package let text: String
    }

    /// The condition by itself: a connective, or the test of an operator without its subject.
    var words: String {
        switch self {
        case .all: "all of"
        case .any: "any of"
        case .not: "not"
        case .segment(let name, _): "in the segment \(name)"
        case .test(let test): test.words
        }
    }

    /// The condition in words, a line for each connective and each test. Empty if everyone satisfies it.
    package var lines: [Line] {
        var lines: [Line] = []
        append(to: &lines, depth: 0)
        // Only one thing is asked: the connective around it would say nothing.
        if case .all(let parts) = self, parts.count <= 1 {
            return lines.dropFirst().map { Line(depth: $0.depth - 1, text: $0.text) }
        }
        return lines
    }

    private func append(to lines: inout [Line], depth: Int) {
        let text = if case .test(let test) = self { "\(test.subject) \(test.words)" } else { words }
        lines.append(Line(depth: depth, text: text))
        for part in parts { part.append(to: &lines, depth: depth + 1) }
    }
}

extension Condition.Test { var subject: String { attribute ?? "the element" } }
