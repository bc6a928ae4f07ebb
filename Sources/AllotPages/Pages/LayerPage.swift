import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotReports

/// `/layers/{name}`: who holds the slots of a layer.
package enum LayerPage {
    /// Makes page 1, 2, … of the list. Returns `nil` if there is no such layer.
    package static func make(_ name: String, _ catalog: Catalog, _ links: PageLinks, page: Int = 1) -> Page? {
        let definitions = catalog.plan.definitions
        guard let layer = definitions.layers.first(where: { UTF8Order.areEqual($0.name, name) }) else { return nil }
        let bar = LayerBar(layer, in: definitions, at: catalog.instant)
        let ranges = bar.ranges
        let pager = Pager(ranges.count, page: page, links)
        let holdouts = definitions.holdouts.filter { $0.scope?.layers.contains(layer.name) ?? false }
        return Page(layer.name, below: ("Experiments", .overview), part: .experiments) { page in
            page.p(
                "A layer: by its slot, a unit is randomised in at most one of its experiments at a time.",
                class: "faint")
            page.description(layer.description, class: "text")
            page.append(bar.picture)
            page.element("dl") { list in
                list.fact("Free", "\(bar.freeShare)")
                list.fact("Unit", "\(layer.unit)")
                list.fact("Randomised by", "\(layer.hash.words)")
                list.fact("Holdouts", each: holdouts.map { "\(link: $0.name, to: links.to(.holdout($0.name)))" })
            }
            page.h2("Slots")
            page.cards(
                label: "Slots",
                heads: ["Slots", Markup.Head("Share", class: "number"), "Experiment", "Status", "Owner"],
                of: ranges[pager.rows]
            ) { slots, row in
                let swatch = slots.holding.flatMap { bar.swatch(of: $0.experiment.key) } ?? freeSwatch
                row.rowHead("\(swatch)\(layer.hash.text(slots.range))")
                row.cell("\(layer.hash.percentage(of: slots.range.count))", "Share", class: "number")
                write(slots.holding, catalog, links, in: &row)
            }
            pager.write(in: &page) { "\(links.to(.layer(layer.name)))?page=\($0)" }
        }
    }

    static let freeSwatch: Markup = {
        var swatch = Markup()
        swatch.element("span", ["class": "key free"], "")
        return swatch
    }()

    private static func write(
        _ holding: LayerSlots.Holding?, _ catalog: Catalog, _ links: PageLinks, in row: inout Markup
    ) {
        guard let holding else {
            row.cell("free", class: "first")
            for _ in 0..<2 { row.cell("") }
            return
        }
        let experiment = holding.experiment
        row.cell("\(link: experiment.key, to: links.to(.experiment(experiment.key)))", class: "first")
        row.element("td", ["class": "first"]) { cell in
            guard let entry = catalog.experiment(experiment.key) else { return }
            cell.append("\(badge: entry.phase.rawValue)")
            guard entry.schedule != entry.phase.rawValue else { return }
            let isOver = holding.availability != .taken
            cell.element("span", ["class": "about"], entry.schedule + (isOver ? ": its slots are free" : ""))
        }
        row.owner(experiment.owner)
    }
}
