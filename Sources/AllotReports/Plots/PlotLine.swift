/// A line of a plot, with its name at its end.
package struct PlotLine {
    private let name: String
    private let series: PlotSeries
    private let isThin: Bool
    private let points: [(x: Double, y: Double)]

    /// A line of points in order; values beyond the frame are shown at its edge.
    package init(_ name: String, _ series: PlotSeries, isThin: Bool = false, _ points: [(x: Double, y: Double)]) {
        (self.name, self.series, self.isThin, self.points) = (name, series, isThin, points)
    }

    /// The width of the room for names at the right of a frame.
    package static let nameWidth = 110.0
    package static let nameHeight = 12.0
    private static let longestName = 12

    /// The name, without its middle if it is long: names of variants often differ at their ends.
    private var shownName: String {
        guard name.count > Self.longestName else { return name }
        return "\(name.prefix(Self.longestName / 2 - 1))…\(name.suffix(Self.longestName / 2))"
    }

    package static func draw(_ lines: [PlotLine], in frame: PlotFrame, _ markup: inout Markup) {
        let lines = lines.filter { !$0.points.isEmpty }
        let paths = lines.map { line in
            line.points.map { point in
                let y = min(max(point.y, frame.vertical.lowerBound), frame.vertical.upperBound)
                return (x: frame.x(point.x), y: frame.y(y))
            }
        }
        let ends = paths.compactMap { $0.last?.y }
        let heights = spread(ends, apart: nameHeight, in: frame.top...frame.top + frame.height)
        for ((line, path), height) in zip(zip(lines, paths), heights) {
            line.draw(path, name: (frame.left + frame.width + 8, height), &markup)
        }
    }

    private func draw(_ path: [(x: Double, y: Double)], name place: (x: Double, y: Double), _ markup: inout Markup) {
        guard let end = path.last else { return }
        if path.count > 1 {
            let corners = path.map { "\(PlotFrame.text($0.x)) \(PlotFrame.text($0.y))" }
            let style = isThin ? "line thin \(series.style)" : "line \(series.style)"
            let line = "M" + corners.joined(separator: "L")
            markup.element("path", ["class": style, "d": line, "stroke-dasharray": series.dashes])
        }
        markup.line("leader \(series.style)", from: end, to: (place.x - 2, place.y))
        let mark = "M\(PlotFrame.text(end.x)) \(PlotFrame.text(end.y))h0"
        markup.element("path", ["class": "line end \(series.style)", "d": mark])
        markup.label(shownName, x: place.x, y: place.y + 4, anchor: "start")
    }

    /// Places that are near some wanted ones and a distance apart, in the same order. They leave the range at its lower
    /// end if they do not have room in it.
    package static func spread(_ wanted: [Double], apart distance: Double, in range: ClosedRange<Double>) -> [Double] {
        let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
        var places = wanted
        var least = range.lowerBound
        for index in order {
            places[index] = max(places[index], least)
            least = places[index] + distance
        }
        var most = range.upperBound
        for index in order.reversed() {
            places[index] = min(places[index], most)
            most = places[index] - distance
        }
        return places
    }
}
