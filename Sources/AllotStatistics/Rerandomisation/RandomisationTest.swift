import RealModule

/// The randomisation test of one effect, and the interval of the effects that it does not reject.
///
/// R. A. Fisher, "The design of experiments" (1935). Each draw of the arms that could have been made, the one that was
/// made among them, is equally probable; so (1 + draws as extreme) / (1 + draws) is an exact p-value for any number of
/// draws (B. Phipson and G. K. Smyth, "Permutation p-values should never be zero", 2010). With draws that a
/// rerandomisation would have accepted it is exact for that design (Morgan and Rubin 2012).
///
/// The interval inverts the test for an effect that adds the same to each unit. Under such an effect *τ*, an estimator
/// that is linear in outcomes gives *A* + *τ* (1 - *B*) in a draw: *A* is its estimate from the observed outcomes and
/// *B* that from the indicator of the observed treatment. The draw is as extreme as the observed estimate exactly if
/// *τ* is between (*Â* - *A*) / (1 - *B*) and (*Â* + *A*) / (1 + *B*), so that the ends of the interval are found
/// among sorted numbers and not by a search with new draws. The theory for the best of several draws is that of Y. Wang
/// and X. Li, "Asymptotic theory of the best-choice rerandomization using the Mahalanobis distance" (2023), and with
/// adjustment for covariates that of Ribeiro and Branson (arXiv 2512.05290, 2025).
package struct RandomisationTest: Sendable {
    /// The estimates of one draw.
    package struct Draw: Sendable, Hashable {
        /// The estimate from the observed outcomes, *A*.
        package let effect: Double
        /// The estimate from the indicator of the observed treatment, *B*: 1 for the observed draw itself.
        package let overlap: Double

        package init(effect: Double, overlap: Double) {
            (self.effect, self.overlap) = (effect, overlap)
        }
    }

    /// The observed estimate.
    package let estimate: Double
    /// The estimates of the draws if there is no effect, in ascending order.
    package let effects: [Double]
    private let lower: [Double]
    private let upper: [Double]

    /// Two estimates that differ by less than this part are equal: sums in another order.
    private static let rounding = 1e-9

    /// Tests an estimate against draws.
    ///
    /// Complexity: O(*n* log *n*).
    package init(estimate: Double, draws: [Draw]) {
        self.estimate = estimate
        effects = draws.map(\.effect).sorted()
        var (lower, upper) = ([Double](), [Double]())
        for draw in draws {
            let (below, above) = Self.bounds(estimate, draw)
            lower.append(below)
            upper.append(above)
        }
        self.lower = lower.sorted()
        self.upper = upper.sorted(by: >)
    }

    /// The effects under which a draw is as extreme as the observed estimate.
    private static func bounds(_ estimate: Double, _ draw: Draw) -> (Double, Double) {
        guard 1 - abs(draw.overlap) > rounding else { return (-.infinity, .infinity) }
        let first = (estimate - draw.effect) / (1 - draw.overlap)
        let second = (estimate + draw.effect) / (1 + draw.overlap)
        return (min(first, second, estimate), max(first, second, estimate))
    }

    /// The two-sided p-value of no effect.
    package var pValue: PValue { PValue(pValue(of: 0)) }

    /// The p-value of an effect that adds the same to each unit.
    package func pValue(of effect: Double) -> Double {
        let slack = Self.rounding * max(abs(effect), abs(estimate))
        let extreme =
            effect < estimate
            ? lower.partitionPoint { $0 <= effect + slack } : upper.partitionPoint { $0 >= effect - slack }
        return Double(1 + extreme) / Double(1 + lower.count)
    }

    /// The effects that the test does not reject at a level, from the least to the greatest; infinite where draws are
    /// too few to reject any.
    package func interval(level: Double) -> ClosedRange<Double> {
        // An effect is rejected if fewer draws than this are as extreme.
        let needed = Int((level * Double(lower.count + 1) * (1 + 1e-12)).rounded(.down))
        guard needed > 0, needed <= lower.count else { return -.infinity ... .infinity }
        return lower[needed - 1]...upper[needed - 1]
    }

    /// The least number of draws that can reject anything at a level.
    package static func fewestDraws(level: Double) -> Int {
        Int((1 / level * (1 - 1e-12)).rounded(.up)) - 1
    }
}

extension Array where Element == Double {
    /// The number of elements at the start for which a condition holds, in an array where it holds for none after them.
    fileprivate func partitionPoint(_ holds: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
