import AllotConfiguration
import AllotCore
import AllotReports

/// The report of `allot slots`: the slots of a layer, and where a new experiment fits.
package struct SlotsReport: Sendable {
    let layer: LayerDefinition
    let slots: LayerSlots
    let wanted: Int?

    /// Finds free slots of a layer for a new experiment, which ends never if `ends` is `nil`, and needs the wanted
    /// slots, of 1,000,000, if any.
    package init(
        layer name: String, of plan: Plan, at starts: Instant, until ends: Instant? = nil, place wanted: Int? = nil
    ) throws(AnalysisError) {
        let layers = plan.definitions.layers
        guard !layers.isEmpty else { throw AnalysisError("the definitions have no layer; write one into layers.yaml") }
        guard let layer = layers.first(where: { UTF8Order.areEqual($0.name, name) })
        else { throw AnalysisError.unknown("layer", name, among: layers.map(\.name)) }
        self.layer = layer
        self.wanted = try wanted.map(layer.hash.buckets)
        slots = LayerSlots(layer, in: plan.definitions, from: starts, until: ends)
    }

    /// The reason for which the new experiment does not fit; `nil` if it does, or if none is to be placed.
    package var misfit: String? {
        guard let wanted, slots.place(wanted) == nil else { return nil }
        let free = layer.hash.percentage(of: slots.free.count)
        return "\(layer.name) has only \(free) free, not \(layer.hash.percentage(of: wanted))"
    }

    package var lines: [String] { TextRenderer().lines(report) }

    package var report: Report {
        let holdings = slots.holdings.flatMap { holding -> [Row] in
            holding.slots.ranges.map { range -> Row in
                (range, [.name(layer.hash.text(range)), .name(holding.experiment.key), Report.Cell(state(holding))])
            }
        }
        let gaps = slots.free.ranges.map { range -> Row in (range, [.name(layer.hash.text(range)), "free", ""]) }
        let rows = (holdings + gaps).sorted { $0.range.lowerBound < $1.range.lowerBound }.map(\.cells)
        var report = Report(
            "\(layer.name): \(layer.hash.percentage(of: slots.free.count)) free "
                + "(unit \(PrintableText(layer.unit)), \(layer.hash.words))",
            isGood: misfit == nil,
            lead: [.table([.text("slots"), .text("experiment"), .text("state")], rows, showsHead: false)])
        guard let wanted, let place = slots.place(wanted) else { return report }
        let ranges = place.ranges.map { layer.hash.text($0) }.joined(separator: ", ")
        let definition = Report.Section(
            "a new experiment of \(layer.hash.percentage(of: wanted)):",
            [.code(["layer: \(layer.name)", "slots: [\(ranges)]"])])
        let former = slots.formerHolders(of: place)
        let advice =
            "its units have met the variants of \(former.joined(separator: ", ")); give it a salt of its own, which "
            + "spreads that evenly"
        report.add(.section(Report.Section("", [.section(definition), .text(former.isEmpty ? "" : advice)])))
        return report
    }

    private typealias Row = (range: Range<Int>, cells: [Report.Cell])

    private func state(_ holding: LayerSlots.Holding) -> String {
        let experiment = holding.experiment
        return [
            experiment.status.rawValue, experiment.schedule.starts.map { "from \($0.writtenText)" },
            experiment.ends.map { "until \($0.writtenText)" },
            holding.availability == .taken ? nil : "so its slots are free",
        ].compactMap(\.self).joined(separator: ", ")
    }

    package var json: JSONValue {
        let holdings = slots.holdings.map { holding in
            let experiment = holding.experiment
            var object = JSONObject(members: [
                "experiment": experiment.key, "status": experiment.status.rawValue, "slots": json(holding.slots),
                "state": holding.availability.rawValue,
            ])
            object["starts"] = experiment.starts?.description.json
            object["ends"] = experiment.ends?.description.json
            return object
        }
        var object = JSONObject(members: [
            "layer": layer.name, "unit": layer.unit, "salt": layer.hash.salt, "free": json(slots.free),
            "experiments": holdings,
        ])
        if let wanted { object["place"] = slots.place(wanted).map(json) ?? .null }
        if let hash = layer.hash.foreign {
            (object["hash"], object["resolution"]) = (hash.scheme.rawValue.json, hash.resolution.json)
        }
        return .object(object)
    }

    private func json(_ set: BucketSet) -> JSONValue { .strings(set.ranges.map { layer.hash.text($0) }) }
}
