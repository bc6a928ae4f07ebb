import AllotConfiguration

/// What is wrong in a condition, and where in its JSON.
package struct ConditionProblem: Sendable {
    /// One step from the condition's root towards the fault.
    package enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    package let path: [Step]
    package let message: String
    /// A name that is not known, with those that are, so that the nearest can be hinted at.
    package let unknownName: (name: String, known: [String])?

    init(_ path: [Step], _ message: String, unknownName: (name: String, known: [String])? = nil) {
        self.path = path
        self.message = message
        self.unknownName = unknownName
    }
}

/// What conditions may refer to by name.
package struct SegmentTable: Sendable {
    /// Named conditions, for `$segment`.
    package var conditions: [String: Condition] = [:]
    /// Named lists of values, for `$inGroup` and `$notInGroup`.
    package var groups: [String: [JSONValue]] = [:]

    package init() {}
}
