import AllotReports

/// The first exposures of each day in stacked bars, an area for each variant.
struct DailyUnitsPlot {
    let variants: [String]
    /// In order, at least one.
    let days: [(day: Int, units: [Int])]

    var picture: Markup {
        let axis = DayAxis(days.map(\.day))
        var bars = Array(repeating: variants.map { _ in 0 }, count: axis.count)
        for (day, units) in days {
            for variant in variants.indices { bars[axis.bar(day)][variant] += units[variant] }
        }
        let most = bars.map { $0.reduce(0, +) }.max() ?? 1
        let steps = AxisTicks(upTo: Double(most))
        let top = steps.end(above: Double(most))
        let frame = axis.frame(0...top)
        let title = "First exposures of each day, by variant: \(days.count) days from \(DayAxis.date(days[0].day)) on"
        return axis.picture(title) { markup in
            frame.drawAxes(
                &markup, ticksAcross: axis.ticks, nameAcross: axis.title, ticksUp: steps.labels(from: 0, to: top),
                nameUp: "first exposures")
            var below = bars.map { _ in 0 }
            for variant in variants.indices {
                markup.element("g", ["fill": PlotSeries(variant).area]) { markup in
                    for (bar, units) in bars.enumerated() where units[variant] > 0 {
                        let (left, right) = (frame.x(Double(bar)), frame.x(Double(bar + 1)))
                        let gap = min((right - left) * 0.1, 2)
                        let low = frame.y(Double(below[bar]))
                        below[bar] += units[variant]
                        let high = frame.y(Double(below[bar]))
                        markup.rectangle(
                            "part", x: left + gap, y: high, width: max(right - left - 2 * gap, 0.5), height: low - high,
                            title: "\(axis.name(bar)), \(variants[variant]): \(NumberFormat.grouped(units[variant]))")
                    }
                }
            }
        }
    }
}
