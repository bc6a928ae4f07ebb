/// Finds what a misspelt name was probably meant to be.
package enum NearestName {
    /// Names longer than this many Unicode scalars get no hint.
    private static let longest = 64
    /// No name farther away than this is taken for the one that was meant.
    private static let farthest = 3

    /// The known name with the smallest Damerau-Levenshtein distance (optimal string alignment), ignoring case, the
    /// least of several; `nil` if none is nearer than a third of the longer name's length, at least 1 and at most 3.
    package static func hint(for name: String, among known: some Sequence<String>) -> String? {
        guard let wanted = folded(name) else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in known {
            guard let scalars = folded(candidate) else { continue }
            let allowed = min(max(wanted.count, scalars.count, 3) / 3, farthest)
            let distance = distance(wanted, scalars, atMost: min(allowed, best?.distance ?? allowed))
            guard let distance, distance < max(wanted.count, scalars.count) else { continue }
            if let best, (best.distance, best.name) <= (distance, candidate) { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    private static func folded(_ name: String) -> [Unicode.Scalar]? {
        guard !name.isEmpty, name.unicodeScalars.dropFirst(longest).first == nil else { return nil }
        return Array(name.lowercased().unicodeScalars)
    }

    /// The distance of two names, or `nil` when it is greater than `limit`. Three rows of the usual table are kept:
    /// this one and, for swaps, the two before it.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                var cost = min(last[column + 1], current[column]) + 1
                cost = min(cost, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
