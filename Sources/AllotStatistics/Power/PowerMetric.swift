/// The quantity that is measured of each unit, and the test that compares two variants.
public protocol PowerMetric: Sendable {
    /// The expected rate or mean of the control; `nil` if it is not known.
    var control: Double? { get }

    /// The effects that are possible, from below 0 to above 0; may be infinite.
    var effects: ClosedRange<Double> { get }

    /// The probability that the test finds an effect.
    func power(_ effect: Double, in comparison: SampleComparison) -> Double
}

/// Two samples that are compared.
public struct SampleComparison: Sendable, Hashable {
    /// How many units the control has; not necessarily whole, 2 or more.
    public let control: Double
    /// How many units the treatment has; not necessarily whole, 2 or more.
    public let treatment: Double
    /// The probability of finding something where there is nothing, above 0 and below 1.
    public let significance: Double
    /// The direction of the changes to find.
    public let sides: TestSides

    package init(control: Double, treatment: Double, significance: Double, sides: TestSides) {
        (self.control, self.treatment) = (control, treatment)
        (self.significance, self.sides) = (significance, sides)
    }

    /// The probability that is left to the tail of the effect.
    var tail: Double { sides == .two ? significance / 2 : significance }
}

/// The direction of the changes that a test can find.
public enum TestSides: Sendable, Hashable {
    /// Changes for the better and for the worse: each gets half of the significance level.
    case two
    /// Changes in the direction of the effect alone.
    case one
}
