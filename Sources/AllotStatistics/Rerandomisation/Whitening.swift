/// A linear map of covariates to columns with mean 0, variance 1 and no correlation, from which Mahalanobis distances
/// are sums of squares.
///
/// By Cholesky's factor of the correlations, column after column. A column that those before it determine, such as the
/// last of the indicators of a text, is dropped: the columns that are kept span the same space, so that distances are
/// those of the pseudo-inverse of the covariance (P. C. Mahalanobis, "On the generalised distance in statistics",
/// 1936; N. J. Higham, "Analysis of the Cholesky decomposition of a semi-definite matrix", 1990).
///
/// As the map is linear, it takes sums of rows to sums of whitened rows: no row needs to be whitened by itself.
package struct Whitening: Sendable {
    private let means: [Double]
    /// The standard deviations, with the divisor *n* - 1.
    private let deviations: [Double]
    /// The covariates that determine the whitened columns, in order.
    package let kept: [Int]
    /// The covariates that those before them determine.
    package let dropped: [Int]
    /// By whitened column, its covariate in standard deviations as a combination of the columns up to it.
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

    /// Finds the map of some rows. Complexity: O(width³).
    ///
    /// - Parameters:
    ///   - means: The mean of each covariate.
    ///   - products: The sums of products of deviations from the means, one row of the matrix after another, of which
    ///     the part up to the diagonal counts.
    ///   - count: The number of rows; at least 2.
    package init(means: [Double], products: [Double], count: Int) throws(Fault) {
        let width = means.count
        var deviations: [Double] = []
        for column in 0..<width {
            let variance = products[column * width + column] / Double(max(count - 1, 1))
            guard variance.isFinite, variance > 0 else { throw Fault(column: column, isConstant: variance.isFinite) }
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
                for index in 0..<place { value -= own[index] * loadings[place][index] }
                own.append(value / loadings[place][place])
                rest -= own[place] * own[place]
            }
            if rest > Self.tolerance {
                kept.append(column)
                loadings.append(own + [rest.squareRoot()])
            } else {
                dropped.append(column)
            }
        }
        (self.means, self.deviations, self.kept, self.dropped) = (means, deviations, kept, dropped)
        self.loadings = loadings
    }

    /// The sums of the whitened columns over rows with these sums of covariates.
    package func whitened(_ sums: some RandomAccessCollection<Double>, count: Double) -> [Double] {
        let centred = standardised(sums, count: count)
        var result: [Double] = []
        for (place, column) in kept.enumerated() {
            var value = centred[column]
            for index in 0..<place { value -= loadings[place][index] * result[index] }
            result.append(value / loadings[place][place])
        }
        return result
    }

    /// The sums of covariates in standard deviations from their means, over rows with these sums.
    package func standardised(_ sums: some RandomAccessCollection<Double>, count: Double) -> [Double] {
        zip(zip(means, deviations), sums).map { ($1 - count * $0.0) / $0.1 }
    }
}
