import AllotConfiguration
import AllotCore
import AllotStatistics

extension PowerFromData {
    /// The plan for programs. Unknown values are null.
    package var json: JSONValue {
        [
            "alpha": .double(question.alpha), "alpha_per_comparison": .double(level.fixed),
            "alpha_sequential": .double(level.sequential), "clusters": .int(data.clusterCount),
            "correction": .string(question.correction.rawValue), "days": .double(data.hasTimes ? data.days : nil),
            "experiment": .string(question.definition.key),
            "metrics": .array(data.metrics.indices.map(json(metric:))), "notes": .strings(data.notes),
            "period": period,
            "replay": replay.map(json(replay:)) ?? .null, "rows": .int(data.rowCount),
            "sides": .int(question.sides == .two ? 2 : 1), "target_power": .double(question.power),
            "units": .int(data.unitCount),
            "variants": .array(
                zip(arms.names, arms.shares).map { ["variant": .string($0), "share": .double($1)] }),
        ]
    }

    private var period: JSONValue {
        guard let period = question.period else { return .null }
        return [
            "balanced": .boolean(period.isBalanced), "every": .string(period.lengthText),
            "pairs": .int(data.pairs?.count), "rows_washed_out": .int(data.washedOutCount),
            "washout": question.washout.map { .string(TimeSpan.text(ofSeconds: $0.seconds)) } ?? .null,
        ]
    }

    private func json(metric index: Int) -> JSONValue {
        let metric = data.metrics[index]
        let weeks: [JSONValue] = weeks.map { week in
            let finding = week.findings?[index]
            return [
                "effect": .double(finding?.fixed), "effect_sequential": .double(finding?.sequential),
                "effect_unadjusted": .double(finding?.unadjusted), "margin": .double(finding?.margin),
                "power": .double(finding?.power.fixed), "power_at_margin": .double(finding?.powerOfMargin),
                "power_sequential": .double(finding?.power.sequential),
                "units": .array(week.sizes.map { .double($0) }), "week": data.hasTimes ? .int(week.number) : .null,
            ]
        }
        return [
            "before": metric.question.before.map(JSONValue.string) ?? .null, "change": .double(changes[index]),
            "correlation": .double(metric.correlation), "design_effect": .double(metric.designEffect),
            "effect_is": .string(effects[index] == .added(changes[index]) ? "added" : "multiplied"),
            "margin": .double(margins?[index]), "mean": .double(metric.ratio),
            "metric": .string(metric.question.column), "pair_correlation": .double(metric.pairCorrelation),
            "ratio": metric.question.ratio.map(JSONValue.string) ?? .null, "skewness": .double(metric.skewness),
            "tau_squared": .double(mixtures[index].variance),
            "units_for_normality": .double(metric.unitsForNormality),
            "variance": .double(metric.variance), "variance_adjusted": .double(metric.adjustedVariance),
            "weeks": .array(weeks),
        ]
    }

    private func json(replay: Replay) -> JSONValue {
        let rates: [JSONValue] = replay.rates.map { rate in
            let (kind, metric): (String, Int?) =
                switch rate.kind {
                case .falseAlarms: ("false_alarms", nil)
                case .sequentialFalseAlarms: ("false_alarms_sequential", nil)
                case .power(let metric): ("power", metric)
                case .sequentialPower(let metric): ("power_sequential", metric)
                }
            let claim =
                switch rate.claim {
                case .equal: "equal"
                case .atMost: "at_most"
                case .atLeast: "at_least"
                }
            return [
                "agrees": .boolean(!rate.disagrees), "claim": .string(claim), "count": .int(rate.count),
                "formula": .double(rate.formula),
                "interval": [.double(rate.interval.lowerBound), .double(rate.interval.upperBound)],
                "kind": .string(kind), "metric": metric.map { .string(data.metrics[$0].question.name) } ?? .null,
                "share": .double(rate.share),
            ]
        }
        return [
            "agrees": .boolean(!replay.disagrees), "first_salt": .string(replaySalt(1)), "rates": .array(rates),
            "salts": .int(replay.saltCount),
        ]
    }
}
