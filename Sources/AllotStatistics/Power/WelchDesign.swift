import RealModule

/// The power of Welch's *t*-test of a control and a treatment whose variances are known, or of the paired one.
///
/// The noncentral *t* distribution with Satterthwaite's degrees of freedom, as `power.welch.t.test` of R's MKpower and
/// `PROC POWER` of SAS (`TWOSAMPLEMEANS TEST=DIFF_SATT`) have it.
package struct WelchDesign: Sendable, Hashable {
    /// The variance of the difference.
    package let squaredError: Double
    private let degreesOfFreedom: Double
    private let critical: Double
    private let sides: TestSides

    /// - Parameters:
    ///   - variance: of one unit of the control, above 0.
    ///   - treatmentFactor: the factor of the treatment's variance, above 0.
    package init(_ comparison: SampleComparison, variance: Double, treatmentFactor: Double = 1) {
        let control = variance / comparison.control
        let treatment = variance * treatmentFactor / comparison.treatment
        squaredError = control + treatment
        degreesOfFreedom = WelchTest.degreesOfFreedom(control, comparison.control, treatment, comparison.treatment)
        critical = StudentT(degreesOfFreedom: degreesOfFreedom).upperQuantile(comparison.tail)
        sides = comparison.sides
    }

    /// The paired *t*-test, of a control and a treatment that are two units of each pair and have a correlation below
    /// 1.
    package init(pairs: SampleComparison, variance: Double, correlation: Double, treatmentFactor: Double = 1) {
        let factor = 1 + treatmentFactor - 2 * correlation * .sqrt(treatmentFactor)
        squaredError = variance * factor / pairs.control
        degreesOfFreedom = pairs.control - 1
        critical = StudentT(degreesOfFreedom: degreesOfFreedom).upperQuantile(pairs.tail)
        sides = pairs.sides
    }

    /// The probability that the test finds an effect.
    package func power(effect: Double) -> Double { power(standardised: abs(effect) / .sqrt(squaredError), sides) }

    /// The probability that a treatment without effect is shown to be less than a margin worse: that the interval
    /// whose level is that of the test ends above the margin.
    package func powerOfNonInferiority(margin: Double) -> Double {
        power(standardised: margin / .sqrt(squaredError), .one)
    }

    /// The smallest effect that is found with a power, in either direction.
    package func detectableEffect(power: Double) -> Double { standardised(power, sides) * .sqrt(squaredError) }

    /// The smallest margin with which a treatment without effect is shown not to be inferior.
    package func detectableMargin(power: Double) -> Double { standardised(power, .one) * .sqrt(squaredError) }

    private func power(standardised effect: Double, _ sides: TestSides) -> Double {
        NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: effect).power(critical, sides)
    }

    private func standardised(_ power: Double, _ sides: TestSides) -> Double {
        NormalMixture.effect(reaching: power) { self.power(standardised: $0, sides) }
    }
}
