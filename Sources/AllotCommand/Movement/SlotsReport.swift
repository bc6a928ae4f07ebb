import Allot
import AllotAnalysis
import AllotConfiguration

/// The slots of a layer, for people and for programs.
struct SlotsReport {
    let layer: LayerDefinition
    let slots: LayerSlots
    /// How many slots a new experiment needs, if one is to be placed.
    let wanted: Int?

    var lines: [String] {
        var lines = [
            "\(layer.name): \(Percentage.text(ofBuckets: slots.free.count)) free (unit \(layer.unit), salt \(layer.salt))"
        ]
        let holdings = slots.holdings.flatMap { holding in
            holding.slots.ranges.map { range in
                (range, [BucketRange.percentText(range), holding.experiment, state(holding)])
            }
        }
        let gaps = slots.free.ranges.map { ($0, [BucketRange.percentText($0), "free", ""]) }
        let rows = (holdings + gaps).sorted { $0.0.lowerBound < $1.0.lowerBound }.map(\.1)
        lines += TextTable(rows, rightAligned: []).lines.map { "    \($0)" }
        guard let wanted, let place = slots.place(wanted) else { return lines }
        lines += ["", "a new experiment of \(Percentage.text(ofBuckets: wanted)):", "    layer: \(layer.name)"]
        lines.append("    slots: [\(place.ranges.map(BucketRange.percentText).joined(separator: ", "))]")
        let former = slots.formerHolders(of: place)
        if !former.isEmpty {
            lines.append(
                "its units have met the variants of \(former.joined(separator: ", ")); give it a salt of its own, which spreads "
                    + "that evenly")
        }
        return lines
    }

    private func state(_ holding: LayerSlots.Holding) -> String {
        let times = [holding.starts.map { "from \($0)" }, holding.ends.map { "until \($0)" }].compactMap { $0 }
        let parts = [holding.status.rawValue] + times + (holding.state == .taken ? [] : ["so its slots are free"])
        return parts.joined(separator: ", ")
    }

    var json: JSONValue {
        var object: JSONObject = [
            "layer": .string(layer.name), "unit": .string(layer.unit), "salt": .string(layer.salt.text),
            "free": Self.json(slots.free),
            "experiments": .array(
                slots.holdings.map { holding in
                    var object: JSONObject = [
                        "experiment": .string(holding.experiment), "status": .string(holding.status.rawValue),
                        "slots": Self.json(holding.slots), "state": .string(holding.state.rawValue),
                    ]
                    object["starts"] = holding.starts.map { .string($0.description) }
                    object["ends"] = holding.ends.map { .string($0.description) }
                    return .object(object)
                }),
        ]
        if let wanted { object["place"] = slots.place(wanted).map(Self.json) ?? .null }
        return .object(object)
    }

    private static func json(_ set: BucketSet) -> JSONValue {
        .array(set.ranges.map { .string(BucketRange.percentText($0)) })
    }
}
