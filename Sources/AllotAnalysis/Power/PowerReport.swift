import AllotConfiguration
import AllotReports
import AllotStatistics

/// The report of `allot power`: the design of an experiment for people and for programs.
///
/// ```swift
/// import AllotStatistics
///
/// let variants = try PlannedVariants(count: 2)
/// let analysis = try PowerAnalysis(metric: ProportionMetric(baseline: 0.1), allocation: variants.allocation)
/// let design = try ExperimentDesign(analysis, effect: 0.01)
/// print(PowerReport(design, of: analysis, variants: variants).lines.joined(separator: "\n"))
/// ```
public struct PowerReport: Sendable {
    let design: ExperimentDesign
    let analysis: PowerAnalysis
    let variants: PlannedVariants
    let supply: DailyUnits?
    let length: ExperimentLength?

    /// Reports on a design.
    public init(
        _ design: ExperimentDesign, of analysis: PowerAnalysis, variants: PlannedVariants, supply: DailyUnits? = nil,
        length: ExperimentLength? = nil
    ) {
        (self.design, self.analysis, self.variants) = (design, analysis, variants)
        (self.supply, self.length) = (supply, length)
    }

    private var metric: any PowerMetric { analysis.metric }
    private var deviation: Double? { (metric as? MeanMetric)?.standardDeviation }

    /// The answer, and its grounds.
    package var report: Report {
        let sizes: [[Report.Cell]] = zip(variants.names, design.sizes).map { [.name($0), "\($1)"] }
        let grounds: [Report.Block] = [
            .table([.text("variant"), .number("units")], sizes, showsHead: false), .text(meaning),
        ]
        let test: [Report.Block] = [.text("Method: \(method)."), .notes(isApproximationGood ? [] : [caution])]
        return Report(headline, title: "Power of an experiment", lead: grounds + duration + test)
    }

    /// The report for people.
    public var lines: [String] { TextRenderer().lines(report) }

    private var headline: String {
        switch design.calculated {
        case .units: "Units needed: \(design.units)"
        case .power: "Power: \(Self.probability(design.power))"
        case .effect:
            "Detectable effect: " + effects.map(metric.changeText).joined(separator: "; or ")
                + (design.effect == nil ? "; no increase is large enough" : "")
                + (design.decrease == nil ? "; no decrease is large enough" : "")
        }
    }

    private var effects: [Double] { [design.effect, design.decrease].compactMap(\.self) }

    /// The probability of finding something, which is never certain.
    private static func probability(_ value: Double) -> String {
        value > 0.9999 ? "more than 99.99%" : NumberFormat.percent(value, digits: 4)
    }

    private var meaning: String {
        let given = design.calculated == .effect ? nil : design.effect
        let change = given.map { "\(metric.changeText($0))," } ?? "that size"
        let power = Self.probability(design.target ?? design.power)
        let place = analysis.correction != .none || comparisons == 1 ? "one is reported" : "each comparison reports one"
        // Bonferroni's correction holds for all dependences of the comparisons, and does more than most of them need.
        let limit = analysis.correction == .bonferroni && comparisons > 1 ? "at most " : ""
        return "A change of \(change) is found with a probability of \(power), the power; where there is none, "
            + "\(place) with a probability of \(limit)\(NumberFormat.percent(analysis.significance, digits: 6))."
    }

    private var comparisons: Int { variants.names.count - 1 }

    private var duration: [Report.Block] {
        guard let supply, let length else { return [] }
        let units = NumberFormat.significant(supply.count, 12)
        let share = NumberFormat.percent(supply.traffic, digits: 6)
        let enrolled = isRamp ? "up to \(share) of \(units)" : supply.traffic < 1 ? "\(share) of \(units)" : units
        let advice =
            length.days.isMultiple(of: 7)
            ? ", so each weekday counts equally" : " (\(length.weeks * 7) days) would count each weekday equally"
        let days = "Duration: \(counted(length.days, "day")) with \(enrolled) units a day; "
        return [.text("\(days)\(counted(length.weeks, "whole week"))\(advice).")] + ramp
    }

    private var isRamp: Bool { (supply?.stages.count ?? 0) > 1 }

    /// The units that each stage of a ramp enrols, and the cost of the ramp.
    private var ramp: [Report.Block] {
        guard isRamp, let supply else { return [] }
        let table = stages.map { stage in
            [
                "from day \(NumberFormat.significant(stage.start + 1, 6))",
                NumberFormat.percent(stage.traffic, digits: 6), counted(Int(stage.units), "unit"),
            ]
        }
        let straight = try? DailyUnits(supply.count, traffic: supply.traffic).length(of: design.units)
        let cost = straight.map { "Without the ramp it would take \(counted($0.days, "day"))" }
        let unreached = stages.count < supply.stages.count ? ["the later shares are not reached"] : []
        return [
            .table([.text("stage"), .number("traffic"), .number("units")], texts: table, showsHead: false),
            .text(([cost].compactMap(\.self) + unreached).joined(separator: "; ") + "."),
        ]
    }

