import AllotConfiguration
import AllotStatistics

extension SampleRatioReport {
    /// The report as JSON, for programs.
    ///
    /// A p-value keeps its power of ten however small it is, such as `1.3e-512`; readers that take numbers as doubles
    /// see 0 there, and find the decimal logarithm next to it.
    public var json: JSONValue {
        [
            "experiment": .text(experiment), "salt": .text(name.salt.isEmpty ? nil : name.salt),
            "revision": .text(name.revision.isEmpty ? nil : name.revision), "alarm": .boolean(isMismatch),
            "alarms": .strings(alarms),
            "warnings": .strings(warnings), "threshold": .double(thresholdValue), "level": .double(levels.ratio),
            "units": .int(unitCount),
            "variants": .array(
                shares.variants.indices.map { index in
                    [
                        "variant": .string(shares.variants[index]), "share": .double(shares.shares[index]),
                        "observed": .int(counts[index]), "expected": .double(test?.expected[index]),
                        "residual": .double(test?.residual(index)),
                    ]
                }),
            "test": test.json,
            "detectable_deviation": .double(test?.detectableDeviation(threshold: thresholdValue)),
            "sequential": sequential.json,
            "rows": [
                "rows": .int(rows.rows), "repeats": .int(rows.repeats), "without_unit": .int(rows.withoutUnit),
                "without_variant": .int(rows.withoutVariant), "ignored": .int(rows.ignored),
                "winners": .int(rows.winners), "forced": .int(rows.forced), "forced_units": .int(rows.forcedUnits),
                "overridden": .int(rows.overridden), "other_reasons": .int(rows.otherReasons),
                "doubtful": .int(rows.doubtful),
            ],
            "unknown_variants": .array(
                unknown.variants.map {
                    ["variant": .string($0.key), "count": .int($0.count)]
                }),
            "other_unknown_variants": .int(unknown.otherCount), "units_in_several_variants": multipleExposuresJSON,
            "returning_units": carryOver?.json ?? .null, "localisation": localisationJSON,
            "cause": attribution?.json ?? .null,
        ]
    }

    private var warnings: [String] {
        var warnings: [String] = []
        if case .hidden(let value) = localisation.finding, !value.isNamed {
            warnings.append("difference_within_a_value")
        }
        return warnings
    }

    private var multipleExposuresJSON: JSONValue {
        let several = multipleExposures
        return [
            "units": .int(several.unitCount), "of": .int(several.presentCount),
            "share_at_least": .double(several.lowerBound), "not_counted": .int(several.undecidedCount),
            "reassigned_between_revisions": .int(several.reassignedCount),
            "without": withoutMultipleExposures.json,
            "examples": .array(
                several.examples.map { example in
                    [
                        "unit": .string(example.unit), "variants": .strings(example.variants),
                        "times": .strings(example.times),
                    ]
                }),
        ]
    }

    private var localisationJSON: JSONValue {
        let (finding, values, without) = localisation.finding.parts
        return [
            "finding": .string(finding),
            "source": .array(
                values.map { value in
                    [
                        "attribute": .string(value.attribute), "value": .text(value.text),
                        "and": value.other.map { ["attribute": .string($0.attribute), "value": .text($0.text)] }
                            ?? .null,
                        "is_named": .boolean(value.isNamed),
                    ]
                }),
            "without_source": .pValue(without), "attributes": .strings(localisation.attributes.map(\.name)),
            "homogeneity": .array(
                localisation.attributes.compactMap { attribute in
                    attribute.homogeneity.map {
                        ["attribute": .string(attribute.name), "p_value_corrected": .pValue($0)]
                    }
                }),
            "dropped_attributes": .strings(localisation.droppedAttributes),
            "untested_values": .int(localisation.untestedCount),
            "has_more_attributes": .boolean(localisation.tally.hasMoreAttributes),
            "unreadable_rows": .int(localisation.tally.unreadableCount),
            "values": .array(
                localisation.values.map { value in
                    [
                        "attribute": .string(value.attribute), "value": .text(value.text),
                        "counts": .array(value.counts.map(JSONValue.int)), "p_value": .pValue(value.pValue),
                        "p_value_corrected": .pValue(value.adjusted),
                        "p_value_difference_corrected": .pValue(value.difference),
                        "p_value_without": .pValue(value.without),
                    ]
                }),
        ]
    }
}

