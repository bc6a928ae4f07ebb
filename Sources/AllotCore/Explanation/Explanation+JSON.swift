import AllotConfiguration

extension Explanation {
    /// The explanation as JSON, for programs. A bucket or share of 2^53 or more, which other systems' hashes of 60 bits
    /// have, is text.
    public var json: JSONValue {
        var object: JSONObject = [
            "at": .string(instant.description), "configuration_revision": .string(revision),
            "experiments": .array(experiments.map(\.json)), "hash": .string(Bucketing.hashVersion),
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
            "experiment": .string(assignment.experiment), "variant": .text(assignment.variant),
            "reason": .string(assignment.reason.text), "bucket": .count(assignment.bucket),
            "revision": .string(assignment.revision), "unit": .text(unit), "unit_id": .text(unitID),
            "sentence": .string(sentence), "steps": .array(steps.map(\.json)),
        ]
        if let owner { object["owner"] = .string(owner) }
        if !dependsOn.isEmpty { object["depends_on"] = .strings(dependsOn) }
        return .object(object)
    }
}

extension Explanation.Step {
    fileprivate var json: JSONValue {
        switch self {
        case .unit(let attribute, let given, let isValid):
            ["step": "unit", "attribute": .string(attribute), "given": .text(given), "valid": .boolean(isValid)]
        case .status(let status): ["step": "status", "status": .string(status.rawValue)]
        case .forced(let variant): ["step": "forced", "variant": .string(variant)]
        case .displaced(let rival): ["step": "displaced", "by": .string(rival)]
        case .schedule(let starts, let ends, let now):
            [
                "step": "schedule", "starts": .text(starts?.description), "ends": .text(ends?.description),
                "now": .string(now.description),
            ]
        case .holdout(let name, let hash, let unit, let bucket, let share, let isHeldOut):
            hash.json(adding: [
                "step": "holdout", "holdout": .string(name), "unit": .string(unit), "bucket": .count(bucket),
                "share": .count(share), "held_out": .boolean(isHeldOut),
            ])
        case .slot(let layer, let hash, let unit, let bucket, let slots, let isInside):
            hash.json(adding: [
                "step": "slot", "layer": .string(layer), "unit": .string(unit), "bucket": .count(bucket),
                "slots": .ranges(slots), "inside": .boolean(isInside),
            ])
        case .requirement(let experiment, let wanted, let assigned, let isMet):
            [
                "step": "requirement", "experiment": .string(experiment),
                "wanted": wanted.isEmpty ? "none" : .strings(wanted), "assigned": .text(assigned),
                "met": .boolean(isMet),
            ]
        case .audience(let matches, let tests):
            ["step": "audience", "matches": .boolean(matches ?? true), "tests": .array(tests.map(\.json))]
        case .window(let window, let input, let isMirrored):
            [
                "step": "window", "window": .number(JSONNumber(Int(window.number))),
                "since": .string(window.since.description), "until": .text(window.until?.description),
                "input": .string(input), "mirrored": .boolean(isMirrored),
            ]
        case .traffic(let salt, let bucket, let traffic, let now, let isBelow):
            traffic.json(
                at: now,
                adding: [
                    "step": "traffic", "salt": .string(salt), "bucket": .count(bucket), "enrolled": .boolean(isBelow),
                ])
        case .split(let hash, let bucket, let owner, let variants):
            hash.json(adding: [
                "step": "split", "bucket": .count(bucket), "owner": .text(owner),
                "variants": .object(JSONObject(variants.map { (key: $0.key, value: .ranges($0.buckets)) })),
            ])
        }
    }
}

extension UnitHash {
    /// The salt, and the name and resolution of another system's hash.
    fileprivate func json(adding members: JSONObject) -> JSONValue {
        var members = members
        members["salt"] = .string(salt)
        if let foreign {
            members["hash"] = .string(foreign.scheme.rawValue)
            members["resolution"] = .count(foreign.resolution)
        }
        return .object(members)
    }
}

extension Traffic {
    fileprivate func json(at now: Instant, adding members: JSONObject) -> JSONValue {
        var members = members
        members["traffic"] = .count(share(at: now))
        if !steps.isEmpty {
            members["traffic_steps"] = .array(
                steps.map { ["from": .string($0.from.description), "share": .count($0.share)] })
        }
        return .object(members)
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
    fileprivate static func count(_ count: Int?) -> JSONValue {
        count.map { $0 < 1 << 53 ? .number(JSONNumber($0)) : .string(String($0)) } ?? .null
    }

    fileprivate static func ranges(_ ranges: [Range<Int>]) -> JSONValue {
        .array(ranges.map { .string("\($0.lowerBound)..<\($0.upperBound)") })
    }
}
