import AllotConfiguration

extension DistributionReport {
    /// The whole report as JSON. Shares and rates are from 0 to 1. A p-value comes with its decimal logarithm, which is a
    /// number also where the p-value is too small for a double; it is null where something impossible was seen.
    public var json: JSONValue {
        [
            "verdict": .string(verdict),
            "alarm": .boolean(!isFine),
            "function": .string(functionName),
            "seed": .number(JSONNumber(seed)),
            "threshold": .double(alarmLevel),
            "test_count": .int(testCount),
            "notes": .array(notes.map(JSONValue.string)),
            "findings": .array(findings.map(\.json)),
            "randomisations": .array(randomisations.map(\.json)),
            "samples": .array(samples.map(\.json)),
        ]
    }
}

extension DistributionFinding {
    fileprivate var json: JSONValue {
        [
            "text": .string(text), "sample": sample.map(JSONValue.string) ?? .null,
            "p_value_corrected": adjustedPValue.map(JSONValue.pValue) ?? .null,
            "p_value_corrected_log10": adjustedPValue.map(JSONValue.log10) ?? .null,
        ]
    }
}

extension Randomisation {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "name": .string(name), "salt": .string(salt.text), "unit": .string(unit),
            "decided_by": .string(decidedBy.rawValue), "traffic": .int(traffic), "halved": .boolean(isHalved),
        ]
    }
}

extension TestResult {
    /// The members of a chi-square test.
    var json: JSONObject {
        [
            "statistic": .double(statistic), "degrees_of_freedom": .int(degreesOfFreedom),
            "p_value": .pValue(pValue), "p_value_log10": .log10(pValue), "p_value_corrected": .pValue(adjustedPValue),
            "p_value_corrected_log10": .log10(adjustedPValue),
        ]
    }
}
