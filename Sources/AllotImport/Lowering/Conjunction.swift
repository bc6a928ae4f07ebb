import AllotConfiguration
import AllotCore

/// Parts that have to hold at once for a unit to be in an experiment: one alternative of a guard. `Sendable`.
struct Conjunction: Sendable, Hashable {
    struct DrawPart: Sendable, Hashable {
        let draw: Draw
        var buckets: BucketSet
        /// The name of the layer whose slots the buckets are.
        var layer: String?
    }

    /// The assignment that a unit has to have in another experiment. `Sendable`.
    enum Admitted: Sendable, Hashable {
        case noVariant
        case variants(Set<String>)
    }

    var condition = JSONValue.always
    var draws: [DrawPart] = []
    var refused: Set<DrawPart> = []
    var starts: Instant?
    var ends: Instant?
    var requirements: [String: Admitted] = [:]

    private func index(of part: DrawPart) -> Int? {
        draws.firstIndex { $0.draw == part.draw && $0.layer == part.layer }
    }

    func and(_ other: Conjunction) -> Conjunction? {
        var joined = self
        joined.condition = .all([condition, other.condition])
        if joined.condition == .never { return nil }
        for part in other.draws {
            if let index = joined.index(of: part) {
                joined.draws[index].buckets = joined.draws[index].buckets.intersection(part.buckets)
            } else {
                joined.draws.append(part)
            }
        }
        if joined.draws.contains(where: \.buckets.isEmpty) { return nil }
        joined.refused.formUnion(other.refused)
        // Buckets that are refused of a draw that has to be in some are taken from those.
        for part in joined.refused {
            guard let index = joined.index(of: part) else { continue }
            joined.draws[index].buckets = joined.draws[index].buckets.subtracting(part.buckets)
            if joined.draws[index].buckets.isEmpty { return nil }
            joined.refused.remove(part)
        }
        joined.starts = [starts, other.starts].compactMap { $0 }.max()
        joined.ends = [ends, other.ends].compactMap { $0 }.min()
        if let starts = joined.starts, let ends = joined.ends, starts >= ends { return nil }
        for (experiment, admitted) in other.requirements where !joined.require(experiment, admitted) { return nil }
        return joined
    }

    mutating func require(_ experiment: String, _ admitted: Admitted) -> Bool {
        switch (requirements[experiment], admitted) {
        case (nil, _): requirements[experiment] = admitted
        case (.noVariant?, .noVariant): break
        case (.variants(let left), .variants(let right)):
            let both = left.intersection(right)
            if both.isEmpty { return false }
            requirements[experiment] = .variants(both)
        default: return false
        }
        return true
    }
}
