import AllotAnalysis
public import AllotConfiguration
import AllotCore

extension CatalogEntry {
    /// Everything that is defined, for programs. Shares are texts as definitions write them, instants RFC 3339.
    public var json: JSONValue {
        var object: JSONObject = [
            "experiment": .string(key), "owner": .text(owner), "description": .text(description),
            "status": .string(phase.rawValue), "schedule": .string(schedule),
            "starts": .text(experiment.starts?.description), "ends": .text(experiment.ends?.description),
            "days_running": .int(daysRunning), "boundaries": .array(boundaries.map(\.json)),
            "next_boundary": nextBoundary?.json ?? .null, "traffic": .text(trafficShare),
            "unit": .text(experiment.unit), "hash": .text(experiment.hash?.scheme.rawValue),
            "salt": .text(experiment.salt), "layer": .text(layer), "slots": .text(slots),
            "holdouts": .array(
                holdouts.map { ["holdout": .string($0.name), "share": .string($0.hash.percentage(of: $0.share))] }),
            "requires": .strings(requirements), "audience": .strings(audience),
            "variants": .array(variants.map(\.json)), "settings": .strings(settings),
            "forced_units": .int(forcedCount), "revision": .string(experiment.revision),
        ]
        object["period"] = experiment.draw?.period?.json
        object["window"] = experiment.window(at: instant)?.json
        return .object(object)
    }
}

extension Period {
    fileprivate var json: JSONValue {
        ["every": .string(lengthText), "from": .string(from.description), "balanced": .boolean(isBalanced)]
    }
}

extension Window {
    fileprivate var json: JSONValue {
        ["number": .int(Int(number)), "since": .string(since.description), "until": .text(until?.description)]
    }
}

extension CatalogEntry.Boundary {
    fileprivate var json: JSONValue { ["at": .string(instant.description), "event": .string(event)] }
}

extension CatalogVariant {
    fileprivate var json: JSONValue {
        [
            "variant": .string(key), "description": .text(description), "share": .text(share),
            "won": .boolean(isWinner),
            "changes": .array(
                changes.map { ["setting": .string($0.name), "base": $0.base ?? .null, "value": $0.value] }),
        ]
    }
}
