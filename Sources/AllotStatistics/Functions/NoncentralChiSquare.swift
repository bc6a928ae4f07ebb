import RealModule

/// The distribution of a chi-square statistic where the shares are not those expected.
package enum NoncentralChiSquare {
    /// The probability that it exceeds a value: the mean of that of the central distribution, whose degrees of
    /// freedom grow by twice a Poisson variable (P. B. Patnaik, "The non-central χ²- and F-distributions", 1949).
    package static func upperTail(_ value: Double, degreesOfFreedom: Double, noncentrality: Double) -> Double {
        let mean = noncentrality / 2
        guard mean > 0 else { return ChiSquare.upperTail(value, degreesOfFreedom: degreesOfFreedom).value }
        let width = 10 * Double.sqrt(mean) + 20
        let (first, last) = (max(0, Int(mean - width)), Int(mean + width))
        return (first...last).reduce(0) { sum, count in
            let k = Double(count)
            let weight = k * .log(mean) - mean - .logGamma(k + 1)
            return sum + .exp(weight + ChiSquare.upperTail(value, degreesOfFreedom: degreesOfFreedom + 2 * k).logarithm)
        }
    }

    /// The noncentrality with which a test has a given power.
    package static func noncentrality(power: Double, level: Double, degreesOfFreedom: Double) -> Double {
        let critical = FalsePosition.findAboveZero {
            PValue(level).logarithm - ChiSquare.upperTail($0, degreesOfFreedom: degreesOfFreedom).logarithm
        }
        return FalsePosition.findAboveZero {
            upperTail(critical, degreesOfFreedom: degreesOfFreedom, noncentrality: $0) - power
        }
    }
}
