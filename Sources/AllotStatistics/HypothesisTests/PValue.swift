import RealModule

/// The probability, if nothing is wrong, of data at least as surprising as those seen.
///
/// It is held as its logarithm: a p-value of 1e-512 is a number, not 0. Smaller is less.
public struct PValue: Sendable, Hashable {
    /// The natural logarithm: 0 or less; minus infinity when the data are impossible.
    public let logarithm: Double

    /// Takes a probability.
    ///
    /// - Parameter probability: 0 to 1; what lies outside by an error of rounding is held at the nearer end. NaN, which says
    ///   nothing, is taken as 1.
    public init(_ probability: Double) {
        self.init(logarithm: probability > 0 ? .log(probability) : probability.isNaN ? 0 : -.infinity)
    }

    /// Takes the natural logarithm of a probability.
    ///
    /// - Parameter logarithm: 0 or less; above 0, and NaN, it is taken as 0.
    public init(logarithm: Double) {
        self.logarithm = logarithm < 0 ? logarithm : 0
    }

    /// The probability, 0 to 1; 0 also when it is below the least double, about 5e-324.
    public var value: Double {
        .exp(logarithm)
    }
}

extension PValue: Comparable {
    /// Whether the data of the left are the more surprising.
    public static func < (left: Self, right: Self) -> Bool {
        left.logarithm < right.logarithm
    }
}
