import AllotReports
import AllotStatistics
import RealModule

/// Ordered p-values against the quantiles of the uniform distribution: as they are, and as powers of ten, which shows
/// the small ones.
struct QuantilePlot {
    /// In ascending order, at least one.
    let pValues: [PValue]
    let subject: String
    private static let size = (width: 420.0, height: 380.0)
    /// This many points show any curve.
    private static let mostPoints = 1000
    /// The power of ten of an impossible p-value in a plot.
    private static let farthest = 10_000.0

    func draw(in markup: inout Markup) {
        let frame = frame(horizontal: 1, vertical: 1)
        let ticks = (0...5).map { (Double($0) / 5, NumberFormat.grouped(Double($0) / 5, 1)) }
        picture("Quantiles of the p-values of \(subject)", in: &markup) { markup in
            markup.element("path", ["class": "band", "d": uniformBand(frame)])
            frame.drawAxes(
                &markup, ticksAcross: ticks, nameAcross: "expected p-value", ticksUp: ticks, nameUp: "observed p-value")
            markup.line("axis", from: (frame.x(0), frame.y(0)), to: (frame.x(1), frame.y(1)))
            let step = max(1, pValues.count / Self.mostPoints)
            let ranks = Array(stride(from: step / 2, to: pValues.count, by: step))
            drawPoints(ranks, frame, in: &markup) { (expected($0), pValues[$0].value) }
        }
    }

    func drawLogarithms(in markup: inout Markup) {
        let across = powers(expected(0))
        let up = max(pValues.first.map(power) ?? 0, across + 1)
        let (ticksAcross, ticksUp) = (AxisTicks(upTo: across), AxisTicks(upTo: up))
        let (right, top) = (ticksAcross.end(above: across), ticksUp.end(above: up))
        let frame = frame(horizontal: right, vertical: top)
        let ranks = spreadRanks
        picture("The small p-values of \(subject), as powers of ten", in: &markup) { markup in
            markup.element("path", ["class": "band", "d": rankBand(ranks, frame, top: top)])
            frame.drawAxes(
                &markup, ticksAcross: ticksAcross.labels(from: 0, to: right), nameAcross: "expected −log₁₀ p",
                ticksUp: ticksUp.labels(from: 0, to: top), nameUp: "observed −log₁₀ p")
            let end = min(right, top)
            markup.line("axis", from: (frame.x(0), frame.y(0)), to: (frame.x(end), frame.y(end)))
            drawPoints(ranks, frame, in: &markup) { (powers(expected($0)), power(pValues[$0])) }
        }
    }

    private func picture(_ title: String, in markup: inout Markup, _ body: (inout Markup) -> Void) {
        markup.picture(width: Self.size.width, height: Self.size.height, title, body)
    }

    private func frame(horizontal: Double, vertical: Double) -> PlotFrame {
        PlotFrame(
            horizontal: 0...horizontal, vertical: 0...vertical, left: 60, top: 10, width: Self.size.width - 80,
            height: Self.size.height - 60)
    }

    private func drawPoints(
        _ ranks: [Int], _ frame: PlotFrame, in markup: inout Markup, _ point: (Int) -> (Double, Double)
    ) {
        let path = ranks.map { rank in
            let (x, y) = point(rank)
            return "M\(PlotFrame.text(frame.x(x))) \(PlotFrame.text(frame.y(y)))h0"
        }
        markup.element("path", ["class": "points", "d": path.joined()])
    }

    /// The middle of the share of values of a rank, from 0.
    private func expected(_ rank: Int) -> Double { (Double(rank) + 0.5) / Double(pValues.count) }
    private func powers(_ probability: Double) -> Double { -Double.log10(probability) }
    private func power(_ pValue: PValue) -> Double { min(-pValue.logarithm / Double.log(10), Self.farthest) }

    /// The smallest values one by one, the others thinned out evenly on the logarithmic axis.
    private var spreadRanks: [Int] {
        var ranks: [Int] = []
        var rank = 0
        while rank < pValues.count {
            ranks.append(rank)
            rank += max(1, rank / 50)
        }
        return ranks
    }

    /// The band that ordered values leave anywhere with a probability of 1%.
    private func uniformBand(_ frame: PlotFrame) -> String {
        let distance = min(criticalDistance, 1)
        return path([(0, 0), (0, distance), (1 - distance, 1), (1, 1), (1, 1 - distance), (distance, 0)], frame)
    }

    /// The distance of Kolmogorov and Smirnov that is exceeded with a probability of 1%, by Stephens's approximation
    /// (1970).
    private var criticalDistance: Double {
        let root = Double.sqrt(Double(pValues.count))
        return 1.6276 / (root + 0.12 + 0.11 / root)
    }

    /// The band that each value leaves with a probability of 1%: the quantiles of its beta distribution.
    private func rankBand(_ ranks: [Int], _ frame: PlotFrame, top: Double) -> String {
        func edge(_ probability: Double) -> [(Double, Double)] {
            ranks.filter { $0 < 20 || $0 % 7 == 0 || $0 == ranks.last }.map { rank in
                let quantile = IncompleteBeta.quantile(
                    lowerLogarithm: .log(probability), Double(rank + 1), Double(pValues.count - rank)
                ).value
                return (powers(expected(rank)), min(powers(quantile), top))
            }
        }
        return path(edge(0.005) + edge(0.995).reversed(), frame)
    }

    private func path(_ corners: [(Double, Double)], _ frame: PlotFrame) -> String {
        "M"
            + corners.map { "\(PlotFrame.text(frame.x($0.0))) \(PlotFrame.text(frame.y($0.1)))" }
            .joined(separator: "L") + "Z"
    }
}
