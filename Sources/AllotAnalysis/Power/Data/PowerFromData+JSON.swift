import AllotConfiguration
import AllotCore
import AllotStatistics

extension PowerFromData {
    /// The plan for programs. Unknown values are null.
    package var json: JSONValue {
        JSONValue(members: [
            "alpha": question.alpha, "alpha_per_comparison": level.fixed, "alpha_sequential": level.sequential,
            "clusters": data.clusterCount, "correction": question.correction.rawValue,
            "days": data.hasTimes ? data.days : nil, "experiment": question.definition.key,
            "metrics": data.metrics.indices.objects(json(metric:)), "notes": data.notes,
            "period": question.period.map { period in
                JSONValue(members: [
                    "balanced": period.isBalanced, "every": period.lengthText, "pairs": data.pairs?.count,
                    "rows_washed_out": data.washedOutCount,
                    "washout": question.washout.map { TimeSpan.text(ofSeconds: $0.seconds) },
                ])
            },
            "replay": replay.map(json(replay:)), "rows": data.rowCount, "sides": question.sides == .two ? 2 : 1,
            "target_power": question.power, "units": data.unitCount,
            "variants": zip(arms.names, arms.shares).objects { ["variant": $0, "share": $1] },
        ])
    }

    private func json(metric index: Int) -> KeyValuePairs<String, any SettingValue> {
        let metric = data.metrics[index]
        return [
            "before": metric.question.before, "change": changes[index], "correlation": metric.correlation,
            "design_effect": metric.designEffect,
            "effect_is": effects[index] == .added(changes[index]) ? "added" : "multiplied",
            "margin": margins?[index], "mean": metric.ratio, "metric": metric.question.column,
            "pair_correlation": metric.pairCorrelation, "ratio": metric.question.ratio, "skewness": metric.skewness,
            "tau_squared": mixtures[index].variance, "units_for_normality": metric.unitsForNormality,
            "variance": metric.variance, "variance_adjusted": metric.adjustedVariance,
            "weeks": weeks.objects { week in
                let finding = week.findings?[index]
                return [
                    "effect": finding?.fixed, "effect_sequential": finding?.sequential,
                    "effect_unadjusted": finding?.unadjusted, "margin": finding?.margin,
                    "power": finding?.power.fixed, "power_at_margin": finding?.powerOfMargin,
                    "power_sequential": finding?.power.sequential, "units": week.sizes,
                    "week": data.hasTimes ? week.number : nil,
                ]
            },
        ]
    }

    private func json(replay: Replay) -> JSONValue {
        JSONValue(members: [
            "agrees": !replay.disagrees, "confidence": replay.confidence, "first_salt": replaySalt(1),
            "rates": replay.rates.objects { rate in
                let kind = rate.kind.metric == nil ? "false_alarms" : "power"
                return [
                    "agrees": !rate.disagrees, "claim": rate.claim.rawValue, "count": rate.count,
                    "formula": rate.formula, "interval": [rate.interval.lowerBound, rate.interval.upperBound],
                    "kind": rate.kind.isSequential ? kind + "_sequential" : kind,
                    "metric": rate.kind.metric.map { data.metrics[$0].question.name }, "share": rate.share,
                ]
            }, "salts": replay.saltCount,
        ])
    }
}
