/// An order of experiments in which each follows those that it requires.
package struct EvaluationOrder: Sendable {
    package let indices: [Int]
    let required: [[Int]]
    private let positions: [Int]
    private let keys: ByteTable

    /// Orders experiments. Complexity: O(experiments + requirements).
    package init(_ experiments: [ExperimentDefinition]) {
        let keys = ByteTable(experiments.indices.map { (key: Array(experiments[$0].key.utf8), value: $0) })
        self.keys = keys
        let required = experiments.indices.map { index in
            experiments[index].requirements.compactMap { keys.find($0.experiment.utf8Span.span) }
        }
        let graph = ReferenceGraph(required)
        indices = graph.order + graph.unordered
        self.required = required
        var positions = Array(repeating: 0, count: experiments.count)
        for (position, index) in indices.enumerated() { positions[index] = position }
        self.positions = positions
    }

    @inline(__always)  // The tables would be copied for the call.
    func index(of key: String) -> Int? { keys.find(key.utf8Span.span) }

    /// The chosen experiments and all that they require, directly or not, in this order. Complexity: O(*n* log *n*) for
    /// *n* experiments that are returned.
    func closure(of selection: [Int]) -> [Int] {
        var needed: Set<Int> = []
        var stack = selection
        while let index = stack.popLast() {
            if needed.insert(index).inserted { stack.append(contentsOf: required[index]) }
        }
        return needed.sorted { positions[$0] < positions[$1] }
    }
}
