import AllotConfiguration

/// The operators that compare versions by their precedence.
enum VersionOperator: String, Operator {
    case equal = "$veq"
    case notEqual = "$vne"
    case greater = "$vgt"
    case greaterOrEqual = "$vgte"
    case less = "$vlt"
    case lessOrEqual = "$vlte"

    var isNegation: Bool { self == .notEqual }

    private func comparison(_ version: String) -> (ordering: Condition.Ordering, words: String) {
        switch self {
        case .equal, .notEqual: (.equal, "\(verb) version \(version)")
        case .greater: (.greater, "is a version after \(version)")
        case .greaterOrEqual: (.greaterOrEqual, "is version \(version) or later")
        case .less: (.less, "is a version before \(version)")
        case .lessOrEqual: (.lessOrEqual, "is version \(version) or earlier")
        }
    }

    func words(for literal: JSONValue) -> String { comparison(literal.quoted).words }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        let text: String
        let node = operand.node
        switch node.json {
        case .string(let literal): text = literal
        case .number(let number): text = number.text
        default:
            reading.report(node, "\(rawValue) takes a version such as \"2.3.0\", not \(node.json.described)")
            return nil
        }
        guard let version = Version(Array(text.utf8).span) else {
            reading.report(
                node,
                "\(QuotedText(text)) is not a version; write it as major.minor.patch without leading zeros, such as "
                    + "2.3.0")
            return nil
        }
        if version.numberCount > 3 {
            reading.warn(
                node,
                "\(QuotedText(text)) has \(version.numberCount) numbers, and versions of Semantic Versioning have "
                    + "three; those after the patch number are compared last, so that 2.3.0 = 2.3.0.0 < 2.3.0.1 < "
                    + "2.3.1")
        }
        return .version(comparison(text).ordering, text)
    }
}

extension Operator {
    /// The operator for versions in place of an operator for numbers, for a message.
    func versions(_ node: some ConditionNode) -> String { "$v\(rawValue.dropFirst()): \(node.json.canonicalText)" }
}

extension ConditionCompiler {
    mutating func node(_ ordering: Condition.Ordering, version text: String) -> ConditionProgram.Node {
        let version = Version(Array(text.utf8).span) ?? .zero
        let literal = ConditionProgram.VersionLiteral(text: place(text), version: version)
        return Node(kind: .version, ordering: ordering, operand: Self.enter(literal, in: &pools.versions))
    }
}

extension PassingValues {
    static func ordered(_ ordering: Condition.Ordering, version text: String) -> PassingValues {
        let section = Section(ordering, VersionBound(text).map { [ScaleBound.version($0)] } ?? [])
        return PassingValues(form: .section(.version, section), literals: [.string(text)]) {
            versions(around: text).map(JSONValue.string)
        }
    }

    /// The version, and those just before and after it.
    private static func versions(around text: String) -> [String] {
        let core = text.drop { $0 == "v" || $0 == "V" }.prefix { $0 != "-" && $0 != "+" }
        let parts = core.split(separator: ".").compactMap { Int($0) }
        let padded = parts + Array(repeating: 0, count: max(0, 3 - parts.count))
        // Beyond the largest integer the text does not read as a version, and no test accepts it.
        let next = padded.indices.map { index in
            padded.indices.map { String(padded[$0] &+ ($0 == index ? 1 : 0)) }.joined(separator: ".")
        }
        return [text, padded.map(String.init).joined(separator: ".") + "-0", "0.0.0-0"] + next
    }
}

/// A version that compares by precedence.
package struct VersionBound: Sendable, Comparable {
    private let bytes: [UInt8]
    private let version: Version

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Version(bytes.span) else { return nil }
        (self.bytes, self.version) = (bytes, version)
    }

    private static func compare(_ left: Self, _ right: Self) -> Int {
        Version.compare(left.version, in: left.bytes.span, right.version, in: right.bytes.span)
    }

    package static func == (left: Self, right: Self) -> Bool { compare(left, right) == 0 }
    package static func < (left: Self, right: Self) -> Bool { compare(left, right) < 0 }
}

extension ConditionProgram {
    /// A version literal: its place in ``Pools/bytes`` and its parts.
    struct VersionLiteral: Sendable {
        let text: Range<Int>
        let version: Version
    }

    @inline(__always)
    func passes(_ node: Node, version value: AttributeValue, _ bytes: Span<UInt8>, _ literals: Span<UInt8>) -> Bool {
        guard value.isText, let version = Version(bytes.extracting(value.range)) else { return false }
        let literal = pools.versions[Int(node.operand)]
        return node.ordering.accepts(
            Version.compare(
                version, in: bytes.extracting(value.range), literal.version, in: literals.extracting(literal.text)))
    }
}
