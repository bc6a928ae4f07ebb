import AllotReports
import RealModule

/// The histogram of buckets as deviations from what is expected, in standard deviations.
enum BucketPlot {
    private static let size = (width: 560.0, height: 280.0)

    static func draw(_ result: UniformityResult, in markup: inout Markup) {
        let scores = result.histogramScores
        let most = scores.map(abs).max() ?? 0
        let steps = AxisTicks(upTo: max(most, 4))
        let end = steps.end(above: max(most, 4))
        let frame = PlotFrame(
            horizontal: 0...Double(result.bucketCount), vertical: -end...end, left: 60, top: 10,
            width: size.width - 100, height: size.height - 60)
        let title = "Deviation of \(scores.count) parts of the \(result.bucket.rawValue) buckets from uniformity"
        markup.picture(width: size.width, height: size.height, title) { markup in
            let (above, below) = (frame.y(2), frame.y(-2))
            markup.rectangle("band", x: frame.left, y: above, width: frame.width, height: below - above)
            let buckets = (0...5).map { result.bucketCount * $0 / 5 }
            frame.drawAxes(
                &markup, ticksAcross: buckets.map { (Double($0), NumberFormat.grouped($0)) }, nameAcross: "bucket",
                ticksUp: steps.labels(from: -end, to: end), nameUp: "deviation, standard deviations")
            let width = Double(result.bucketCount) / Double(scores.count)
            for (index, score) in scores.enumerated() {
                let (left, right) = (frame.x(Double(index) * width), frame.x(Double(index + 1) * width))
                let (top, bottom) = (frame.y(max(score, 0)), frame.y(min(score, 0)))
                markup.rectangle(
                    abs(score) > 4 ? "bar far" : "bar", x: left + 0.3, y: top, width: max(right - left - 0.6, 0.5),
                    height: max(bottom - top, 0.3))
            }
            markup.line("axis", from: (frame.left, frame.y(0)), to: (frame.left + frame.width, frame.y(0)))
        }
    }
}
