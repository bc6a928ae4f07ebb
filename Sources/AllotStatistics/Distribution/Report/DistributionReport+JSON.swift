import AllotConfiguration

extension DistributionReport {
    /// The whole report as JSON. Shares and rates are from 0 to 1. A p-value comes with its natural logarithm, `ln_p`, which
    /// is a number also where the p-value is too small for a double; it is null where something impossible was seen.
    public var json: JSONValue {
        [
            "verdict": .string(verdict),
            "fine": .boolean(isFine),
            "function": .string(functionName),
            "seed": .number(JSONNumber(seed)),
            "alarm_level": .double(alarmLevel),
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
            "adjusted_p": adjustedPValue.map { .double($0.value) } ?? .null,
            "adjusted_ln_p": adjustedPValue.map { .double($0.logarithm) } ?? .null,
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
            "statistic": .double(statistic), "degrees_of_freedom": .int(degreesOfFreedom), "p": .double(pValue.value),
            "ln_p": .double(pValue.logarithm), "adjusted_p": .double(adjustedPValue.value),
            "adjusted_ln_p": .double(adjustedPValue.logarithm),
        ]
    }
}
