import AllotCore

/// A variation for the units of which each of several draws is in its buckets, as Eppo splits its allocations.
struct ShardedSplit {
    let arm: Arm
    private var shards: [(draw: Draw, buckets: BucketSet)] = []

    init(arm: Arm) { self.arm = arm }
    var isEmpty: Bool { shards.contains(where: \.buckets.isEmpty) }

    mutating func require(_ draw: Draw, _ buckets: BucketSet) {
        if let index = shards.firstIndex(where: { $0.draw == draw }) {
            shards[index].buckets = shards[index].buckets.intersection(buckets)
        } else {
            shards.append((draw, buckets))
        }
    }

    /// Rules for the first split that takes the unit. Splits that differ in one draw's buckets are arms of one rule.
    static func rules(_ splits: [ShardedSplit], template: ImportedRule) -> [ImportedRule] {
        var rules: [ImportedRule] = []
        var rest = splits[...]
        while let first = rest.first {
            var rule = template
            guard !first.shards.isEmpty else {
                rule.outcome = .value(first.arm)
                return rules + [rule]
            }
            let (draw, count) = mainDraw(of: rest)
            rule.condition = .all(
                [template.condition]
                    + first.shards.filter { $0.draw != draw }.map { .draw($0.draw, $0.buckets) })
            rule.outcome = .split(draw, arms(of: rest.prefix(count), by: draw))
            rules.append(rule)
            rest = rest.dropFirst(count)
        }
        return rules
    }

    private static func mainDraw(of splits: ArraySlice<ShardedSplit>) -> (Draw, count: Int) {
        let first = splits[splits.startIndex]
        var best = (draw: first.shards[first.shards.count - 1].draw, count: 1)
        for (draw, _) in first.shards.reversed() {
            let count = splits.prefix { $0.others(than: draw) == first.others(than: draw) }.count
            if count > best.count { best = (draw, count) }
        }
        return best
    }

    /// The buckets of the other draws; `nil` if this split does not depend on the draw.
    private func others(than draw: Draw) -> [Draw: BucketSet]? {
        guard shards.contains(where: { $0.draw == draw }) else { return nil }
        return Dictionary(uniqueKeysWithValues: shards.filter { $0.draw != draw }.map { ($0.draw, $0.buckets) })
    }

    private static func arms(of splits: ArraySlice<ShardedSplit>, by draw: Draw) -> [ArmShare] {
        var shares = ArmShares()
        for split in splits {
            if let buckets = split.shards.first(where: { $0.draw == draw })?.buckets { shares.add(split.arm, buckets) }
        }
        return shares.shares
    }
}
