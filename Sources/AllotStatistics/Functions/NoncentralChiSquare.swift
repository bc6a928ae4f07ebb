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
        func tail(_ value: Double) -> Double {
            PValue(level).logarithm - ChiSquare.upperTail(value, degreesOfFreedom: degreesOfFreedom).logarithm
        }
        let critical = FalsePosition.find(tail, from: 0, to: bound(tail))
        func excess(_ noncentrality: Double) -> Double {
            upperTail(critical, degreesOfFreedom: degreesOfFreedom, noncentrality: noncentrality) - power
        }
        return FalsePosition.find(excess, from: 0, to: bound(excess))
    }

    /// Where a rising function is not below 0.
    private static func bound(_ function: (Double) -> Double) -> Double {
        var end = 1.0
        while function(end) < 0 { end *= 2 }
        return end
    }
}
