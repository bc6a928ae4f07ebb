import AllotConfiguration

/// A set of buckets, as ascending ranges that neither overlap nor touch.
package struct BucketSet: Sendable, Hashable {
    package let ranges: [Range<Int>]

    package static let none = BucketSet([])

    /// Joins ranges, which may be in any order and overlap. Complexity: O(*n* log *n*).
    package init(_ ranges: [Range<Int>]) {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = joined.last, last.upperBound >= range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        self.ranges = joined
    }

    package var count: Int { ranges.reduce(0) { $0 + $1.count } }
    package var isEmpty: Bool { ranges.isEmpty }

    /// Complexity: O(log *n*).
    package func contains(_ bucket: Int) -> Bool {
        let index = ranges.indices.partitionPoint { ranges[$0].upperBound <= bucket }
        return index < ranges.count && ranges[index].contains(bucket)
    }

    package func intersection(_ other: BucketSet) -> BucketSet {
        var common: [Range<Int>] = []
        var (i, j) = (0, 0)
        while i < ranges.count, j < other.ranges.count {
            let overlap = ranges[i].clamped(to: other.ranges[j])
            if !overlap.isEmpty { common.append(overlap) }
            if ranges[i].upperBound <= other.ranges[j].upperBound { i += 1 } else { j += 1 }
        }
        return BucketSet(common)
    }

    package func union(_ other: BucketSet) -> BucketSet { BucketSet(ranges + other.ranges) }

    package func subtracting(_ other: BucketSet) -> BucketSet {
        // Up to the end of this set nothing depends on the number of all buckets.
        intersection(other.complement(in: ranges.last?.upperBound ?? 0))
    }

    /// The buckets below a number that are not in the set.
    package func complement(in count: Int) -> BucketSet {
        var gaps: [Range<Int>] = []
        var end = 0
        for range in ranges where range.lowerBound < count {
            gaps.append(end..<range.lowerBound)
            end = range.upperBound
        }
        gaps.append(min(end, count)..<count)
        return BucketSet(gaps)
    }

    /// The mirror images of the buckets among all of a number: 0 becomes the last.
    func mirrored(in count: Int) -> BucketSet {
        BucketSet(ranges.map { count - $0.upperBound..<count - $0.lowerBound })
    }
}
