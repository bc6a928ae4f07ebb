import AllotConfiguration

/// A value that a condition is read from: plain JSON, or a value of a file that knows its place.
package protocol ConditionNode {
    var json: JSONValue { get }

    /// The members of an object in the order of their keys, so that writing them in another order changes no revision;
    /// `nil` for any other value.
    var members: [(key: String, value: Self)]? { get }
    /// The elements of a list; `nil` for any other value.
    var elements: [Self]? { get }
    var style: LiteralStyle { get }
}

package enum LiteralStyle: Sendable {
    /// In quotes, or in JSON.
    case quoted
    /// Without quotes, so that a word or number may not have been meant as text.
    case plain
    /// Not at all: `country:` has no value.
    case leftOut
}

extension JSONValue: ConditionNode {
    package var members: [(key: String, value: JSONValue)]? {
        if case .object(let object) = self { object.members.map { (key: $0.key, value: $0.value) } } else { nil }
    }

    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var style: LiteralStyle { .quoted }
}

/// A fault of a condition, and the value that has it.
package struct ConditionProblem<Node: ConditionNode> {
    package let node: Node
    /// Whether the key of the value is wrong, rather than the value.
    package let isAboutKey: Bool
    package let isWarning: Bool
    package let message: String
    /// A name that is not known, with those that are, so that the nearest can be suggested.
    package let unknownName: (name: String, known: [String])?
}

extension ConditionProblem: Sendable where Node: Sendable {}

/// The segments by their names, which are compared byte by byte.
package struct SegmentTable: Sendable {
    package var conditions: [UTF8Key: Condition] = [:]
    package var groups: [UTF8Key: LiteralList] = [:]

    package init() {}
}
