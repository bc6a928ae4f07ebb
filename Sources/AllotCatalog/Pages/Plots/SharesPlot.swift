import AllotAnalysis

/// How far the share of each variant among the units so far is from the expected one, day after day.
struct SharesPlot {
    let ratio: RatioHistory

    private static let size = (width: 560.0, height: 260.0)
    /// Fewer percentage points than this are nothing to look at.
    private static let least = 0.2

    func draw(in markup: inout Markup) {
        let axis = DayAxis(ratio.days.map(\.day))
        let shares = ratio.shares.shares
        let differences = ratio.days.map { day in
            let total = Double(max(day.totals.reduce(0, +), 1))
            return zip(day.totals, shares).map { (Double($0) / total - $1) * 100 }
        }
        // The first days have few units, whose shares would leave no room for those that matter.
        let last = differences.suffix(max(differences.count * 3 / 4, 1))
        let most = max(Self.least, last.reduce(0) { max($0, $1.map(abs).max() ?? 0) })
        // Ticks are whole numbers of hundredths.
        let steps = AxisTicks(upTo: most * 100)
        let end = steps.end(above: most * 100) / 100
        let frame = PlotFrame(
            horizontal: 0...Double(axis.count), vertical: -end...end, left: 72, top: 10, width: Self.size.width - 88,
            height: Self.size.height - 60)
        let title = "Difference of each variant's share from the expected one, day after day, in percentage points"
        markup.picture(width: Self.size.width, height: Self.size.height, title) { markup in
            frame.drawAxes(
                &markup, ticksAcross: axis.ticks, nameAcross: axis.title,
                ticksUp: steps.labels(from: -end * 100, to: end * 100).map { tick, _ in
                    (tick / 100, NumberFormat.difference(tick / 100, 2))
                }, nameUp: "percentage points")
            markup.line("axis", from: (frame.left, frame.y(0)), to: (frame.left + frame.width, frame.y(0)))
            for variant in shares.indices {
                var path = ""
                for (day, values) in zip(ratio.days, differences) {
                    let x = frame.x(Double(axis.bar(day.day)) + 0.5)
                    let y = frame.y(min(max(values[variant], -end), end))
                    path += "\(path.isEmpty ? "M" : "L")\(PlotFrame.text(x)) \(PlotFrame.text(y))"
                }
                // A single day is a dot.
                markup.element(
                    "path",
                    ["class": DailyUnitsPlot.style(variant), "d": ratio.days.count == 1 ? path + "h0" : path])
            }
        }
    }
}
