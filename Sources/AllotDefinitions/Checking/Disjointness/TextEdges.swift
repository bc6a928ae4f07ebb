import Allot

/// The beginnings, or the endings, one of which a text has.
struct TextEdges: Sendable {
    private let isAtEnd: Bool
    private let ignoresCase: Bool
    /// The literals, the last byte first if they are endings.
    private let exact: [[UInt8]]
    private let folded: [[UInt8]]

    /// Returns nil for a part that may be anywhere.
    init?(_ part: Condition.TextPart, _ literals: [String], ignoringCase: Bool) {
        switch part {
        case .prefix: isAtEnd = false
        case .suffix: isAtEnd = true
        case .anywhere: return nil
        }
        let isAtEnd = isAtEnd
        func edge(_ bytes: [UInt8]) -> [UInt8] { isAtEnd ? bytes.reversed() : bytes }
        ignoresCase = ignoringCase
        exact = literals.map { edge(Array($0.utf8)) }
        folded = literals.map { edge(CaseFolding.folded(Array($0.utf8).span)) }
    }

    /// Whether no text has an edge of both: of no two edges one begins with the other. A text with an edge has, folded,
    /// the folded edge, because folding replaces one character after another.
    func isDisjoint(from other: TextEdges) -> Bool {
        guard isAtEnd == other.isAtEnd else { return false }
        let isExact = !ignoresCase && !other.ignoresCase
        let (own, others) = isExact ? (exact, other.exact) : (folded, other.folded)
        return own.allSatisfy { left in
            !others.contains { right in zip(left, right).allSatisfy { $0 == $1 } }
        }
    }
}
