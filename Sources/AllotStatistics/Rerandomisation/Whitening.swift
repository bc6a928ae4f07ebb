/// A linear map of covariates to columns with mean 0, variance 1 and no correlation, from which Mahalanobis distances
/// are sums of squares.
///
/// By Cholesky's factor of the correlations, column after column. A column that those before it determine, such as the
/// last of the indicators of a text, is dropped: the columns that are kept span the same space, so that distances are
/// those of the pseudo-inverse of the covariance (P. C. Mahalanobis, "On the generalised distance in statistics",
/// 1936; N. J. Higham, "Analysis of the Cholesky decomposition of a semi-definite matrix", 1990).
package struct Whitening: Sendable {
    /// The mean of each covariate.
    package let means: [Double]
    /// The standard deviation of each covariate, with the divisor *n* - 1.
    package let deviations: [Double]
    /// The covariates that determine the whitened columns, in order.
    package let kept: [Int]
    /// The covariates that those before them determine.
    package let dropped: [Int]
    /// By covariate, its standardised form as a combination of the whitened columns.
    private let loadings: [[Double]]

    /// A covariate whose variance the ones before it leave to less than this part is dropped.
    private static let tolerance = 1e-9

    /// A covariate that does not vary, or whose sums are too large for a double.
    package struct Fault: Error, Hashable {
        package let column: Int
        package let isConstant: Bool
    }

    /// The number of whitened columns.
    package var rank: Int { kept.count }

    /// Finds the map of some rows.
    ///
    /// Complexity: O(rows × width²).
    ///
    /// - Parameters:
    ///   - rows: The values of one row after another; at least two rows.
    ///   - width: The number of covariates.
    package init(rows: [Double], width: Int) throws(Fault) {
        let count = width > 0 ? rows.count / width : 0
        let means = Self.means(rows, width: width, count: count)
        let products = Self.products(rows, width: width, count: count, means)
        var deviations: [Double] = []
        for column in 0..<width {
            let variance = products[column * width + column] / Double(max(count - 1, 1))
            guard variance.isFinite else { throw Fault(column: column, isConstant: false) }
            // Rounding of the mean leaves a constant some variance.
            let varies = (0..<count).contains { rows[$0 * width + column] != rows[column] }
            guard varies, variance > 0 else { throw Fault(column: column, isConstant: true) }
            deviations.append(variance.squareRoot())
        }
        var kept: [Int] = []
        var dropped: [Int] = []
        var loadings: [[Double]] = []
        for column in 0..<width {
            var own: [Double] = []
            var rest = 1.0
            for (place, other) in kept.enumerated() {
                let scale = deviations[column] * deviations[other] * Double(max(count - 1, 1))
                var value = products[column * width + other] / scale
                for index in 0..<place { value -= own[index] * loadings[other][index] }
                own.append(value / loadings[other][place])
                rest -= own[place] * own[place]
            }
            if rest > Self.tolerance {
                kept.append(column)
                own.append(rest.squareRoot())
            } else {
                dropped.append(column)
            }
            loadings.append(own)
        }
        (self.means, self.deviations, self.kept, self.dropped) = (means, deviations, kept, dropped)
        self.loadings = loadings
    }

    private static func means(_ rows: [Double], width: Int, count: Int) -> [Double] {
        var sums = [Double](repeating: 0, count: width)
        for row in 0..<count {
            for column in 0..<width { sums[column] += rows[row * width + column] }
        }
        return sums.map { $0 / Double(max(count, 1)) }
    }

    /// The sums of products of deviations from the mean; the part below the diagonal, and the diagonal.
    private static func products(_ rows: [Double], width: Int, count: Int, _ means: [Double]) -> [Double] {
        var products = [Double](repeating: 0, count: width * width)
        var centred = [Double](repeating: 0, count: width)
        for row in 0..<count {
            for column in 0..<width { centred[column] = rows[row * width + column] - means[column] }
            for column in 0..<width where centred[column] != 0 {
                for other in 0...column { products[column * width + other] += centred[column] * centred[other] }
            }
        }
        return products
    }

    /// The whitened columns of rows, one row after another.
    package func whitened(_ rows: [Double]) -> [Double] {
        let (width, rank) = (means.count, rank)
        guard width > 0 else { return [] }
        let count = rows.count / width
        var result = [Double](repeating: 0, count: count * rank)
        for row in 0..<count {
            for place in 0..<rank {
                let column = kept[place]
                var value = (rows[row * width + column] - means[column]) / deviations[column]
                for index in 0..<place { value -= loadings[column][index] * result[row * rank + index] }
                result[row * rank + place] = value / loadings[column][place]
            }
        }
        return result
    }

    /// The value of each covariate in standard deviations from its mean, of means of the whitened columns.
    package func standardised(_ whitened: [Double]) -> [Double] {
        loadings.map { own in zip(own, whitened).reduce(0) { $0 + $1.0 * $1.1 } }
    }
}
