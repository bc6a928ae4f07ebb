// The borders of shares that another system compares as floating-point numbers.

extension HashScheme {
    /// The number that the other system compares with its weights: the bucket as a fraction of the resolution, as a
    /// double.
    ///
    /// LaunchDarkly and PlanOut divide by 0xFFFFFFFFFFFFFFF, which as a double is 2^60.
    public func fraction(ofBucket bucket: Int, resolution: Int? = nil) -> Double {
        Double(bucket) / Double(resolution ?? defaultResolution)
    }

    /// The number of buckets whose fraction is below `fraction`: the end of a range that the other system ends with
    /// "less than".
    ///
    /// Complexity: O(log of the resolution).
    package func border(below fraction: Double, resolution: Int? = nil) -> Int {
        border(resolution: resolution) { $0 < fraction }
    }

    /// The number of buckets whose fraction is at most `fraction`: the end of a range that the other system ends with
    /// "less than or equal".
    ///
    /// Complexity: O(log of the resolution).
    package func border(atMost fraction: Double, resolution: Int? = nil) -> Int {
        border(resolution: resolution) { $0 <= fraction }
    }

    /// The number of buckets whose fraction satisfies a predicate, which holds for all fractions up to some number and
    /// for none above it.
    ///
    /// Complexity: O(log of the resolution).
    package func border(resolution: Int? = nil, where isInside: (_ fraction: Double) -> Bool) -> Int {
        var (low, high) = (0, resolution ?? defaultResolution)
        while low < high {
            let middle = low + (high - low) / 2
            if isInside(fraction(ofBucket: middle, resolution: resolution)) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
