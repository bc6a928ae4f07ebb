import AllotConfiguration

extension DistributionSample {
    var json: JSONValue {
        [
            "name": .string(name),
            "notes": .array(notes.map(JSONValue.string)),
            "units": .int(unitCount),
            "buckets": .array(uniformity.map(\.json)),
            "counts": .array(divisions.map(\.json)),
            "pairs": .array(pairs.map(json)),
            "aa": trial?.json ?? .null,
        ]
    }

    /// `left` and `right` are indices of `randomisations`; `table` has a row for each category of the left one.
    private func json(_ pair: PairResult) -> JSONValue {
        [
            "left": .int(pair.left), "right": .int(pair.right), "phi": .double(pair.phi),
            "shares_salt": .boolean(pair.sharesSalt), "test": pair.test.json,
            "table": .array(table(of: pair).map { .array($0.map(JSONValue.int)) }),
        ]
    }
}

extension TestResult? {
    fileprivate var json: JSONValue {
        map { .object($0.json) } ?? .null
    }
}

extension UniformityResult {
    fileprivate var json: JSONValue {
        [
            "bucket": .string(bucket.rawValue), "draw_count": .int(drawCount), "cell_count": .int(cellCount),
            "expected_per_cell": .double(expectedPerCell), "test": .object(test.json),
            "histogram": .array(histogram.map(JSONValue.int)),
        ]
    }
}

extension DivisionResult {
    fileprivate var json: JSONValue {
        let deviation = largestDeviation.map { $0.share - $0.expectedShare }
        return [
            "kind": .string(randomisation.kind.rawValue), "name": .string(randomisation.name),
            "categories": .array(categories.map(\.json)), "test": shares.json,
            "largest_deviation": deviation.map(JSONValue.double) ?? .null,
            "first_buckets": firstBuckets?.json ?? .null, "second_buckets": secondBuckets?.json ?? .null,
            "independence": independence.json,
        ]
    }
}

extension DivisionResult.Category {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "count": .int(count), "share": .double(share),
            "expected_share": .double(expectedShare), "standard_score": .double(standardScore),
        ]
    }
}

extension SaltTrial {
    fileprivate var json: JSONValue {
        [
            "salts": .int(saltCount), "units": .int(unitCount),
            "levels": .array(levels.map(\.json)), "uniformity": uniformity.json,
            "p_values": .array(pValues.map(JSONValue.double)),
        ]
    }
}

extension SaltTrial.Level {
    fileprivate var json: JSONValue {
        [
            "level": .double(nominal), "attained": .double(attained), "rejections": .int(rejectionCount),
            "rate": .double(rate), "inside": .boolean(isInside), "test": test.json,
            "interval": [.double(interval.lowerBound), .double(interval.upperBound)],
        ]
    }
}
