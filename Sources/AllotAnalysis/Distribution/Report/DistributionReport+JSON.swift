import AllotConfiguration

extension DistributionReport {
    /// The whole report as JSON. Shares and rates are from 0 to 1. A p-value comes with its decimal logarithm, which
    /// is a number also where the p-value is too small for a double; it is null where something impossible was seen.
    public var json: JSONValue {
        JSONValue(members: [
            "verdict": verdict, "alarm": !isFine, "function": functionName, "seed": seed, "threshold": alarmLevel,
            "test_count": testCount, "notes": notes, "samples": samples.map(\.json),
            "findings": findings.objects {
                [
                    "text": $0.text, "sample": $0.sample, "p_value_corrected": $0.adjustedPValue?.json,
                    "p_value_corrected_log10": $0.adjustedPValue?.log10,
                ]
            },
            "randomisations": randomisations.objects {
                [
                    "kind": $0.kind.rawValue, "name": $0.name, "window": $0.window.map { Int($0) },
                    "salt": $0.hash.salt, "unit": $0.unit,
                    "decided_by": $0.decidedBy.rawValue, "traffic": $0.traffic, "halved": $0.isHalved,
                ]
            },
        ])
    }
}

extension DistributionSample {
    var json: JSONValue {
        JSONValue(members: [
            "name": name, "notes": notes, "units": unitCount, "buckets": uniformity.map(\.json),
            "counts": divisions.map(\.json), "aa": trial?.json,
            // `left` and `right` are indices of `randomisations`; `table` has a row for each category of the left one.
            "pairs": pairs.objects {
                [
                    "left": $0.left, "right": $0.right, "phi": $0.phi, "shares_salt": $0.sharesSalt,
                    "test": $0.test?.json, "table": table(of: $0),
                ]
            },
        ])
    }
}

extension TestResult {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "statistic": statistic, "degrees_of_freedom": degreesOfFreedom, "p_value": pValue.json,
            "p_value_log10": pValue.log10, "p_value_corrected": adjustedPValue.json,
            "p_value_corrected_log10": adjustedPValue.log10,
        ])
    }
}

extension UniformityResult {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "bucket": bucket.rawValue, "draw_count": drawCount, "cell_count": cellCount,
            "expected_per_cell": expectedPerCell, "test": test.json, "histogram": histogram,
        ])
    }
}

extension DivisionResult {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "kind": randomisation.kind.rawValue, "name": randomisation.name,
            "categories": categories.objects {
                [
                    "name": $0.name, "count": $0.count, "share": $0.share, "expected_share": $0.expectedShare,
                    "standard_score": $0.standardScore,
                ]
            },
            "test": shares?.json, "largest_deviation": largestDeviation.map { $0.share - $0.expectedShare },
            "first_buckets": firstBuckets?.json, "second_buckets": secondBuckets?.json,
            "independence": independence?.json,
        ])
    }
}

extension SaltTrial {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "salts": saltCount, "units": unitCount, "uniformity": uniformity?.json, "p_values": pValues,
            "levels": levels.objects {
                [
                    "level": $0.nominal, "attained": $0.attained, "rejections": $0.rejectionCount, "rate": $0.rate,
                    "inside": $0.isInside, "test": $0.test?.json,
                    "interval": [$0.interval.lowerBound, $0.interval.upperBound],
                ]
            },
        ])
    }
}
