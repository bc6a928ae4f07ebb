extension Range<Int> {
    /// The first number that does not satisfy a predicate, which holds for all numbers up to some number and for none
    /// after it; the end of the range if all satisfy it. Complexity: O(log *n*).
    @inlinable package func partitionPoint(where isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