extension RatioTest? {
    fileprivate var json: JSONValue {
        map { test in
            [
                "method": .string(test.method.name), "draws": test.method.draws.map(JSONValue.int) ?? .null,
                "chi_square": .double(test.chiSquare.statistic),
                "degrees_of_freedom": .int(test.chiSquare.degreesOfFreedom), "p_value": .pValue(test.pValue),
                "p_value_log10": .log10(test.pValue),
            ]
        } ?? .null
    }
}

extension SequentialResult {
    fileprivate var json: JSONValue {
        switch self {
        case .tested(let pValue, let crossing):
            let first: JSONValue? = crossing.map {
                ["units": .int($0.unitCount), "at": .text($0.moment.text.isEmpty ? nil : $0.moment.text)]
            }
            return [
                "status": "tested", "p_value": .pValue(pValue), "p_value_log10": .log10(pValue),
                "first_below": first ?? .null,
            ]
        case .untimed: return ["status": "no-readable-time"]
        case .orderUnknown: return ["status": "order-unknown"]
        case .sorted(let runs):
            return [
                "status": "sorted-by-variant", "runs": .int(runs.count), "expected_runs": .double(runs.expected),
            ]
        }
    }
}

extension Localisation.Finding {
    /// A name, the values that it names, and the p-value of what is left without them.
    fileprivate var parts: (String, [Localisation.Value], PValue?) {
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
        [
            "finding": .string(finding.rawValue), "basis": basis.json, "capture_share": .double(captureShare),
            "capture_test": .pValue(capture?.pValue), "reassigned_units": .int(reassignedCount),
            "one_sided": oneSided.map { moved in
                [
                    "from": .string(rows[moved.from].variant), "to": .string(rows[moved.to].variant),
                    "units": .int(moved.count), "back": .int(moved.back), "p_value_corrected": .pValue(moved.pValue),
                ]
            } ?? .null,
            "unallocated_units": .int(unallocatedCount),
            "ineligible": .object(JSONObject(ineligible.map { (key: $0.key.text, value: .int($0.value)) })),
            "variants": .array(
                rows.map { row in
                    [
                        "variant": .string(row.variant), "recorded": .int(row.recorded),
                        "expected": .double(row.expected), "recomputed": .int(row.recomputed),
                        "captured": .double(row.captured), "reassigned": .int(row.reassigned),
                    ]
                }),
            "wrong_variants": wrong.json,
            "examples": .array(
                examples.map { example in
                    [
                        "unit": .string(example.unit), "at": .text(example.time.isEmpty ? nil : example.time),
                        "recorded": .string(example.recorded), "recomputed": .text(example.recomputed),
                    ]
                }),
        ]
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
        [
            "alarm": .boolean(isAlarm), "units": .int(unitCount), "of": .int(presentCount), "share": .double(share),
            "share_at_least": .double(lowerBound), "since": .text(since.isEmpty ? nil : since),
            "until": .text(until.isEmpty ? nil : until), "labels": .string(labels.rawValue),
            "source": source.map { source in
                [
                    "attribute": .string(source.attribute), "values": .array(source.values.map { .text($0) }),
                    "units": .int(source.inside[0]), "wrong_units": .int(source.inside[1]),
                ]
            } ?? .null,
            "moves": .array(
                moves.map {
                    ["from": .text($0.from), "to": .string($0.to), "units": $0.count.map(JSONValue.int) ?? .null]
                }),
        ]
    }
}
