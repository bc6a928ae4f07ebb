import AllotConfiguration

extension DistributionReport {
    /// The whole report as JSON. Shares and rates are from 0 to 1. A p-value comes with its decimal logarithm, which
    /// is a number also where the p-value is too small for a double; it is null where something impossible was seen.
    public var json: JSONValue {
        [
            "verdict": .string(verdict), "alarm": .boolean(!isFine), "function": .string(functionName),
            "seed": .number(JSONNumber(seed)), "threshold": .double(alarmLevel), "test_count": .int(testCount),
            "notes": .strings(notes), "samples": .array(samples.map(\.json)),
            "findings": .array(
                findings.map { finding in
                    [
                        "text": .string(finding.text), "sample": .text(finding.sample),
                        "p_value_corrected": .pValue(finding.adjustedPValue),
                        "p_value_corrected_log10": .log10(finding.adjustedPValue),
                    ]
                }),
            "randomisations": .array(
                randomisations.map { randomisation in
                    [
                        "kind": .string(randomisation.kind.rawValue), "name": .string(randomisation.name),
                        "salt": .string(randomisation.hash.salt), "unit": .string(randomisation.unit),
                        "decided_by": .string(randomisation.decidedBy.rawValue),
                        "traffic": .int(randomisation.traffic), "halved": .boolean(randomisation.isHalved),
                    ]
                }),
        ]
    }
}

extension DistributionSample {
    var json: JSONValue {
        [
            "name": .string(name), "notes": .strings(notes), "units": .int(unitCount),
            "buckets": .array(uniformity.map(\.json)), "counts": .array(divisions.map(\.json)),
            "aa": trial?.json ?? .null,
            // `left` and `right` are indices of `randomisations`; `table` has a row for each category of the left one.
            "pairs": .array(
                pairs.map { pair in
                    [
                        "left": .int(pair.left), "right": .int(pair.right), "phi": .double(pair.phi),
                        "shares_salt": .boolean(pair.sharesSalt), "test": pair.test.json,
                        "table": .array(table(of: pair).map { .array($0.map(JSONValue.int)) }),
                    ]
                }),
        ]
    }
}

extension TestResult? {
    fileprivate var json: JSONValue {
        map { test in
            [
                "statistic": .double(test.statistic), "degrees_of_freedom": .int(test.degreesOfFreedom),
                "p_value": .pValue(test.pValue), "p_value_log10": .log10(test.pValue),
                "p_value_corrected": .pValue(test.adjustedPValue),
                "p_value_corrected_log10": .log10(test.adjustedPValue),
            ]
        } ?? .null
    }
}

extension UniformityResult {
    fileprivate var json: JSONValue {
        [
            "bucket": .string(bucket.rawValue), "draw_count": .int(drawCount), "cell_count": .int(cellCount),
            "expected_per_cell": .double(expectedPerCell), "test": Optional(test).json,
            "histogram": .array(histogram.map(JSONValue.int)),
        ]
    }
}

extension DivisionResult {
    fileprivate var json: JSONValue {
        [
            "kind": .string(randomisation.kind.rawValue), "name": .string(randomisation.name),
            "categories": .array(
                categories.map { category in
                    [
                        "name": .string(category.name), "count": .int(category.count),
                        "share": .double(category.share), "expected_share": .double(category.expectedShare),
                        "standard_score": .double(category.standardScore),
                    ]
                }),
            "test": shares.json,
            "largest_deviation": .double(largestDeviation.map { $0.share - $0.expectedShare }),
            "first_buckets": firstBuckets?.json ?? .null, "second_buckets": secondBuckets?.json ?? .null,
            "independence": independence.json,
        ]
    }
}

extension SaltTrial {
    fileprivate var json: JSONValue {
        [
            "salts": .int(saltCount), "units": .int(unitCount), "uniformity": uniformity.json,
            "p_values": .array(pValues.map(JSONValue.double)),
            "levels": .array(
                levels.map { level in
                    [
                        "level": .double(level.nominal), "attained": .double(level.attained),
                        "rejections": .int(level.rejectionCount), "rate": .double(level.rate),
                        "inside": .boolean(level.isInside), "test": level.test.json,
                        "interval": [.double(level.interval.lowerBound), .double(level.interval.upperBound)],
                    ]
                }),
        ]
    }
}
