import AllotConfiguration

/// The variants that a configuration was made with, by experiment, in the order of their keys.
public struct Assignments: Sendable, Hashable, RandomAccessCollection {
    private var sorted: [Assignment]

    /// Collects assignments; of two of one experiment the later stays.
    init(_ assignments: some Sequence<Assignment>) {
        var byKey: [UTF8Key: Assignment] = [:]
        for assignment in assignments { byKey[UTF8Key(assignment.experiment)] = assignment }
        sorted = byKey.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Reads `meta.assignments`; entries without a variant are passed over.
    init(meta: JSONObject) {
        guard case .object(let entries)? = meta[MetaKey.assignments] else {
            sorted = []
            return
        }
        sorted = entries.members.compactMap { Assignment(experiment: $0.key, $0.value) }
    }

    /// The assignment of an experiment; `nil` when its unit holds no variant. Complexity: O(log *n*).
    public subscript(experiment: String) -> Assignment? {
        index(of: experiment).map { sorted[$0] }
    }

    /// Where an experiment's assignment stands.
    func index(of experiment: String) -> Int? {
        let index = UTF8Order.position(of: experiment, among: sorted.count) { sorted[$0].experiment }
        return index < sorted.count && UTF8Order.areEqual(sorted[index].experiment, experiment) ? index : nil
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { sorted.count }
    public subscript(position: Int) -> Assignment { sorted[position] }
}
