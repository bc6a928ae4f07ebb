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
            "alarms": .array(
                mismatches.map { mismatch in
                    switch mismatch {
                    case .ratio: "ratio"
                    case .sequential: "sequential"
                    case .impossibleVariants: "variants-without-share"
                    case .hidden: "within-a-value"
                    case .capture: "capture"
                    case .reassignment: "reassignment"
                    case .otherVariants(.renamed): "renamed-variants"
                    case .otherVariants: "unrelated-variants"
                    }
                }),
            "warnings": .strings(warnings), "threshold": .double(thresholdValue), "units": .int(unitCount),
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
                    ["variant": .string($0.key), "count": .int($0.count), "line": .int($0.line)]
                }),
            "other_unknown_variants": .int(unknown.otherCount), "units_in_several_variants": multipleExposuresJSON,
            "localisation": localisationJSON, "cause": attribution?.json ?? .null,
        ]
    }

    /// What is not right although the ratio as a whole is.
    private var warnings: [String] {
        var warnings: [String] = []
        if case .hidden = localisation.finding { warnings.append("mismatch_within_a_value") }
        if let test = withoutMultipleExposures, test.pValue < threshold {
            warnings.append("mismatch_without_units_in_several_variants")
        }
        return warnings
    }

    private var multipleExposuresJSON: JSONValue {
        func place(_ variant: String, _ line: Int) -> JSONValue {
            ["variant": .string(variant), "line": .int(line)]
        }
        return [
            "units": .int(multipleExposures.unitCount), "without": withoutMultipleExposures.json,
            "examples": .array(
                multipleExposures.examples.map { example in
                    [
                        "unit": .string(example.unit), "first": place(example.first, example.firstLine),
                        "second": place(example.second, example.secondLine),
                    ]
                }),
        ]
    }

    private var localisationJSON: JSONValue {
        let (finding, values, without) = localisation.finding.parts
        return [
            "finding": .string(finding),
            "source": .array(values.map { ["attribute": .string($0.attribute), "value": .text($0.text)] }),
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
                ["line": .int($0.line), "units": .int($0.unitCount), "at": .text($0.instant?.description)]
            }
            return [
                "status": "tested", "p_value": .pValue(pValue), "p_value_log10": .log10(pValue),
                "first_below": first ?? .null,
            ]
        case .outOfOrder(let fault): return ["status": "out-of-order", "line": .int(fault.line)]
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
            "examples": .array(
                examples.map { example in
                    [
                        "unit": .string(example.unit), "line": .int(example.line),
                        "recorded": .string(rows[example.recorded].variant),
                        "recomputed": .text(example.recomputed.map { rows[$0].variant }),
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
