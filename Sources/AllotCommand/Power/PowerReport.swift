import AllotAnalysis
import AllotStatistics

/// The design of an experiment, for people.
struct PowerReport {
    let measure: Measure
    let arms: Arms
    let analysis: PowerAnalysis
    let answer: PowerAnswer
    let supply: Supply?
    let length: ExperimentLength?

    var lines: [String] {
        [headline] + variantLines + [meaning] + durationLines + ["Method: \(method)."] + cautions
    }

    private var headline: String {
        switch answer.asked {
        case .units: "Units needed: \(answer.units)"
        case .power: "Power: \(ShareText.probability(answer.power))"
        case .effect:
            "Detectable effect: "
                + ([answer.effect] + [answer.decrease].compactMap(\.self)).map(ChangeText(measure).sentence)
                .joined(separator: "; or ")
        }
    }

    private var variantLines: [String] {
        let width = (arms.names.map(\.count).max() ?? 0) + 2
        let digits = answer.sizes.map { String($0).count }.max() ?? 0
        return zip(arms.names, answer.sizes).map { name, size in
            let count = String(size)
            return "    \(name)" + String(repeating: " ", count: width - name.count + digits - count.count) + count
        }
    }

    private var meaning: String {
        let change = answer.asked == .effect ? "that size" : "\(ChangeText(measure).sentence(answer.effect)),"
        let power = ShareText.probability(answer.target ?? answer.power)
        let alarm = ShareText.text(analysis.significance, 6)
        let place = isCorrected || comparisons == 1 ? "one is reported" : "each comparison reports one"
        return
            "A change of \(change) is found with a probability of \(power), the power; where there is none, \(place) with "
            + "a probability of \(alarm)."
    }

    private var comparisons: Int {
        arms.names.count - 1
    }

    private var isCorrected: Bool {
        analysis.correction == .bonferroni
    }

    private var durationLines: [String] {
        guard let supply, let length else { return [] }
        let units = FixedPoint.significant(supply.unitsPerDay, 12)
        let enrolled = supply.traffic < 1 ? "\(ShareText.text(supply.traffic, 6)) of \(units)" : units
        let days = "\(length.days) day\(length.days == 1 ? "" : "s")"
        let weeks = "\(length.weeks) whole week\(length.weeks == 1 ? "" : "s")"
        let advice =
            length.days.isMultiple(of: 7)
            ? "\(weeks), so each weekday counts equally"
            : "\(weeks) (\(length.weeks * 7) days) would count each weekday equally"
        return ["Duration: \(days) with \(enrolled) units a day; \(advice)."]
    }

    /// The test, its level, and what is done about several treatments.
    var method: String {
        let sides = analysis.sides == .two ? "two-sided" : "one-sided"
        let level = ShareText.text(analysis.comparisonSignificance, 6)
        let test =
            switch measure {
            case .rate: "\(sides) z-test of two proportions (variances pooled for the test, separate for its power)"
            case .mean: "\(sides) t-test of two means (power by the noncentral t distribution)"
            }
        guard comparisons > 1 else { return "\(test), at a significance level of \(level)" }
        let correction =
            isCorrected
            ? "\(ShareText.text(analysis.significance, 6)) divided by their number, Bonferroni's correction"
            : "without correction for their number"
        let smallest = Set(arms.allocation.shares.dropFirst()).count > 1 ? "; the smallest treatment decides" : ""
        return "\(test), at a significance level of \(level) for each of \(comparisons) comparisons with the control "
            + "(\(correction))\(smallest)"
    }

    /// Whether the distribution that the test supposes is near to the true one.
    var isApproximationGood: Bool {
        let treatment = answer.sizes.dropFirst().min() ?? 0
        guard let metric = analysis.metric as? ProportionMetric else { return min(answer.sizes[0], treatment) >= 30 }
        return metric.isApproximationGood(answer.effect, control: answer.sizes[0], treatment: treatment)
    }

    private var cautions: [String] {
        guard !isApproximationGood else { return [] }
        return switch measure {
        case .rate: ["Note: fewer than 10 successes or failures are expected in a variant; the test is rough there."]
        case .mean:
            ["Note: with fewer than 30 units in a variant the test supposes that values are normally distributed."]
        }
    }
}
