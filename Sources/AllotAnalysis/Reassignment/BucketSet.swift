import Allot

/// A set of buckets of `0 ..< 1_000_000`, as ranges in order that neither overlap nor touch.
package struct BucketSet: Sendable, Hashable {
    package let ranges: [Range<Int>]

    /// No bucket.
    package static let none = BucketSet([])

    /// Ranges in any order, overlapping or not. Complexity: O(*n* log *n*).
    package init(_ ranges: [Range<Int>]) {
        self.ranges = BucketRange.normalised(ranges)
    }

    /// How many buckets it holds.
    package var count: Int { ranges.reduce(0) { $0 + $1.count } }

    package var isEmpty: Bool { ranges.isEmpty }

    /// Complexity: O(log *n*).
    package func contains(_ bucket: Int) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= bucket { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(bucket)
    }

    /// The buckets of both. Complexity: O(*n* + *m*).
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

    /// The buckets of either. Complexity: O((*n* + *m*) log(*n* + *m*)).
    package func union(_ other: BucketSet) -> BucketSet {
        BucketSet(ranges + other.ranges)
    }

    /// The buckets of this set that the other does not hold. Complexity: O(*n* + *m*).
    package func subtracting(_ other: BucketSet) -> BucketSet {
        intersection(other.complement)
    }

    /// The buckets that it does not hold.
    package var complement: BucketSet {
        var gaps: [Range<Int>] = []
        var end = 0
        for range in ranges {
            gaps.append(end..<range.lowerBound)
            end = range.upperBound
        }
        gaps.append(end..<Bucketing.bucketCount)
        return BucketSet(gaps)
    }
}
