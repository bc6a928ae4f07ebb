import AllotConfiguration

extension Explanation {
    /// The explanation as JSON, for programs.
    public var json: JSONValue {
        [
            "at": .string(instant.description),
            "configuration_revision": .string(revision),
            "experiments": .array(experiments.map(\.json)),
            "hash": .string(Bucketing.hashVersion),
        ]
    }
}

extension Explanation.Experiment {
    fileprivate var json: JSONValue {
        [
            "experiment": .string(assignment.experiment),
            "variant": .text(assignment.variant),
            "reason": .string(assignment.reason.text),
            "bucket": .count(assignment.bucket),
            "revision": .string(assignment.revision),
            "unit": .string(unit),
            "unit_id": .text(unitID),
            "sentence": .string(sentence),
            "steps": .array(steps.map(\.json)),
        ]
    }
}

extension Explanation.Step {
    fileprivate var json: JSONValue {
        switch self {
        case .unit(let attribute, let given, let isValid):
            ["step": "unit", "attribute": .string(attribute), "given": .text(given), "valid": .boolean(isValid)]
        case .status(let status): ["step": "status", "status": .string(status.rawValue)]
        case .forced(let variant): ["step": "forced", "variant": .string(variant)]
        case .displaced(let by): ["step": "displaced", "by": .string(by)]
        case .schedule(let starts, let ends, let now):
            [
                "step": "schedule", "starts": .text(starts?.description), "ends": .text(ends?.description),
                "now": .string(now.description),
            ]
        case .holdout(let name, let salt, let unit, let bucket, let share, let isHeldOut):
            [
                "step": "holdout", "holdout": .string(name), "salt": .string(salt), "unit": .string(unit),
                "bucket": .count(bucket), "share": .count(share), "held_out": .boolean(isHeldOut),
            ]
        case .slot(let layer, let salt, let unit, let bucket, let slots, let isInside):
            [
                "step": "slot", "layer": .string(layer), "salt": .string(salt), "unit": .string(unit),
                "bucket": .count(bucket), "slots": .ranges(slots), "inside": .boolean(isInside),
            ]
        case .requirement(let experiment, let wanted, let assigned, let isMet):
            [
                "step": "requirement", "experiment": .string(experiment),
                "wanted": .array(wanted.map(JSONValue.string)), "assigned": .text(assigned), "met": .boolean(isMet),
            ]
        case .audience(let matches, let tests):
            ["step": "audience", "matches": .boolean(matches ?? true), "tests": .array(tests.map(\.json))]
        case .traffic(let salt, let bucket, let traffic, let isBelow):
            [
                "step": "traffic", "salt": .string(salt), "bucket": .count(bucket), "traffic": .count(traffic),
                "enrolled": .boolean(isBelow),
            ]
        case .split(let salt, let bucket, let owner, let variants):
            [
                "step": "split", "salt": .string(salt), "bucket": .count(bucket), "owner": .text(owner),
                "variants": .object(JSONObject(variants.map { (key: $0.key, value: .ranges($0.buckets)) })),
            ]
        }
    }
}

extension Explanation.Test {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["depth": .count(depth), "text": .string(text)]
        if let attribute { object["attribute"] = .string(attribute) }
        if let holds {
            object["holds"] = .boolean(holds)
            object["seen"] = .text(seen)
        }
        return .object(object)
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    fileprivate static func count(_ count: Int?) -> JSONValue {
        count.map { .number(JSONNumber($0)) } ?? .null
    }

    fileprivate static func ranges(_ ranges: [Range<Int>]) -> JSONValue {
        .array(ranges.map { .string("\($0.lowerBound)..<\($0.upperBound)") })
    }
}
