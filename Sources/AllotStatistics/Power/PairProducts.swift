/// Sums of products within pairs of a unit of the control and one of the treatment. With the sums of both arms they
/// give the test of the difference within pairs.
package struct PairProducts: Sendable, Hashable {
    private var zz = 0.0
    /// The products of the control's residual and the treatment's size.
    private var zd = 0.0
    /// The products of the control's size and the treatment's residual.
    private var dz = 0.0
    private var dd = 0.0

    package init() {}

    package mutating func add(
        control: (residual: Double, size: Double), treatment: (residual: Double, size: Double)
    ) {
        zz += control.residual * treatment.residual
        zd += control.residual * treatment.size
        dz += control.size * treatment.residual
        dd += control.size * treatment.size
    }

    package static func += (left: inout Self, right: Self) {
        left.zz += right.zz
        left.zd += right.zd
        left.dz += right.dz
        left.dd += right.dd
    }

    /// The products after an effect has changed the treatment's values, see ``SampleSums/changed(by:ratio:)``.
    package func changed(by change: InjectedEffect, ratio: Double) -> PairProducts {
        let (a, b) = change.factors(ratio: ratio)
        var products = self
        products.zz = a * zz + b * zd
        products.dz = a * dz + b * dd
        return products
    }

    /// The test of the treatment's ratio less the control's.
    ///
    /// The paired *t*-test of means; of ratios the delta method with the covariance of both arms (A. Deng, U. Knoblich
    /// and J. Lu, "Applying the delta method in metric analytics", 2018), with *n* - 1 degrees of freedom of *n* pairs.
    ///
    /// - Returns: `nil` if there are fewer than two pairs, or an arm's sizes are 0 together.
    package func test(control: SampleSums, treatment: SampleSums) -> WelchTest? {
        guard control.count >= 2, control.d != 0, treatment.d != 0 else { return nil }
        let (first, second) = (control.moments, treatment.moments)
        let count = control.count
        let products = zz - first.ratio * dz - second.ratio * zd + first.ratio * second.ratio * dd
        let covariance = products / (control.d / count) / (treatment.d / count)
        let errors = SampleSums.rest(of: first.errors + second.errors, less: 2 * covariance)
        return WelchTest(
            difference: second.ratio - first.ratio, squaredError: errors / (count - 1) / count,
            degreesOfFreedom: count - 1)
    }
}
