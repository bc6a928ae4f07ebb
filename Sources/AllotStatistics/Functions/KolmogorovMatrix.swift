import RealModule

/// The exact distribution of Kolmogorov's statistic.
///
/// G. Marsaglia, W. W. Tsang and J. Wang, "Evaluating Kolmogorov's distribution" (2003) after J. Durbin (1973): with *nd* =
/// *k* - *h* the probability of a distance below *d* is *n*!/*nⁿ* times the middle element of the *n*th power of a matrix of
/// 2*k* - 1 rows. The matrix is nearly Toeplitz and its elements fall like 1/*i*!, so multiplying a vector *n* times by it is
/// cheaper than taking its power, and every term is positive.
enum KolmogorovMatrix {
    /// 1/18! is below the last digit of the sum, e.
    private static let reach = 18

    /// The probability of a distance below a value.
    ///
    /// Complexity: O(*n* × *nd*).
    static func lower(_ distance: Double, count: Int) -> Double {
        let product = Double(count) * distance
        let k = Int(product.rounded(.down)) + 1
        let h = Double(k) - product
        let size = 2 * k - 1
        // Divided by e, so that the vector neither grows nor falls but for what is lost at the lines.
        var inverseFactorials = [Double.exp(-1)]
        for n in 1...max(size, reach) + 1 { inverseFactorials.append(inverseFactorials[n - 1] / Double(n)) }
        // The first column and, from its end, the last row: (1 - h^i) / i!.
        let edge = (1...size).map { (1 - Double.pow(h, $0)) * inverseFactorials[$0] }
        var corner = 1 - 2 * Double.pow(h, size)
        if h > 0.5 { corner += Double.pow(2 * h - 1, size) }
        corner *= inverseFactorials[size]

        var vector = [Double](repeating: 0, count: size)
        vector[k - 1] = 1
        for _ in 0..<count { vector = multiplied(vector, inverseFactorials, edge: edge, corner: corner) }
        // n! eⁿ / nⁿ, by Stirling's formula.
        let n = Double(count)
        return min(1, vector[k - 1] * .sqrt(2 * .pi * n) * .exp(SaddlePoint.stirlingError(n)))
    }

    /// Element i of the product is the sum of H(i, j) v(j), with H(i, j) = 1/(i - j + 1)! within.
    private static func multiplied(
        _ vector: [Double], _ inverseFactorials: [Double], edge: [Double], corner: Double
    ) -> [Double] {
        let last = vector.count - 1
        return vector.indices.map { row in
            if row == last {
                var sum = corner * vector[0]
                for column in stride(from: 1, through: last, by: 1) { sum += edge[last - column] * vector[column] }
                return sum
            }
            var sum = edge[row] * vector[0]
            var column = max(1, row + 1 - reach)
            while column <= row + 1 {
                sum += inverseFactorials[row + 1 - column] * vector[column]
                column += 1
            }
            return sum
        }
    }
}
