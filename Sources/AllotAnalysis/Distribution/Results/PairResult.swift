/// Whether two randomisations are independent: the cross table of their categories.
public struct PairResult: Sendable, Hashable {
    /// The indices of the two randomisations, the lower one first.
    public let left: Int
    public let right: Int
    /// The chi-square test of independence; `nil` where a cell of the table expects fewer than 5 units.
    public internal(set) var test: TestResult?
    /// How strongly they depend on each other: √(chi-square / units), 0 to 1 for two by two categories, there with the
    /// sign of the dependence.
    public let phi: Double
    /// Whether they have one salt: they are the same decision then, which no chance can explain.
    public let sharesSalt: Bool
    /// Where the pair's counts begin.
    let crossOffset: Int
}
