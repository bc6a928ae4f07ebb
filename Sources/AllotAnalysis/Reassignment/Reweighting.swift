import AllotCore

/// New shares for the variants of an experiment with the least possible reassignment.
///
/// A bucket changes its owner only from a variant that has to shrink to one that has to grow. So the buckets that move
/// are exactly the total variation distance between the old and the new shares, half the sum of all differences, and no
/// division can move fewer. Buckets that no variant owns count as one more share, and its units as entering or leaving.
struct Reweighting: Sendable {
    let owned: [BucketSet]

    /// Gives each variant a number of buckets, at most all of them in sum. Where there is a choice, they go to a
    /// variant that owns their neighbours, so that few ranges arise. Complexity: O((ranges + variants)²) at worst.
    init(_ owned: [BucketSet], of resolution: Int = Bucketing.bucketCount, to counts: [Int]) {
        let unowned = owned.reduce(BucketSet.none) { $0.union($1) }.complement(in: resolution)
        var ledger = Ledger(sets: owned + [unowned], targets: counts + [resolution - counts.reduce(0, +)])
        ledger.settle()
        self.owned = ledger.sets.dropLast().map(BucketSet.init)
    }

    /// Gives up one variant: its buckets are spread over the others in proportion. Returns `nil` if they own none.
    init?(_ owned: [BucketSet], of resolution: Int = Bucketing.bucketCount, closing variant: Int) {
        var weights = owned.map(\.count)
        let freed = weights[variant]
        weights[variant] = 0
        guard let parts = Self.proportional(freed, to: weights) else { return nil }
        self.init(owned, of: resolution, to: zip(weights, parts).map(+))
    }

    /// Adds a variant: it takes buckets that no variant owns, and then from each variant in proportion to what it owns.
    init(_ owned: [BucketSet], of resolution: Int = Bucketing.bucketCount, adding count: Int) {
        let counts = owned.map(\.count)
        let unowned = resolution - counts.reduce(0, +)
        let parts = Self.proportional(max(0, count - unowned), to: counts) ?? counts.map { _ in 0 }
        self.init(owned + [.none], of: resolution, to: zip(counts, parts).map(-) + [count])
    }

    /// Divides a number of buckets in proportion to weights, by largest remainders (Hamilton's method). Returns `nil`
    /// when all weights are 0 and there is something to divide.
    static func proportional(_ count: Int, to weights: [Int]) -> [Int]? {
        let total = weights.reduce(0, +)
        guard total > 0 else { return count == 0 ? weights : nil }
        let quotients = weights.map { (Int128(count) * Int128($0)).quotientAndRemainder(dividingBy: Int128(total)) }
        var parts = quotients.map { Int($0.quotient) }
        let remainders = quotients.map { Int($0.remainder) }
        let order = weights.indices.sorted { (remainders[$1], $0) < (remainders[$0], $1) }
        for index in order.prefix(count - parts.reduce(0, +)) { parts[index] += 1 }
        return parts
    }
}

private struct Ledger {
    /// Ranges in order, for each variant, and at last those without an owner.
    var sets: [[Range<Int>]]
    /// How many buckets each owner has too many; below 0 it lacks some.
    private var surplus: [Int]

    init(sets: [BucketSet], targets: [Int]) {
        self.sets = sets.map(\.ranges)
        surplus = zip(sets, targets).map { $0.count - $1 }
    }

    mutating func settle() {
        while let receiver = surplus.firstIndex(where: { $0 < 0 }) {
            guard passNeighbours() || passAny(to: receiver) else { return }
        }
    }

    /// Moves buckets across one border between an owner with too many and one with too few.
    private mutating func passNeighbours() -> Bool {
        let pieces = sets.indices.flatMap { owner in sets[owner].map { (range: $0, owner: owner) } }
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        for (left, right) in zip(pieces, pieces.dropFirst()) where left.range.upperBound == right.range.lowerBound {
            let (giver, receiver) = surplus[left.owner] > 0 ? (left, right) : (right, left)
            guard surplus[giver.owner] > 0, surplus[receiver.owner] < 0 else { continue }
            let count = min(surplus[giver.owner], -surplus[receiver.owner], giver.range.count)
            let range = surplus[left.owner] > 0 ? giver.range.suffix(count) : giver.range.prefix(count)
            pass(range, from: giver.owner, to: receiver.owner)
            return true
        }
        return false
    }

    /// Moves the last buckets of an owner with too many.
    private mutating func passAny(to receiver: Int) -> Bool {
        guard let giver = surplus.firstIndex(where: { $0 > 0 }), let last = sets[giver].last else { return false }
        let count = min(surplus[giver], -surplus[receiver], last.count)
        pass(last.suffix(count), from: giver, to: receiver)
        return true
    }

    private mutating func pass(_ range: Range<Int>, from giver: Int, to receiver: Int) {
        sets[giver] = BucketSet(sets[giver]).subtracting(BucketSet([range])).ranges
        sets[receiver] = BucketSet(sets[receiver] + [range]).ranges
        surplus[giver] -= range.count
        surplus[receiver] += range.count
    }
}
