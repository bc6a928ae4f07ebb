import AllotConfiguration

extension Explanation {
    /// The explanation as JSON, for programs. A bucket or share of 2^53 or more, which other systems' hashes of 60 bits
    /// have, is text.
    public var json: JSONValue {
        var object: JSONObject = [
            "at": .string(instant.description),
            "configuration_revision": .string(revision),
            "experiments": .array(experiments.map(\.json)),
            "hash": .string(Bucketing.hashVersion),
        ]
        if !unread.isEmpty {
            object["unread"] = .array(
                unread.map { ["attribute": .string($0.name), "meant": .text($0.meant)] as JSONValue })
        }
        return .object(object)
    }
}

extension Explanation.Experiment {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "experiment": .string(assignment.experiment),
            "variant": .text(assignment.variant),
            "reason": .string(assignment.reason.text),
            "bucket": .count(assignment.bucket),
            "revision": .string(assignment.revision),
            "unit": .text(unit),
            "unit_id": .text(unitID),
            "sentence": .string(sentence),
            "steps": .array(steps.map(\.json)),
        ]
        if let owner { object["owner"] = .string(owner) }
        if !dependsOn.isEmpty { object["depends_on"] = .array(dependsOn.map(JSONValue.string)) }
        return .object(object)
    }
}

extension Explanation.Step {
    fileprivate var json: JSONValue {
        var object = members
        object["step"] = .string(name)
        return .object(object)
    }

    /// The step's name: that of the check, where a step with numbers belongs to one.
    private var name: String {
        switch check {
        case .unit: "unit"
        case .paused, .draft: "status"
        case .forced: "forced"
        case .displacement: "displaced"
        case .schedule: "schedule"
        case .holdout: "holdout"
        case .slot: "slot"
        case .requirement: "requirement"
        case .audience: "audience"
        case .conclusion: "conclusion"
        case .traffic: "traffic"
        case .split: "split"
        }
    }

    private var members: JSONObject {
        switch self {
        case .unit(let attribute, let given, let isValid):
            ["attribute": .string(attribute), "given": .text(given), "valid": .boolean(isValid)]
        case .status(let status): ["status": .string(status.rawValue)]
        case .forced(let variant): ["variant": .string(variant)]
        case .displaced(let rival): ["by": .string(rival)]
        case .schedule(let starts, let ends, let now):
            ["starts": .text(starts?.description), "ends": .text(ends?.description), "now": .string(now.description)]
        case .holdout(let name, let hash, let unit, let bucket, let share, let isHeldOut):
            hash.members(adding: [
                "holdout": .string(name), "unit": .string(unit), "bucket": .count(bucket), "share": .count(share),
                "held_out": .boolean(isHeldOut),
            ])
        case .slot(let layer, let hash, let unit, let bucket, let slots, let isInside):
            hash.members(adding: [
                "layer": .string(layer), "unit": .string(unit), "bucket": .count(bucket), "slots": .ranges(slots),
                "inside": .boolean(isInside),
            ])
        case .requirement(let experiment, let wanted, let assigned, let isMet):
            [
                "experiment": .string(experiment),
                "wanted": wanted.isEmpty ? "none" : .array(wanted.map(JSONValue.string)),
                "assigned": .text(assigned), "met": .boolean(isMet),
            ]
        case .audience(let matches, let tests):
            ["matches": .boolean(matches ?? true), "tests": .array(tests.map(\.json))]
        case .traffic(let salt, let bucket, let traffic, let now, let isBelow):
            Self.trafficMembers(
                traffic, at: now,
                adding: ["salt": .string(salt), "bucket": .count(bucket), "enrolled": .boolean(isBelow)])
        case .split(let hash, let bucket, let owner, let variants):
            hash.members(adding: [
                "bucket": .count(bucket), "owner": .text(owner),
                "variants": .object(JSONObject(variants.map { (key: $0.key, value: .ranges($0.buckets)) })),
            ])
        }
    }
}

extension UnitHash {
    /// The salt, and the name and resolution of another system's hash.
    fileprivate func members(adding members: JSONObject) -> JSONObject {
        var members = members
        members["salt"] = .string(salt)
        if let foreign {
            members["hash"] = .string(foreign.scheme.rawValue)
            members["resolution"] = .count(foreign.resolution)
        }
        return members
    }
}

extension Explanation.Step {
    /// The share at the instant, and all steps of a traffic that changes.
    private static func trafficMembers(
        _ traffic: Traffic, at now: Instant, adding members: JSONObject
    ) -> JSONObject {
        var members = members
        members["traffic"] = .count(traffic.share(at: now))
        guard !traffic.steps.isEmpty else { return members }
        members["traffic_steps"] = .array(
            traffic.steps.map { ["from": .string($0.from.description), "share": .count($0.share)] })
        return members
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
        count.map { $0 < 1 << 53 ? .number(JSONNumber($0)) : .string(String($0)) } ?? .null
    }

    fileprivate static func ranges(_ ranges: [Range<Int>]) -> JSONValue {
        .array(ranges.map { .string("\($0.lowerBound)..<\($0.upperBound)") })
    }
}