    /// The stages of the ramp that begin before the end, with the days before each, and the units that each enrols.
    private var stages: [(start: Double, traffic: Double, units: Double)] {
        guard let supply, let length, let units = try? supply.units(in: Double(length.days)) else { return [] }
        var start = 0.0
        return zip(supply.stages, units).compactMap { stage, units in
            defer { start += stage.days }
            return units > 0 ? (start, stage.traffic, units) : nil
        }
    }

    private var method: String {
        let sides = analysis.sides == .two ? "two-sided" : "one-sided"
        let level = NumberFormat.percent(analysis.comparisonSignificance, digits: 6)
        let test =
            deviation == nil
            ? "\(sides) z-test of two proportions (variances pooled for the test, separate for its power)"
            : "\(sides) t-test of two means (power by the noncentral t distribution)"
        guard comparisons > 1 else { return "\(test), at a significance level of \(level)" }
        let whole = NumberFormat.percent(analysis.significance, digits: 6)
        let correction =
            switch analysis.correction {
            case .bonferroni: "\(whole) divided by their number, Bonferroni's correction"
            case .dunnett: "\(whole) for all together, by Dunnett's test in large samples"
            case .none: "without correction for their number"
            }
        let hasSmallest = Set(variants.allocation.shares.dropFirst()).count > 1
        return "\(test), at a significance level of \(level) for each of \(comparisons) comparisons with the control "
            + "(\(correction))\(hasSmallest ? "; the smallest treatment decides" : "")"
    }

    /// Whether the distribution that the test assumes is near to the true one.
    private var isApproximationGood: Bool {
        let treatment = design.sizes.dropFirst().min() ?? 0
        guard let metric = metric as? ProportionMetric else {
            return min(design.sizes[0], treatment) >= Self.fewestOfSkewed
        }
        return effects.allSatisfy { metric.isApproximationGood($0, control: design.sizes[0], treatment: treatment) }
    }

    /// The number of units of a variant from which means of skewed values are often nearly normal.
    private static let fewestOfSkewed = 1000

    private var caution: String {
        if deviation == nil {
            "Note: fewer than 10 successes or failures are expected in a variant; the test is rough there."
        } else if design.sizes.contains(where: { $0 < 30 }) {
            "Note: with fewer than 30 units in a variant the test assumes that values are normally distributed."
        } else {
            "Note: with fewer than \(Self.fewestOfSkewed) units in a variant, means of skewed values such as revenue "
                + "are not normal; they need 355 · skewness² units in each variant. Data show the skewness."
        }
    }

    /// The report for programs. Unknown values are null.
    public var json: JSONValue {
        JSONValue(members: [
            "alpha": analysis.significance, "alpha_per_comparison": analysis.comparisonSignificance,
            "approximation_is_good": isApproximationGood, "asked": design.calculated.rawValue,
            "control": metric.control, "correction": analysis.correction.rawValue, "days": length?.days,
            "decrease": design.decrease, "effect": design.effect, "measure": deviation == nil ? "rate" : "mean",
            "method": method, "power": design.power,
            "ramp": isRamp
                ? stages.objects {
                    ["from_day": $0.start + 1, "traffic": $0.traffic, "units": Int($0.units)]
                } : JSONValue.null,
            "relative_effect": metric.control.flatMap { control in design.effect.map { $0 / abs(control) } },
            "sides": analysis.sides == .two ? 2 : 1, "standard_deviation": deviation,
            "target_power": design.target, "traffic": supply?.traffic, "units": design.units,
            "units_per_day": supply?.count,
            "variants": variants.names.indices.objects {
                ["variant": variants.names[$0], "share": variants.allocation.shares[$0], "units": design.sizes[$0]]
            }, "weeks": length?.weeks,
        ])
    }
}

extension PowerMetric {
    /// `+1 percentage point, from 10% to 11% (+10%)`.
    fileprivate func changeText(_ effect: Double) -> String {
        if let rate = (self as? ProportionMetric)?.baseline {
            let (start, end) = (NumberFormat.percent(rate, digits: 6), max(0, rate + effect))
            // With enough digits to tell it from the control's.
            let digits = NumberFormat.percent(end, digits: 4) == NumberFormat.percent(rate, digits: 4) ? 10 : 4
            return "\(NumberFormat.points(effect)), from \(start) to \(NumberFormat.percent(end, digits: digits)) "
                + "(\(NumberFormat.relativeChange(effect / rate)))"
        }
        let deviation = (self as? MeanMetric)?.standardDeviation ?? 1
        let change = "\(effect > 0 ? "+" : "")\(NumberFormat.significant(effect, 4))"
        let deviations = "\(NumberFormat.significant(abs(effect) / deviation, 4)) standard deviations"
        guard let control else { return "\(change) (\(deviations))" }
        let relative = control == 0 ? "" : "\(NumberFormat.relativeChange(effect / abs(control))), "
        return "\(change), from \(NumberFormat.significant(control, 6)) to "
            + "\(NumberFormat.significant(control + effect, 6)) (\(relative)\(deviations))"
    }
}
