import AllotAnalysis

/// The share of each variant among the units so far, day after day, and the shares that are expected.
struct SharesPlot {
    let ratio: RatioHistory

    private static let size = (width: 640.0, height: 260.0)

    func draw(in markup: inout Markup) {
        let axis = DayAxis(ratio.days.map(\.day))
        let shares = ratio.shares.shares
        let observed = ratio.days.map { day in
            let total = Double(max(day.totals.reduce(0, +), 1))
            return day.totals.map { Double($0) / total }
        }
        // The first days have few units, whose shares would leave no room for those that matter.
        let all = observed.suffix(max(observed.count * 4 / 5, 1)).flatMap { $0 } + shares
        let (least, most) = (all.min() ?? 0, all.max() ?? 1)
        let margin = max((most - least) * 0.15, 0.01)
        let range = max(0, least - margin)...min(1, most + margin)
        let frame = PlotFrame(
            horizontal: 0...Double(axis.count), vertical: range, left: 72, top: 10, width: Self.size.width - 88,
            height: Self.size.height - 60)
        let title = "Share of each variant among the units so far, with the expected shares as dashed lines"
        markup.picture(width: Self.size.width, height: Self.size.height, title) { markup in
            frame.drawAxes(
                &markup, ticksAcross: axis.ticks, nameAcross: axis.title,
                ticksUp: (0...4).map { tick in
                    let value = range.lowerBound + (range.upperBound - range.lowerBound) * Double(tick) / 4
                    return (value, NumberFormat.percent(value, 1))
                }, nameUp: "share of the units so far")
            for variant in shares.indices {
                let style = DailyUnitsPlot.style(variant)
                let y = PlotFrame.text(frame.y(shares[variant]))
                markup.element(
                    "path",
                    [
                        "class": "\(style) expected",
                        "d": "M\(PlotFrame.text(frame.left)) \(y)H\(PlotFrame.text(frame.left + frame.width))",
                    ])
                var path = ""
                for (day, values) in zip(ratio.days, observed) {
                    let x = frame.x(Double(axis.bar(day.day)) + 0.5)
                    let value = min(max(values[variant], range.lowerBound), range.upperBound)
                    path += "\(path.isEmpty ? "M" : "L")\(PlotFrame.text(x)) \(PlotFrame.text(frame.y(value)))"
                }
                // A single day is a dot.
                markup.element("path", ["class": style, "d": ratio.days.count == 1 ? path + "h0" : path])
            }
        }
    }
}
