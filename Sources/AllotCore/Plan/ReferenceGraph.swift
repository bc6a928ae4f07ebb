/// A topological order of things that refer to each other, and the cycles that prevent one.
package struct ReferenceGraph: Sendable {
    /// The things that can be ordered, each after its references.
    package private(set) var order: [Int] = []
    /// The length of the longest chain of references that starts at each thing, itself included.
    package private(set) var depths: [Int]
    /// The things that cannot be ordered: they are on a cycle, or refer to one that is.
    package let unordered: [Int]
    /// Cycles without common members, each beginning with its least index. Breaking them may uncover others.
    package let cycles: [[Int]]

    package init(_ references: [[Int]]) {
        var dependents = Array(repeating: [Int](), count: references.count)
        var missing = references.map(\.count)
        for (index, targets) in references.enumerated() {
            for target in targets { dependents[target].append(index) }
        }
        order = references.indices.filter { missing[$0] == 0 }
        depths = Array(repeating: 1, count: references.count)
        var next = 0
        while next < order.count {
            for dependent in dependents[order[next]] {
                depths[dependent] = max(depths[dependent], depths[order[next]] + 1)
                missing[dependent] -= 1
                if missing[dependent] == 0 { order.append(dependent) }
            }
            next += 1
        }
        unordered = references.indices.filter { missing[$0] > 0 }
        cycles = Self.cycles(references, unordered)
    }

    /// Each unordered thing refers to another one, so following the first such reference must lead into a cycle.
    private static func cycles(_ references: [[Int]], _ unordered: [Int]) -> [[Int]] {
        let open = Set(unordered)
        var seen: Set<Int> = []
        var cycles: [[Int]] = []
        for start in unordered {
            var path: [Int] = []
            var positions: [Int: Int] = [:]
            var current = start
            while seen.insert(current).inserted {
                positions[current] = path.count
                path.append(current)
                guard let next = references[current].first(where: open.contains) else { break }
                current = next
            }
            guard let position = positions[current] else { continue }
            let cycle = path[position...]
            let least = cycle.indices.min { cycle[$0] < cycle[$1] } ?? position
            cycles.append(Array(cycle[least...] + cycle[..<least]))
        }
        return cycles
    }
}
