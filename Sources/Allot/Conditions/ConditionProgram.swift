import AllotConfiguration

/// All conditions of a plan, compiled: nodes in preorder and pools of literals, all of them plain arrays.
///
/// A class, so that evaluation passes one reference instead of eleven.
final class ConditionProgram: Sendable {
    /// One connective or test. Trivial, so that walking the nodes counts no references.
    struct Node: Sendable {
        var kind: Kind
        var ordering: Condition.Ordering = .equal
        var isNegated = false
        /// An attribute's index, or -1 for the value at hand, or -2 - *n* for the relative path *n* below it.
        var attribute: Int32 = -1
        /// The index behind this node's last descendant.
        var end: Int32 = 0
        /// An index into the pool of the kind.
        var operand: Int32 = 0
        /// A number literal.
        var number: Double = 0
    }

    enum Kind: UInt8, Sendable {
        // Connectives over the nodes up to `end`.
        case all, any, not, segment
        // Tests of one value; the first three have the nodes up to `end` as their operand.
        case hasElement, hasAll, size
        case equalsNull, equalsBoolean, equalsNumber, equalsText, equalsValue
        case isInSet, isInFoldedSet, exists, isType
        case number, text, version, instant, hasPrefix, hasSuffix, contains, matches

        /// Whether it tests a value, rather than joining others.
        var isTest: Bool {
            switch self {
            case .all, .any, .not, .segment: false
            default: true
            }
        }
    }

    /// The members of an `$in`, by type.
    struct LiteralSet: Sendable {
        var texts = ByteTable([])
        var foldedTexts = FoldedTextSet([])
        var numbers: [Double] = []
        var holdsTrue = false
        var holdsFalse = false
        var holdsNull = false
    }

    /// A text literal's place in ``bytes``.
    struct TextRange: Sendable {
        let start: Int
        let end: Int
    }

    let nodes: [Node]
    let bytes: [UInt8]
    let texts: [TextRange]
    let sets: [LiteralSet]
    let versions: [Version]
    let instants: [Instant]
    let expressions: [RegularExpression]
    let values: [JSONValue]
    let types: [Condition.ValueType]
    let relativePaths: [[[UInt8]]]
    /// For each node what it tests, for explanations.
    let words: [ConditionWords]

    init(_ compiler: ConditionCompiler) {
        nodes = compiler.nodes
        bytes = compiler.bytes
        texts = compiler.texts
        sets = compiler.sets
        versions = compiler.versions
        instants = compiler.instants
        expressions = compiler.expressions
        values = compiler.values
        types = compiler.types
        relativePaths = compiler.relativePaths
        words = compiler.words
    }
}

/// What a node asks, in words.
struct ConditionWords: Sendable {
    /// The attribute that is tested; `nil` for a connective.
    let attribute: String?
    let text: String

    init(_ text: String, attribute: String? = nil) {
        self.text = text
        self.attribute = attribute
    }
}

extension ConditionProgram.LiteralSet {
    init(_ literals: [JSONValue], ignoringCase: Bool) {
        var texts: [[UInt8]] = []
        for literal in literals {
            switch literal {
            case .string(let text): texts.append(Array(text.utf8))
            case .number(let number): numbers.append(number.double)
            case .boolean(true): holdsTrue = true
            case .boolean(false): holdsFalse = true
            case .null: holdsNull = true
            case .array, .object: break
            }
        }
        numbers.sort()
        if ignoringCase {
            foldedTexts = FoldedTextSet(texts)
        } else {
            self.texts = ByteTable(texts.map { ($0, 0) })
        }
    }
}
