import AllotCore
import TestSupport
import Testing

@testable import AllotAnalysis

struct ReweightingTests {
    /// Some variants with scattered buckets; some buckets have no owner.
    private static func owned(_ random: inout SeededGenerator) -> [BucketSet] {
        let variants = Int.random(in: 1...6, using: &random)
        var ranges = random.parts(variants + 1, cuts: 20)
        // The last one has no owner, half of the time with nothing.
        if Bool.random(using: &random) { ranges[0] += ranges.removeLast() } else { ranges.removeLast() }
        return ranges.map { BucketSet($0) }
    }

    /// How many buckets have another owner, and whether one moved that need not.
    private static func movement(_ old: [BucketSet], _ new: [BucketSet]) -> (moved: Int, isNeedless: Bool) {
        let none = { (sets: [BucketSet]) in
            sets.reduce(BucketSet.none) { $0.union($1) }.complement(in: Bucketing.bucketCount)
        }
        let (before, after) = (old + [none(old)], new + [none(new)])
        var moved = 0
        var isNeedless = false
        for (i, from) in before.enumerated() {
            for (j, to) in after.enumerated() where i != j {
                let count = from.intersection(to).count
                moved += count
                // Only from one that shrinks to one that grows.
                if count > 0, before[i].count <= after[i].count || after[j].count <= before[j].count {
                    isNeedless = true
                }
            }
        }
        return (moved, isNeedless)
    }

    @Test("New shares move the total variation distance and no more", arguments: 0..<300)
    func movesTheTotalVariationDistance(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let old = Self.owned(&random)
        var left = 1_000_000
        var counts = old.map { _ -> Int in
            let count = Int.random(in: 0...left, using: &random)
            left -= count
            return count
        }
        if Bool.random(using: &random) { counts[0] += left }
        counts.shuffle(using: &random)
        let new = Reweighting(old, to: counts).owned
        #expect(new.map(\.count) == counts)
        #expect(new.reduce(BucketSet.none) { $0.union($1) }.count == counts.reduce(0, +))
        let differences = zip(old, counts).map { abs($0.count - $1) }
        let unowned = [old.map(\.count), counts].map { 1_000_000 - $0.reduce(0, +) }
        let movement = Self.movement(old, new)
        #expect(movement.moved == (differences.reduce(0, +) + abs(unowned[0] - unowned[1])) / 2)
        #expect(!movement.isNeedless)
    }

    @Test("Closing a variant moves only its units", arguments: 0..<300)
    func closingMovesOnlyTheUnitsOfTheClosed(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let old = Self.owned(&random)
        let closed = Int.random(in: 0..<old.count, using: &random)
        guard let new = Reweighting(old, closing: closed)?.owned else {
            #expect(old.enumerated().allSatisfy { ($0.offset == closed) != $0.element.isEmpty })
            return
        }
        #expect(new[closed].isEmpty)
        for variant in old.indices where variant != closed {
            #expect(old[variant].subtracting(new[variant]).isEmpty)
            // In proportion, to the bucket.
            let total = old.map(\.count).reduce(0, +) - old[closed].count
            let due = total == 0 ? 0 : Double(old[closed].count) * Double(old[variant].count) / Double(total)
            #expect(abs(Double(new[variant].count - old[variant].count) - due) < 1)
        }
    }

    @Test("A new variant takes free buckets first", arguments: 0..<300)
    func addingTakesFreeBucketsFirst(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let old = Self.owned(&random)
        let count = Int.random(in: 0...1_000_000, using: &random)
        let new = Reweighting(old, adding: count).owned
        #expect(new.count == old.count + 1)
        #expect(new.last?.count == count)
        let free = 1_000_000 - old.map(\.count).reduce(0, +)
        let lost = zip(old, new).map { $0.subtracting($1).count }
        #expect(lost.reduce(0, +) == max(0, count - free))
        for (before, after) in zip(old, new) { #expect(after.subtracting(before).isEmpty) }
    }

    @Test("Neighbouring ranges are joined")
    func neighboursAreJoined() {
        let old = [BucketSet([0..<500_000]), BucketSet([500_000..<1_000_000])]
        #expect(
            Reweighting(old, to: [200_000, 800_000]).owned.map(\.ranges) == [[0..<200_000], [200_000..<1_000_000]])
        #expect(
            Reweighting(old, to: [800_000, 200_000]).owned.map(\.ranges) == [[0..<800_000], [800_000..<1_000_000]])
        #expect(Reweighting(old, to: [500_000, 500_000]).owned == old)
        #expect(Reweighting(old, to: [500_000, 300_000]).owned[0] == old[0])
    }

    @Test("Remainders go to the largest")
    func remaindersGoToTheLargest() {
        #expect(Reweighting.proportional(10, to: [1, 1, 1]) == [4, 3, 3])
        #expect(Reweighting.proportional(1_000_000, to: [999_999, 1, 0]) == [999_999, 1, 0])
        #expect(Reweighting.proportional(5, to: [0, 0]) == nil)
        #expect(Reweighting.proportional(0, to: [0, 0]) == [0, 0])
    }
}
