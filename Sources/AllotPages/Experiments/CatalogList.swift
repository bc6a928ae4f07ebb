import AllotConfiguration
import AllotCore
import AllotReports

/// The report of `allot list`: the selected experiments, one on each line.
package struct CatalogList: Sendable {
    package let experiments: [CatalogEntry]
    private let catalog: Catalog
    private let suggestion: String?

    package init(_ catalog: Catalog, _ selection: CatalogSelection = CatalogSelection()) {
        self.catalog = catalog
        experiments = selection.of(catalog)
        suggestion = experiments.isEmpty ? selection.suggestion(in: catalog) : nil
    }

    package var report: Report {
        let summary = "\(experiments.count) of \(counted(catalog.plan.experiments.count, "experiment"))"
        let next = catalog.plan.nextBoundary(after: catalog.instant).map { boundary in
            let distance = CatalogEntry.distance(to: boundary, from: catalog.instant)
            return "; the next change is at \(boundary.shortText), \(distance)"
        }
        guard !experiments.isEmpty else {
            return Report(summary + (suggestion.map { "; did you mean \(QuotedText($0))?" } ?? ""))
        }
        let rows = experiments.map { entry -> [Report.Cell] in
            [
                .name(entry.key), Report.Cell(entry.phase.rawValue), Report.Cell(entry.trafficShare ?? ""),
                Report.Cell(entry.nextBoundary.map { "\($0.instant.shortText) \($0.event)" } ?? ""),
                .name(entry.layer ?? ""), Report.Cell(entry.owner ?? ""),
                Report.Cell(Self.short(entry.description ?? "")),
            ]
        }
        let columns: [Report.Column] = [
            .text("experiment"), .text("status"), .number("traffic"), .text("next"), .text("layer"), .text("owner"),
            .text("description"),
        ]
        var report = Report(
            summary + (next ?? ""), title: "Experiments", endsWithVerdict: true,
            [.table(Report.Table(columns, rows, isAtMargin: true))])
        report.isRecord = true
        return report
    }

    /// The first line of a text, cut where a terminal's line ends.
    private static func short(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.count > 60 ? line.prefix(59) + "…" : line
    }

    /// The report for programs: the instant, the revision and the experiments, each as ``CatalogEntry/json``.
    package var json: JSONValue {
        [
            "at": .string(catalog.instant.description),
            "configuration_revision": .string(catalog.plan.revision),
            "next_boundary": catalog.plan.nextBoundary(after: catalog.instant).map {
                ["at": .string($0.description)]
            } ?? .null,
            "experiments": .array(experiments.map(\.json)),
        ]
    }
}

extension CatalogEntry {
    /// The share of eligible units that is enrolled at the instant, as a percentage; `nil` if none are randomised then.
    package var trafficShare: String? { enrolledBuckets.map { Percentage.text(ofBuckets: $0) } }

    var enrolledBuckets: Int? {
        phase == .running && experiment.draw != nil ? experiment.traffic.share(at: instant) : nil
    }
}
