import AllotConfiguration

/// Reads GrowthBook's condition language (MongoDB's query style) as a strict profile: unknown operators are errors.
package enum ConditionParser {
    /// A condition with more tests than this, segments written out, is refused.
    private static let sizeLimit = 10_000
    /// A condition that nests deeper than this, segments written out, is refused: each level takes a part of the stack.
    private static let depthLimit = 300

    /// The condition that a JSON value describes, and everything that is wrong with it; `nil` if it has an error.
    package static func parse(
        _ value: JSONValue, segments: SegmentTable
    ) -> (condition: Condition?, problems: [ConditionProblem<JSONValue>]) {
        parse(node: value, segments: segments)
    }

    /// The condition that a value with places describes, and everything that is wrong with it; `nil` if it has an
    /// error.
    package static func parse<Node: ConditionNode>(
        node: Node, segments: SegmentTable
    ) -> (condition: Condition?, problems: [ConditionProblem<Node>]) {
        var reading = ConditionReading<Node>(segments: segments)
        let condition = reading.condition(node)
        if !reading.hasErrors, condition.size > sizeLimit {
            reading.report(
                node, "the condition comes to \(condition.size) tests with its segments; keep it below \(sizeLimit)")
        }
        let depth = reading.hasErrors ? 0 : condition.depth
        if depth > depthLimit {
            reading.report(
                node, "the condition comes to \(depth) levels with its segments; keep it below \(depthLimit)")
        }
        return (reading.hasErrors ? nil : condition, reading.problems)
    }
}
