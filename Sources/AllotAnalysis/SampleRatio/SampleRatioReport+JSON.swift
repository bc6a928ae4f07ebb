import Allot
import AllotConfiguration
import AllotStatistics

extension SampleRatioReport {
    /// The report as JSON, for programs.
    ///
    /// A p-value keeps its power of ten however small it is, such as `1.3e-512`; readers that take numbers as doubles
    /// see 0 there, and find the decimal logarithm beside it.
    public var json: JSONValue {
        [
            "experiment": experiment.map(JSONValue.string) ?? .null,
            "alarm": .boolean(isAlarm),
            "alarms": .array(alarms.map { .string($0.name) }),
            "warnings": .array(warnings.map(JSONValue.string)),
            "threshold": .double(thresholdValue),
            "units": .int(unitCount),
            "variants": .array(shares.variants.indices.map(variantJSON)),
            "test": test?.json ?? .null,
            "sequential": sequential.json,
            "rows": rows.json,
            "unknown_variants": .array(unknown.json),
            "other_unknown_variants": .int(unknown.otherCount),
            "units_in_several_variants": crossingsJSON,
            "localisation": localisationJSON,
            "cause": cause?.json ?? .null,
        ]
    }

    /// What is no alarm by the ratio and yet not right.
    private var warnings: [String] {
        var warnings: [String] = []
        if case .hidden = localisation.finding { warnings.append("mismatch_within_a_value") }
        if let withoutCrossings, withoutCrossings.pValue < threshold {
            warnings.append("mismatch_without_units_in_several_variants")
        }
        switch cause?.finding {
        case .unrelated?: warnings.append("not_assigned_by_this_definition")
        case .renamed?: warnings.append("variants_named_otherwise")
        default: break
        }
        return warnings
    }

    private func variantJSON(_ index: Int) -> JSONValue {
        let possible = shares.weights.indices.filter { shares.weights[$0] > 0 }
        let residual = possible.firstIndex(of: index).flatMap { test?.chiSquare.residuals[$0] }
        return [
            "variant": .string(shares.variants[index]),
            "share": .double(shares.shares[index]),
            "observed": .int(counts[index]),
            "expected": test.map { .double($0.expected[index]) } ?? .null,
            "residual": residual.map(JSONValue.double) ?? .null,
        ]
    }

    private var crossingsJSON: JSONValue {
        [
            "units": .int(crossings.unitCount),
            "without": withoutCrossings?.json ?? .null,
            "examples": .array(
                crossings.examples.map { example in
                    [
                        "unit": .string(example.unit),
                        "first": .place(shares.variants[example.first], line: example.firstLine),
                        "second": .place(shares.variants[example.second], line: example.secondLine),
                    ]
                }),
        ]
    }

    private var localisationJSON: JSONValue {
        let (finding, values, without) = localisation.finding.parts
        return [
            "finding": .string(finding),
            "source": .array(values.map { ["attribute": .string($0.attribute), "value": .text($0.text)] }),
            "without_source": without.map(JSONValue.pValue) ?? .null,
            "attributes": .array(localisation.attributes.map(JSONValue.string)),
            "dropped_attributes": .array(localisation.droppedAttributes.map(JSONValue.string)),
            "untested_values": .int(localisation.untestedCount),
            "has_more_attributes": .boolean(hasMoreAttributes),
            "unreadable_rows": .int(unreadableAttributes.count),
            "values": .array(
                localisation.values.map { value in
                    [
                        "attribute": .string(value.attribute),
                        "value": .text(value.text),
                        "counts": .counts(value.counts),
                        "p_value": .pValue(value.pValue),
                        "p_value_corrected": .pValue(value.adjusted),
                        "p_value_difference_corrected": .pValue(value.difference),
                        "p_value_without": value.without.map(JSONValue.pValue) ?? .null,
                    ]
                }),
        ]
    }
}

extension SampleRatioReport.Alarm {
    fileprivate var name: String {
        switch self {
        case .ratio: "ratio"
        case .sequential: "sequential"
        case .impossibleVariants: "variants-without-share"
        }
    }
}

extension RatioTest {
    fileprivate var json: JSONValue {
        [
            "method": .string(method.rawValue),
            "chi_square": .double(chiSquare.statistic),
            "degrees_of_freedom": .int(chiSquare.degreesOfFreedom),
            "p_value": .pValue(pValue),
            "p_value_log10": .log10(pValue),
        ]
    }
}

extension SequentialResult {
    fileprivate var json: JSONValue {
        switch self {
        case .tested(let pValue, let crossing):
            [
                "status": "tested",
                "p_value": .pValue(pValue),
                "p_value_log10": .log10(pValue),
                "first_below": crossing.map {
                    [
                        "line": .int($0.line), "units": .int($0.unitCount),
                        "at": .text($0.instant?.description),
                    ]
                } ?? .null,
            ]
        case .outOfOrder(let fault): ["status": "out-of-order", "line": .int(fault.line)]
        case .orderUnknown: ["status": "order-unknown"]
        }
    }
}

extension RowCounts {
    fileprivate var json: JSONValue {
        let counts = [
            ("rows", rows), ("repeats", repeats), ("without_unit", withoutUnit), ("without_variant", withoutVariant),
            ("ignored", ignored), ("winners", winners), ("forced", forced), ("forced_units", forcedUnits),
        ]
        return .object(JSONObject(counts.map { (key: $0.0, value: .int($0.1)) }))
    }
}

extension UnknownVariants {
    fileprivate var json: [JSONValue] {
        variants.map {
            [
                "variant": .string($0.key), "count": .int($0.count),
                "line": .int($0.line),
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
        case .everywhere: ("everywhere", [], nil)
        case .hidden(let value): ("hidden", [value], value.without)
        }
    }
}

extension CauseSplit {
    fileprivate var json: JSONValue {
        [
            "finding": .string(finding.rawValue),
            "basis": basis.json,
            "capture_share": captureShare.map(JSONValue.double) ?? .null,
            "capture_test": capture.map { .pValue($0.pValue) } ?? .null,
            "reassigned_units": .int(reassignedCount),
            "unallocated_units": .int(unallocatedCount),
            "ineligible": .object(
                JSONObject(ineligible.map { (key: $0.key.text, value: .int($0.value)) })),
            "variants": .array(
                rows.map { row in
                    [
                        "variant": .string(row.variant),
                        "recorded": .int(row.recorded),
                        "expected": .double(row.expected),
                        "recomputed": .int(row.recomputed),
                        "captured": .double(row.captured),
                        "reassigned": .int(row.reassigned),
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

extension CauseSplit.Basis {
    fileprivate var json: JSONValue {
        switch self {
        case .decision: ["recomputed": "decision"]
        case .withoutAttributes(let names):
            ["recomputed": "buckets", "missing_attributes": .array(names.map(JSONValue.string))]
        case .buckets(let status): ["recomputed": "buckets", "status": .string(status.rawValue)]
        }
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    fileprivate static func counts(_ counts: [Int]) -> JSONValue {
        .array(counts.map { .int($0) })
    }

    fileprivate static func place(_ variant: String, line: Int) -> JSONValue {
        ["variant": .string(variant), "line": .int(line)]
    }
}
