import RealModule

/// Numerical integration by Gauss's rule, in halves until two halves agree with their whole.
enum GaussLegendre {
    private static let order = 16

    /// Half of the abscissae on -1 ... 1 and their weights; the rest is symmetric. The zeros of Legendre's polynomial
    /// come from Newton's method (NIST DLMF 3.5(v)).
    private static let rule: [(abscissa: Double, weight: Double)] = (1...order / 2).map { index in
        let n = Double(order)
        var x = Double.cos(.pi * (Double(index) - 0.25) / (n + 0.5))
        var slope = 0.0
        for _ in 0..<8 {
            var (last, current) = (1.0, x)
            for degree in 2...order {
                let k = Double(degree)
                (last, current) = (current, ((2 * k - 1) * x * current - (k - 1) * last) / k)
            }
            slope = n * (x * current - last) / (x * x - 1)
            x -= current / slope
        }
        return (x, 2 / ((1 - x * x) * slope * slope))
    }

    /// Enough halvings for any function with one bend. Only the noise of rounding would take more.
    private static let mostHalvings = 300

    /// The integral of a function that is nowhere negative, within a relative error that is not below the function's.
    static func integral(
        from start: Double, to end: Double, tolerance: Double, of function: (Double) -> Double
    ) -> Double {
        let whole = sum(from: start, to: end, of: function)
        var parts = [(start: start, end: end, sum: whole)]
        var allowed = whole * tolerance
        var halvings = 0
        var total = 0.0
        while let part = parts.popLast() {
            let middle = (part.start + part.end) / 2
            let left = (start: part.start, end: middle, sum: sum(from: part.start, to: middle, of: function))
            let right = (start: middle, end: part.end, sum: sum(from: middle, to: part.end, of: function))
            let both = left.sum + right.sum
            allowed = max(allowed, both * tolerance)
            halvings += 1
            if abs(both - part.sum) > allowed, halvings < mostHalvings {
                parts += [left, right]
            } else {
                total += both
            }
        }
        return total
    }

    private static func sum(from start: Double, to end: Double, of function: (Double) -> Double) -> Double {
        let middle = (start + end) / 2
        let half = (end - start) / 2
        var sum = 0.0
        for (abscissa, weight) in rule {
            sum += weight * (function(middle - half * abscissa) + function(middle + half * abscissa))
        }
        return sum * half
    }
}
