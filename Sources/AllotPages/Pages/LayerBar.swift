import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotReports

/// The slots of a layer as a bar, each experiment that holds some of them in a colour.
struct LayerBar {
    private let layer: LayerDefinition
    private let slots: LayerSlots
    /// The class of each experiment's colour, and whether its slots count, by its key.
    private let styles: [String: String]

    /// - Parameter definitions: those that have the layer.
    init(_ layer: LayerDefinition, in definitions: Definitions, at instant: Instant) {
        self.layer = layer
        slots = LayerSlots(layer, in: definitions, from: instant, until: nil)
        let taken = slots.holdings.filter { $0.availability == .taken }
        styles = Dictionary(
            taken.enumerated().map { ($1.experiment.key, "v\(1 + $0 % 7)") }, uniquingKeysWith: { first, _ in first })
    }

    /// The class of the colour of an experiment; `nil` if it holds no slots now.
    func style(of key: String) -> String? { styles[key] }

    var freeShare: String { layer.hash.percentage(of: slots.free.count) }

    private static let (width, height) = (900.0, 20.0)

    /// The ranges of slots in order, with the experiments that hold them; `nil` for free ones.
    var ranges: [(range: Range<Int>, holding: LayerSlots.Holding?)] {
        let held = slots.holdings.flatMap { holding in
            holding.slots.ranges.map { (range: $0, holding: LayerSlots.Holding?.some(holding)) }
        }
        let free = slots.free.ranges.map { (range: $0, holding: LayerSlots.Holding?.none) }
        return (held + free).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The bar as SVG. Its title has the holders, for readers who do not see it.
    var picture: String {
        var markup = Markup()
        let size = "0 0 \(PlotFrame.text(Self.width)) \(PlotFrame.text(Self.height))"
        markup.element(
            "svg", ["class": "slots", "viewBox": size, "preserveAspectRatio": "none", "role": "img"]
        ) { markup in
            markup.element("title", alternative)
            markup.rectangle("free", x: 0, y: 0, width: Self.width, height: Self.height)
            for (range, holding) in ranges {
                guard let holding, let style = styles[holding.experiment.key] else { continue }
                let part = Self.width / Double(slots.slotCount)
                markup.rectangle(
                    style, x: Double(range.lowerBound) * part, y: 0, width: Double(range.count) * part,
                    height: Self.height, title: "\(holding.experiment.key): \(layer.hash.text(range))")
            }
        }
        return markup.text
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
