import AllotConfiguration
import AllotCore
import AllotReports

/// The schedule of an experiment: a timeline, and its boundaries as a list.
enum ScheduleSection {
    static func write(_ entry: CatalogEntry, in page: inout Markup) {
        page.h2("Schedule", id: "schedule")
        guard let plot = SchedulePlot(entry: entry).picture else {
            return page.p(
                entry.phase == .running
                    ? "Running, without a start or an end." : "\(PageText.capitalised(entry.schedule)).")
        }
        page.plot(plot, "The share of eligible units that is enrolled. Between two boundaries nothing changes.")
        page.element("ol", ["class": "boundaries"]) { list in
            for boundary in entry.boundaries {
                let isPassed = boundary.instant <= entry.instant
                let distance: Markup =
                    isPassed
                    ? " \(faint: "(passed)")" : ", \(CatalogEntry.distance(to: boundary.instant, from: entry.instant))"
                list.inline("li", "\(time: boundary.instant.shortText) \(boundary.event)\(distance)")
            }
        }
    }
}

/// The schedule of an experiment: the share of eligible units that is enrolled over time, with the boundaries and now.
struct SchedulePlot {
    let entry: CatalogEntry
    private static let height = 130.0
    private static let dateWidth = 66.0

    /// The plot; `nil` if there is no boundary.
    var picture: Markup? {
        let boundaries = entry.boundaries
        guard !boundaries.isEmpty else { return nil }
        let now = Double(entry.instant.seconds)
        let places = boundaries.map { Double($0.instant.seconds) }
        let (least, most) = (min(places.min() ?? now, now), max(places.max() ?? now, now))
        let margin = max((most - least) * 0.1, 3600)
        let frame = PlotFrame(
            horizontal: (least - margin)...(most + margin), vertical: 0...1, pictureHeight: Self.height, top: 22,
            right: 16, bottom: 24)
        let steps = entry.experiment.traffic
        let schedule = entry.experiment.schedule
        func share(at instant: Instant) -> Double {
            guard schedule.reason(at: instant) == nil else { return 0 }
            return Double(steps.share(at: instant)) / Double(Bucketing.bucketCount)
        }
        let words = boundaries.map { "\($0.instant.shortText) \($0.event)" }.joined(separator: "; ")
        var markup = Markup()
        markup.chart(height: Self.height, "Traffic over time: \(words)") { markup in
            var path = "M\(PlotFrame.text(frame.left)) \(PlotFrame.text(frame.y(0)))"
            path += "V\(PlotFrame.text(frame.y(share(at: Instant(seconds: Int64(least - margin))))))"
            for boundary in boundaries {
                path += "H\(PlotFrame.text(frame.x(Double(boundary.instant.seconds))))"
                path += "V\(PlotFrame.text(frame.y(share(at: boundary.instant))))"
            }
            path += "H\(PlotFrame.text(frame.left + frame.width))V\(PlotFrame.text(frame.y(0)))Z"
            markup.element("path", ["class": "traffic", "d": path])
            frame.drawAxes(
                &markup, ticksAcross: [], nameAcross: "", ticksUp: [(0, "0%"), (0.5, "50%"), (1, "100%")],
                nameUp: "traffic")
            drawTicks(frame, boundaries.map(\.instant), in: &markup)
            let x = frame.x(now)
            markup.line("now", from: (x, frame.top - 5), to: (x, frame.top + frame.height))
            markup.label("now", x: x, y: frame.top - 8, anchor: "middle")
        }
        return markup
    }

    /// Names as many boundaries as have room; the list below the plot has all.
    private func drawTicks(_ frame: PlotFrame, _ instants: [Instant], in markup: inout Markup) {
        let bottom = frame.top + frame.height
        var free = -Double.infinity
        for instant in instants {
            let x = frame.x(Double(instant.seconds))
            markup.line("tick", from: (x, bottom), to: (x, bottom + 5))
            guard x - Self.dateWidth / 2 > free else { continue }
            markup.label(String(instant.shortText.prefix(10)), x: x, y: bottom + 17, anchor: "middle")
            free = x + Self.dateWidth / 2
        }
    }
}
