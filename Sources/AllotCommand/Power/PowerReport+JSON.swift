import AllotAnalysis
import AllotConfiguration

extension PowerReport {
    /// The design of an experiment, for programs. What is not known is null.
    var json: JSONValue {
        let variants = zip(arms.names, zip(arms.allocation.shares, answer.sizes)).map { name, numbers in
            ["variant": .string(name), "share": .number(numbers.0), "units": .count(numbers.1)] as JSONValue
        }
        return [
            "alpha": .number(analysis.significance),
            "alpha_per_comparison": .number(analysis.comparisonSignificance),
            "approximation_is_good": .boolean(isApproximationGood),
            "asked": .string(answer.asked.rawValue),
            "control": .number(measure.control),
            "correction": .string(analysis.correction.defaultValueDescription),
            "days": .count(length?.days),
            "decrease": .number(answer.decrease),
            "effect": .number(answer.effect),
            "measure": .string(measureName),
            "method": .string(method),
            "power": .number(answer.power),
            "relative_effect": .number(measure.control.map { answer.effect / $0 }),
            "sides": .count(analysis.sides == .two ? 2 : 1),
            "standard_deviation": .number(standardDeviation),
            "target_power": .number(answer.target),
            "traffic": .number(supply?.traffic),
            "units": .count(answer.units),
            "units_per_day": .number(supply?.unitsPerDay),
            "variants": .array(variants),
            "weeks": .count(length?.weeks),
        ]
    }

    private var measureName: String {
        switch measure {
        case .rate: "rate"
        case .mean: "mean"
        }
    }

    private var standardDeviation: Double? {
        switch measure {
        case .rate: nil
        case .mean(let deviation, _): deviation
        }
    }
}

extension JSONValue {
    fileprivate static func number(_ value: Double?) -> JSONValue {
        value.flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null
    }

    fileprivate static func count(_ value: Int?) -> JSONValue {
        value.map { .number(JSONNumber($0)) } ?? .null
    }
}
