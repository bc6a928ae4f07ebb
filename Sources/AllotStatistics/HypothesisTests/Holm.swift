import RealModule

/// Correction for testing several hypotheses at once.
///
/// S. Holm, "A simple sequentially rejective multiple test procedure" (1979): holds the probability of any false
/// rejection, for any dependence of the tests, and rejects all that Bonferroni's correction does.
///
/// ```swift
/// let adjusted = Holm.adjusted([PValue(0.01), PValue(0.04), PValue(0.03)])
/// print(adjusted.map(\.value))  // 0.03, 0.06, 0.06
/// ```
public enum Holm {
    /// The adjusted p-values, in the order given: rejecting those at or below α rejects any true hypothesis with a
    /// probability of at most α.
    ///
    /// Complexity: O(*n* log *n*).
    public static func adjusted(_ pValues: [PValue]) -> [PValue] {
        var adjusted = pValues
        var least = PValue(logarithm: -.infinity)
        for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
            let factor = Double.log(Double(pValues.count - rank))
            least = max(least, PValue(logarithm: pValues[index].logarithm + factor))
            adjusted[index] = least
        }
        return adjusted
    }
}
