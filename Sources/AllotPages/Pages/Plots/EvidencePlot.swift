import AllotAnalysis
import AllotReports

/// The p-values of the ratio test, day after day, on a scale of powers of ten: the lower, the more surprising.
struct EvidencePlot {
    let ratio: RatioHistory
    /// The power of ten beyond which all are alike.
    private static let farthest = 300.0

    var picture: Markup {
        let axis = DayAxis(ratio.days.map(\.day), lineCount: 2)
        let threshold = ratio.thresholdEvidence
        let most = ratio.days.reduce(0) { max($0, $1.evidence.sequential, $1.evidence.fixed ?? 0) }
        let shown = max(min(most, Self.farthest), threshold + 1)
        let steps = AxisTicks(upTo: shown)
        let end = steps.end(above: shown)
        let frame = axis.frame(-end...0)
        let title =
            "p-value of the ratio, day after day: the always-valid test is at "
            + "\(ratio.days.last?.texts.sequential ?? "1"), a mismatch is detected below \(ratio.thresholdNumber)"
        return axis.picture(title) { markup in
            let limit = frame.y(-threshold)
            markup.rectangle(
                "alarm", x: frame.left, y: limit, width: frame.width, height: frame.top + frame.height - limit)
            frame.drawAxes(
                &markup, ticksAcross: axis.ticks, nameAcross: axis.title,
                ticksUp: steps.labels(from: 0, to: end).map { ($0.0 == 0 ? 0 : -$0.0, Self.label($0.0, $0.1)) },
                nameUp: "p-value")
            markup.line("axis far", from: (frame.left, limit), to: (frame.left + frame.width, limit))
            markup.label(
                "below \(ratio.thresholdNumber): mismatch", x: frame.left + frame.width - 4, y: limit + 12,
                anchor: "end")
            let lines = [
                line("one look", PlotSeries(1), isThin: true, axis) { $0.evidence.fixed },
                line("always valid", PlotSeries(0), axis) { $0.evidence.sequential },
            ]
            PlotLine.draw(lines, in: frame, &markup)
        }
    }

    /// A power of ten below 1, the first ones as decimals.
    private static func label(_ power: Double, _ text: String) -> String {
        power > 3 ? "1e-\(text)" : NumberFormat.significant([1, 0.1, 0.01, 0.001][Int(power)], 1)
    }

    private func line(
        _ name: String, _ series: PlotSeries, isThin: Bool = false, _ axis: DayAxis,
        _ value: (RatioHistory.Day) -> Double?
    ) -> PlotLine {
        let points = ratio.days.compactMap { day in value(day).map { (x: Double(axis.bar(day.day)) + 0.5, y: -$0) } }
        return PlotLine(name, series, isThin: isThin, points)
    }
}
