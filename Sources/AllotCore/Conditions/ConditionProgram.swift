import AllotConfiguration

/// All conditions of a plan, compiled: nodes in preorder and pools of literals, all of them plain arrays; a class, so
/// that evaluation passes on one reference instead of one for each pool.
final class ConditionProgram: Sendable {
    /// One connective or test, which is trivial, so that walking the nodes counts no references.
    struct Node: Sendable {
        /// The value that a test reads; of a connective the attribute that all its tests read, if it is one.
        var source = Source.element
        var kind: Kind
        var ordering: Condition.Ordering = .equal
        var isNegated = false
        /// The index after this node's last descendant.
        var end: Int32 = 0
        /// An index into the pool of the kind.
        var operand: Int32 = 0
        var number: Double = 0

        /// The index of the only attribute that a node reads. Returns `nil` for one that reads several, or elements.
        @inline(__always)
        var attribute: Int? { if case .attribute(let index) = source { Int(index) } else { nil } }
    }

    /// Where a test finds its value.
    enum Source: Sendable {
        case attribute(Int32)
        /// The current element of `$elemMatch`, `$all` and `$size`.
        case element
        /// The member of the current element at the path with this index.
        case member(Int32)
    }

    struct Words: Sendable {
        /// The attribute that is tested; `nil` for a connective.
        let attribute: String?
        let text: String

        init(_ text: String, attribute: String? = nil) { (self.text, self.attribute) = (text, attribute) }
    }

    struct Pools: Sendable {
        var nodes: [Node] = []
        var bytes: [UInt8] = []
        var texts: [Range<Int>] = []
        var sets: [LiteralSet] = []
        var versions: [VersionLiteral] = []
        var instants: [Instant] = []
        var expressions: [RegularExpression] = []
        /// The places of several patterns of one test in `expressions`.
        var expressionLists: [Range<Int>] = []
        var parts: [TextPartSet] = []
        var networks: [IPNetworkSet] = []
        var values: [JSONValue] = []
        var types: [Condition.ValueType] = []
        var memberPaths: [[[UInt8]]] = []
        var words: [Words] = []
    }

    let pools: Pools

    init(_ compiler: ConditionCompiler) { pools = compiler.pools }

    var nodes: [Node] { pools.nodes }
    var words: [Words] { pools.words }
}
