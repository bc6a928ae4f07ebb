import AllotCore

/// The beginnings, or the endings, one of which a text has.
struct TextEdges: Sendable {
    private let isAtEnd: Bool
    private let ignoresCase: Bool
    /// The literals in order, the last byte first if they are endings.
    private let exact: [[UInt8]]
    private let folded: [[UInt8]]

    /// Returns `nil` for a part that may be anywhere.
    init?(_ part: Condition.TextPart, _ literals: [String], ignoringCase: Bool) {
        switch part {
        case .prefix: isAtEnd = false
        case .suffix: isAtEnd = true
        case .anywhere: return nil
        }
        let isAtEnd = isAtEnd
        func edge(_ bytes: [UInt8]) -> [UInt8] { isAtEnd ? bytes.reversed() : bytes }
        ignoresCase = ignoringCase
        exact = Self.shortest(literals.map { edge(Array($0.utf8)) })
        folded = Self.shortest(literals.map { edge(CaseFolding.folded(Array($0.utf8).span)) })
    }

    /// The edges in order, without those that begin with another one.
    private static func shortest(_ edges: [[UInt8]]) -> [[UInt8]] {
        var shortest: [[UInt8]] = []
        for edge in edges.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            // The edges that begin with the last one follow it directly.
            if let last = shortest.last, edge.starts(with: last) { continue }
            shortest.append(edge)
        }
        return shortest
    }

    /// Whether no text has an edge of both: of no two edges one begins with the other. A text with an edge has, folded,
    /// the folded edge, because folding replaces one character after another. Complexity: O(literals of both).
    func isDisjoint(from other: TextEdges) -> Bool {
        guard isAtEnd == other.isAtEnd else { return false }
        let isExact = !ignoresCase && !other.ignoresCase
        let (own, others) = isExact ? (exact, other.exact) : (folded, other.folded)
        // As no edge of one side begins with another of it, edges of which one begins with the other meet here.
        var (left, right) = (0, 0)
        while left < own.count, right < others.count {
            if own[left].starts(with: others[right]) || others[right].starts(with: own[left]) { return false }
            if own[left].lexicographicallyPrecedes(others[right]) { left += 1 } else { right += 1 }
        }
        return true
    }
}
