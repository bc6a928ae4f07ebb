import AllotConfiguration
import AllotStatistics

extension SampleRatioReport {
    /// The report as JSON, for programs.
    ///
    /// A p-value keeps its power of ten however small it is, such as `1.3e-512`; readers that take numbers as doubles
    /// see 0 there, and find the decimal logarithm next to it.
    public var json: JSONValue {
        let several = multipleExposures
        let warnings: [String] =
            if case .hidden(let value) = localisation.finding, !value.isNamed { ["difference_within_a_value"] } else {
                []
            }
        return JSONValue(members: [
            "experiment": experiment, "salt": name.salt.nonEmpty, "revision": name.revision.nonEmpty,
            "alarm": isMismatch, "alarms": alarms, "warnings": warnings,
            "threshold": thresholdValue, "level": levels.ratio, "units": unitCount,
            "in_windows": hasWindows, "balanced_windows": isBalanced,
            "variants": shares.variants.indices.objects {
                [
                    "variant": shares.variants[$0], "share": shares.shares[$0], "observed": counts[$0],
                    "expected": test?.expected[$0], "residual": test?.residual($0),
                ]
            },
            "test": test?.json, "detectable_deviation": test?.detectableDeviation(threshold: thresholdValue),
            "sequential": sequential.json,
            "rows": JSONValue(members: [
                "rows": rows.rows, "repeats": rows.repeats, "without_unit": rows.withoutUnit,
                "without_window": rows.withoutWindow,
                "without_variant": rows.withoutVariant, "ignored": rows.ignored, "winners": rows.winners,
                "forced": rows.forced, "forced_units": rows.forcedUnits, "overridden": rows.overridden,
                "other_reasons": rows.otherReasons, "doubtful": rows.doubtful,
            ]),
            "unknown_variants": unknown.variants.objects { ["variant": $0.key, "count": $0.count] },
            "other_unknown_variants": unknown.otherCount,
            "units_in_several_variants": JSONValue(members: [
                "units": several.unitCount, "of": several.presentCount, "share_at_least": several.lowerBound,
                "not_counted": several.undecidedCount, "reassigned_between_revisions": several.reassignedCount,
                "without": withoutMultipleExposures?.json,
                "examples": several.examples.objects { ["unit": $0.unit, "variants": $0.variants, "times": $0.times] },
            ]),
            "returning_units": carryOver?.json, "localisation": localisation.json, "cause": attribution?.json,
        ])
    }
}

extension Localisation {
    fileprivate var json: JSONValue {
        let (finding, source, without) = finding.parts
        return JSONValue(members: [
            "finding": finding,
            "source": source.objects {
                [
                    "attribute": $0.attribute, "value": $0.text, "is_named": $0.isNamed,
                    "and": $0.other.map { JSONValue(members: ["attribute": $0.attribute, "value": $0.text]) },
                ]
            },
            "without_source": without?.json, "attributes": attributes.map(\.name),
            "homogeneity": attributes.filter { $0.homogeneity != nil }.objects {
                ["attribute": $0.name, "p_value_corrected": $0.homogeneity?.json]
            },
            "dropped_attributes": droppedAttributes, "untested_values": untestedCount,
            "has_more_attributes": tally.hasMoreAttributes, "unreadable_rows": tally.unreadableCount,
            "values": values.objects {
                [
                    "attribute": $0.attribute, "value": $0.text, "counts": $0.counts, "p_value": $0.pValue.json,
                    "p_value_corrected": $0.adjusted.json, "p_value_difference_corrected": $0.difference.json,
                    "p_value_without": $0.without?.json,
                ]
            },
        ])
    }
}

extension RatioTest {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "method": method.name, "draws": method.draws, "chi_square": chiSquare.statistic,
            "degrees_of_freedom": chiSquare.degreesOfFreedom, "p_value": pValue.json, "p_value_log10": pValue.log10,
        ])
    }
}

extension SequentialResult {
    fileprivate var json: JSONValue {
        switch self {
        case .tested(let pValue, let crossing):
            JSONValue(members: [
                "status": "tested", "p_value": pValue.json, "p_value_log10": pValue.log10,
                "first_below": crossing.map {
                    JSONValue(members: ["units": $0.unitCount, "at": $0.moment.text.nonEmpty])
                },
            ])
        case .untimed: ["status": "no-readable-time"]
        case .orderUnknown: ["status": "order-unknown"]
        case .sorted(let runs):
            JSONValue(members: ["status": "sorted-by-variant", "runs": runs.count, "expected_runs": runs.expected])
        }
    }
}

extension Localisation.Finding {
    /// A name, the values that it names, and the p-value of what is left without them.
    var parts: (name: String, values: [Localisation.Value], without: PValue?) {
        switch self {
        case .nothing: ("nothing", [], nil)
        case .source(let values, let without): ("source", values, without)
        case .part(let value): ("part", [value], value.without)
        case .uneven: ("uneven", [], nil)
        case .everywhere: ("everywhere", [], nil)
        case .hidden(let value): ("hidden", [value], value.without)
        }
    }
}

extension MismatchAttribution {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "finding": finding.rawValue, "basis": basis.json, "capture_share": captureShare,
            "capture_test": capture?.pValue.json, "reassigned_units": reassignedCount,
            "one_sided": oneSided.map { moved in
                JSONValue(members: [
                    "from": rows[moved.from].variant, "to": rows[moved.to].variant, "units": moved.count,
                    "back": moved.back, "p_value_corrected": moved.pValue.json,
                ])
            },
            "unallocated_units": unallocatedCount,
            "ineligible": JSONObject(ineligible.map { (key: $0.key.text, value: .int($0.value)) }),
            "variants": rows.objects {
                [
                    "variant": $0.variant, "recorded": $0.recorded, "expected": $0.expected,
                    "recomputed": $0.recomputed, "captured": $0.captured, "reassigned": $0.reassigned,
                ]
            },
            "wrong_variants": wrong.json,
            "examples": examples.objects {
                ["unit": $0.unit, "at": $0.time.nonEmpty, "recorded": $0.recorded, "recomputed": $0.recomputed]
            },
        ])
    }
}

extension MismatchAttribution.Basis {
    fileprivate var json: JSONValue {
        switch self {
        case .decision: ["recomputed": "decision"]
        case .withoutAttributes(let names): ["recomputed": "buckets", "missing_attributes": .strings(names)]
        case .buckets(let status): ["recomputed": "buckets", "status": .string(status.rawValue)]
        }
    }
}

extension WrongVariants {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "alarm": isAlarm, "units": unitCount, "of": presentCount, "share": share, "share_at_least": lowerBound,
            "since": since.nonEmpty, "until": until.nonEmpty, "labels": labels.rawValue,
            "source": source.map {
                JSONValue(members: [
                    "attribute": $0.attribute, "values": $0.values, "units": $0.inside[0], "wrong_units": $0.inside[1],
                ])
            },
            "moves": moves.objects { ["from": $0.from, "to": $0.to, "units": $0.count] },
        ])
    }
}
