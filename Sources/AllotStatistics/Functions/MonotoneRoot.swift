/// The zero of a rising function.
enum MonotoneRoot {
    /// By the method of Anderson and Björck ("A new high order method of regula falsi type", 1973), which keeps the zero
    /// enclosed and needs about six steps for a function that is nearly a straight line.
    ///
    /// - Parameters:
    ///   - function: below 0 at the start of the range and not below at its end.
    ///   - start: where the function is below 0.
    ///   - end: where it is 0 or above.
    /// - Returns: where the function is 0 or just above, to about 14 digits.
    static func find(_ function: (Double) -> Double, from start: Double, to end: Double) -> Double {
        var (low, high) = (start, end)
        var (below, above) = (function(low), function(high))
        var wasBelow: Bool?
        for _ in 0..<200 {
            guard above > 0, high - low > 1e-14 * abs(high) else { break }
            let proposed = high - above * (high - low) / (above - below)
            let middle = proposed > low && proposed < high ? proposed : (low + high) / 2
            let value = function(middle)
            // An end that stays a second time is weighted less, so that it moves soon.
            if value < 0 {
                if wasBelow == true { above *= Self.weight(1 - value / below) }
                (low, below, wasBelow) = (middle, value, true)
            } else {
                if wasBelow == false { below *= Self.weight(1 - value / above) }
                (high, above, wasBelow) = (middle, value, false)
            }
        }
        return high
    }

    private static func weight(_ factor: Double) -> Double {
        factor > 0 ? factor : 0.5
    }
}
