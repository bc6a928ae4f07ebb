/// What is done about several treatments that are compared with one control.
public enum Correction: Sendable, Hashable {
    /// Bonferroni's: the significance level is divided by the number of comparisons, so that the probability of any false
    /// alarm is at most that level.
    case bonferroni
    /// Nothing: each comparison has the whole significance level, and a false alarm somewhere is more likely than that.
    case none

    /// The significance level of one of several comparisons.
    func significance(_ significance: Double, comparisons: Int) -> Double {
        switch self {
        case .bonferroni: significance / Double(comparisons)
        case .none: significance
        }
    }
}
