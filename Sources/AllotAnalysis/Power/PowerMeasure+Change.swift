import AllotStatistics

// The change to find, as people write it.

extension PowerMeasure {
    /// A change in the unit of the measure: percentage points of a rate, units of a mean.
    package func change(absolute effect: WrittenNumber) throws(AnalysisError) -> Double {
        switch (self, effect.isPercentage) {
        case (.rate, false) where abs(effect.value) >= 1:
            throw AnalysisError("An effect on a rate is in percentage points, such as 1% or 0.01.")
        case (.mean, true):
            throw AnalysisError(
                "An effect on a mean is a number in its units; for a percentage of the mean give a relative effect.")
        default: return try checked(effect.value)
        }
    }

    /// A change as a share of what the control has, in the unit of the measure.
    package func change(relative share: WrittenNumber) throws(AnalysisError) -> Double {
        if !share.isPercentage, abs(share.value) >= 1 {
            throw AnalysisError("A relative effect is a percentage of what the control has, such as 5% or 0.05.")
        }
        guard let control else {
            throw AnalysisError("A relative effect on a mean needs the mean; add it, or give an effect.")
        }
        guard control != 0 else {
            throw AnalysisError("A relative effect does not apply to a mean of 0; give an effect.")
        }
        return try checked(abs(control) * share.value)
    }

    private func checked(_ change: Double) throws(AnalysisError) -> Double {
        guard case .rate(let baseline) = self, abs(baseline + change - 0.5) > 0.5 + 1e-12 else { return change }
        throw AnalysisError(
            "A change of \(NumberFormat.points(change)) takes the rate of "
                + "\(NumberFormat.percent(baseline, digits: 6)) to "
                + "\(NumberFormat.percent(baseline + change, digits: 6)); a rate stays from 0% to 100%.")
    }
}
