import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotReports

/// The slots of a layer as a bar, each experiment that holds some of them as an area with its key.
struct LayerBar {
    private let layer: LayerDefinition
    private let slots: LayerSlots
    /// The experiments whose slots count, by their keys.
    private let holders: [String: PlotSeries]

    init(_ layer: LayerDefinition, in definitions: Definitions, at instant: Instant) {
        self.layer = layer
        slots = LayerSlots(layer, in: definitions, from: instant, until: nil)
        let taken = slots.holdings.filter { $0.availability == .taken }
        // The first one is like free slots.
        holders = Dictionary(
            taken.enumerated().map { ($1.experiment.key, PlotSeries($0 + 1)) }, uniquingKeysWith: { first, _ in first })
    }

    /// A square that looks like the slots of an experiment; `nil` if it holds none now.
    func swatch(of key: String) -> Markup? { holders[key]?.swatch }
    var freeShare: String { layer.hash.percentage(of: slots.free.count) }

    /// The ranges of slots in order, with the experiments that hold them; `nil` for free ones.
    var ranges: [(range: Range<Int>, holding: LayerSlots.Holding?)] {
        let held = slots.holdings.flatMap { holding in
            holding.slots.ranges.map { (range: $0, holding: LayerSlots.Holding?.some(holding)) }
        }
        let free = slots.free.ranges.map { (range: $0, holding: LayerSlots.Holding?.none) }
        return (held + free).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The bar. Its title has the holders, for readers who do not see it.
    var picture: Markup {
        var markup = Markup()
        markup.element("svg", ["class": "slots", "role": "img"]) { markup in
            markup.element("title", alternative)
            markup.element("rect", ["class": "free", "width": "100%", "height": "20"])
            for (range, holding) in ranges {
                guard let holding, let series = holders[holding.experiment.key] else { continue }
                let key = holding.experiment.key
                // What goes beyond a picture in a picture is not shown: a long key ends with its slots.
                markup.element("svg", ["x": share(range.lowerBound), "width": share(range.count)]) { markup in
                    markup.element("title", "\(key): \(layer.hash.text(range))")
                    markup.element("rect", ["width": "100%", "height": "20", "fill": series.area])
                    if range.count >= slots.slotCount / 10 { markup.label(key, x: 1, y: 34, anchor: "start") }
                }
            }
        }
        return markup
    }

    private func share(_ slots: Int) -> String {
        let share = Double(slots) / Double(self.slots.slotCount)
        return Percentage.text(ofBuckets: Int(share * Double(Bucketing.bucketCount) + 0.5))
    }

    private var alternative: String {
        let taken = slots.holdings.filter { $0.availability == .taken }
        let holders = taken.prefix(50).map {
            "\($0.experiment.key) holds \(layer.hash.text($0.slots.ranges)) (\($0.experiment.status.rawValue))"
        }
        let more = taken.count - holders.count
        let parts = holders + (more > 0 ? ["\(more) more"] : []) + ["\(freeShare) free"]
        return "Slots of the layer \(layer.name): \(parts.joined(separator: "; "))"
    }
}
