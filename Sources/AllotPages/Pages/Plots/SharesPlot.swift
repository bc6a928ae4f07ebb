import AllotAnalysis
import AllotReports

/// The difference of each variant's share among the units so far from the expected one, by day, and the band in which a
/// healthy one is with a probability of 95%.
struct SharesPlot {
    let ratio: RatioHistory
    private static let least = 0.2
    /// The standard deviations within which 95% of a normal distribution are.
    private static let deviations = 1.959964

    var picture: Markup {
        let axis = DayAxis(ratio.days.map(\.day), lineCount: ratio.shares.variants.count)
        let shares = ratio.shares.shares
        let totals = ratio.days.map { Double(max($0.totals.reduce(0, +), 1)) }
        let differences = zip(ratio.days, totals).map { day, total in
            zip(day.totals, shares).map { (Double($0) / total - $1) * 100 }
        }
        let bands = Self.variances(shares).map { variance in
            totals.map { Self.deviations * (variance / $0).squareRoot() * 100 }
        }
        // The first days have few units, whose shares would leave no room for those that matter.
        let shown = max(differences.count * 3 / 4, 1)
        let most = max(
            Self.least, differences.suffix(shown).reduce(0) { max($0, $1.map(abs).max() ?? 0) },
            bands.reduce(0) { max($0, $1.suffix(shown).first ?? 0) })
        // Ticks are whole numbers of hundredths.
        let steps = AxisTicks(upTo: most * 100)
        let end = steps.end(above: most * 100) / 100
        let frame = axis.frame(-end...end)
        func point(_ bar: Double, _ value: Double) -> String {
            let y = frame.y(min(max(value, -end), end))
            return "\(PlotFrame.text(frame.x(bar))) \(PlotFrame.text(y))"
        }
        let places = ratio.days.map { Double(axis.bar($0.day)) + 0.5 }
        let title =
            "Difference of each variant's share from the expected one, day after day, in percentage points, with the "
            + "band in which a healthy share is with a probability of 95%"
        return axis.picture(title) { markup in
            for widths in bands {
                // From the beginning of the first bar to the end of the last one.
                let bars = [0] + places + [Double(axis.count)]
                let ends = Array(widths.prefix(1)) + widths + Array(widths.suffix(1))
                let upper = zip(bars, ends).map { point($0, $1) }
                let lower = zip(bars, ends).map { point($0, -$1) }.reversed()
                markup.element("path", ["class": "band", "d": "M\((upper + lower).joined(separator: "L"))Z"])
            }
            frame.drawAxes(
                &markup, ticksAcross: axis.ticks, nameAcross: axis.title,
                ticksUp: steps.labels(from: -end * 100, to: end * 100).map { tick, _ in
                    (tick / 100, NumberFormat.difference(tick / 100, 2))
                }, nameUp: "percentage points")
            markup.line("axis", from: (frame.left, frame.y(0)), to: (frame.left + frame.width, frame.y(0)))
            let lines = ratio.shares.variants.enumerated().map { variant, name in
                PlotLine(name, PlotSeries(variant), zip(places, differences).map { (x: $0, y: $1[variant]) })
            }
            PlotLine.draw(lines, in: frame, &markup)
        }
    }

    /// The variances of the shares of one unit, each once.
    private static func variances(_ shares: [Double]) -> [Double] {
        // A share and its opposite have the same, but for rounding.
        Set(shares.map { Int($0 * (1 - $0) * 1e9 + 0.5) }).sorted().filter { $0 > 0 }.map { Double($0) / 1e9 }
    }
}
