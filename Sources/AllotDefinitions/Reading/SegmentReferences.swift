import AllotConfiguration

/// The names of segments that a condition mentions, right or wrong.
struct SegmentReferences: Sendable {
    /// Those behind `$segment`.
    private(set) var conditions: Set<UTF8Key> = []
    /// Those behind `$inGroup` and `$notInGroup`.
    private(set) var groups: Set<UTF8Key> = []

    init(_ node: SourceNode) {
        collect(node)
    }

    private mutating func collect(_ node: SourceNode) {
        switch node.content {
        case .list(let elements):
            for element in elements { collect(element) }
        case .map(let entries):
            for entry in entries {
                switch (entry.key, entry.value.content) {
                case ("$segment", .text(let name)): conditions.insert(UTF8Key(name))
                case ("$inGroup", .text(let name)), ("$notInGroup", .text(let name)): groups.insert(UTF8Key(name))
                default: collect(entry.value)
                }
            }
        default: break
        }
    }
}
