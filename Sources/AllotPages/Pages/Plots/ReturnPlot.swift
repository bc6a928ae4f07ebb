import AllotCore
import AllotReports

/// The units that come back when a holdout ends: for each experiment a bar with the shares of its variants.
struct ReturnPlot {
    /// At least one; the shares are those of the units in the audience.
    let experiments: [(key: String, shares: [(variant: String, share: ExactShare)])]
    /// The height of a bar with its name above it.
    private static let rowHeight = 30.0
    private static let longestName = 40

    var picture: Markup {
        let height = Double(experiments.count) * Self.rowHeight
        let frame = PlotFrame(
            horizontal: 0...1, vertical: 0...Double(experiments.count), left: 20, top: 4, width: 316, height: height)
        let names = experiments.map { key, shares in
            let parts = shares.filter { !$0.share.isNone }.map { "\($0.variant) \($0.share)" }
            return "\(key): \(parts.isEmpty ? "no unit" : parts.joined(separator: ", "))"
        }
        var markup = Markup()
        markup.chart(height: height + 46, "Units that come back, by variant: \(names.joined(separator: "; "))") {
            markup in
            for (row, (key, shares)) in experiments.enumerated() {
                let top = frame.top + Double(row) * Self.rowHeight
                markup.label(
                    PageText.short(names[row], atMost: Self.longestName), x: frame.left, y: top + 11, anchor: "start")
                var start = 0.0
                for (variant, (name, share)) in shares.enumerated() where !share.isNone {
                    let width = share.value * frame.width
                    markup.element("g", ["fill": PlotSeries(variant).area]) {
                        $0.rectangle(
                            "part", x: frame.x(start), y: top + 15, width: max(width, 0.5), height: 12,
                            title: "\(key), \(name): \(share)")
                    }
                    start += share.value
                }
            }
            frame.drawAxes(
                &markup, ticksAcross: [(0, "0%"), (0.5, "50%"), (1, "100%")], nameAcross: "share of the audience",
                ticksUp: [], nameUp: "")
        }
        return markup
    }
}
