/// Which changes a test looks for.
public enum Sides: Sendable, Hashable {
    /// Changes for the better and for the worse: each gets half of the significance level.
    case two
    /// Changes in the direction of the effect alone.
    case one
}
