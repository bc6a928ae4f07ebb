/// An order of experiments in which each follows those that it requires.
package struct EvaluationOrder: Sendable {
    /// Indices of experiments. Those on a cycle, which validation refuses, come last.
    package let indices: [Int]
    /// For each experiment the indices of those that it requires.
    let required: [[Int]]
    /// For each experiment its position in ``indices``.
    private let positions: [Int]

    /// Orders experiments. Complexity: O(experiments + requirements).
    package init(_ experiments: [ExperimentDefinition]) {
        let byKey = Dictionary(experiments.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let required = experiments.map { $0.requirements.compactMap { byKey[$0.experiment] } }
        var dependents = Array(repeating: [Int](), count: experiments.count)
        var missing = required.map(\.count)
        for (index, targets) in required.enumerated() {
            for target in targets { dependents[target].append(index) }
        }
        var order = experiments.indices.filter { missing[$0] == 0 }
        var next = 0
        while next < order.count {
            for dependent in dependents[order[next]] {
                missing[dependent] -= 1
                if missing[dependent] == 0 { order.append(dependent) }
            }
            next += 1
        }
        indices = order + experiments.indices.filter { missing[$0] > 0 }
        self.required = required
        var positions = Array(repeating: 0, count: experiments.count)
        for (position, index) in indices.enumerated() { positions[index] = position }
        self.positions = positions
    }

    /// The chosen experiments and all that they require, directly or not, in this order.
    ///
    /// Complexity: O(*n* log *n*) for *n* experiments that are returned.
    func closure(of selection: [Int]) -> [Int] {
        var needed: Set<Int> = []
        var stack = selection
        while let index = stack.popLast() {
            if needed.insert(index).inserted { stack.append(contentsOf: required[index]) }
        }
        return needed.sorted { positions[$0] < positions[$1] }
    }
}
