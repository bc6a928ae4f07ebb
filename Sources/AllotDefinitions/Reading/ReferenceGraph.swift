/// An order of things in which each follows those that it refers to, and the circles that forbid one.
struct ReferenceGraph: Sendable {
    /// All that can be ordered.
    private(set) var order: [Int] = []
    /// How many follow each other up to each of them, itself included.
    private(set) var depths: [Int]
    /// Those that cannot be ordered: they are on a circle, or refer to one that is.
    let unordered: [Int]
    /// Circles that have nothing in common, each from its least index on: to break them is a step towards an order.
    let circles: [[Int]]

    /// Orders things by what each refers to. Complexity: O(things + references).
    init(_ references: [[Int]]) {
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
        circles = Self.circles(references, unordered)
    }

    /// Each of the unordered refers to another of them: to follow the first such reference must come round.
    private static func circles(_ references: [[Int]], _ unordered: [Int]) -> [[Int]] {
        let open = Set(unordered)
        var seen: Set<Int> = []
        var circles: [[Int]] = []
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
            let circle = path[position...]
            let least = circle.indices.min { circle[$0] < circle[$1] } ?? position
            circles.append(Array(circle[least...] + circle[..<least]))
        }
        return circles
    }
}
