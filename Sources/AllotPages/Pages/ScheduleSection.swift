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
