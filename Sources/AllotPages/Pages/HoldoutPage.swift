import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotReports

/// `/holdouts/{name}`: the share of units that a holdout keeps out, and of what.
package enum HoldoutPage {
    /// Makes page 1, 2, … of the list. Returns `nil` if there is no such holdout.
    package static func make(_ name: String, _ catalog: Catalog, _ links: PageLinks, page: Int = 1) -> Page? {
        let definitions = catalog.plan.definitions
        guard let holdout = definitions.holdouts.first(where: { UTF8Order.areEqual($0.name, name) }) else { return nil }
        let covered = zip(definitions.experiments, catalog.experiments).filter { holdout.covers($0.0) }.map(\.1)
        let pager = Pager(covered.count, page: page, links)
        let layers = holdout.scope?.layers.sorted(by: UTF8Order.precedes) ?? []
        return Page(holdout.name, below: ("Experiments", .overview), part: .experiments) { page in
            page.p(
                """
                A holdout: a share of the units that gets none of the experiments that it covers, to compare them with \
                all others.
                """, class: "faint")
            page.description(holdout.description, class: "text")
            page.element("dl") { list in
                list.fact("Held out", "\(holdout.hash.percentage(of: holdout.share))")
                list.fact("Unit", "\(holdout.unit)")
                list.fact("Randomised by", "\(holdout.hash.words)")
                list.fact("Covers", "\(coverage(of: holdout, in: catalog))")
                list.fact("Layers", each: layers.map { "\(link: $0, to: links.to(.layer($0)))" })
            }
            guard !covered.isEmpty else { return }
            page.h2("Experiments")
            page.cards(
                label: "Experiments", heads: ["Experiment", "Status", "Layer", "Owner"], of: covered[pager.rows]
            ) { entry, row in
                row.rowHead(entry, links)
                row.cell("\(badge: entry.phase.rawValue)", class: "first")
                row.layer(of: entry, links)
                row.owner(entry.owner)
            }
            pager.write(in: &page) { "\(links.to(.holdout(holdout.name)))?page=\($0)" }
            write(holdout, endingFor: covered[pager.rows].map(\.experiment), catalog, in: &page)
        }
    }

    private static func write(
        _ holdout: HoldoutDefinition, endingFor experiments: [Plan.Experiment], _ catalog: Catalog,
        in page: inout Markup
    ) {
        let shares = holdout.returningShares(to: experiments, in: catalog.plan, at: catalog.instant)
        page.h2("When it ends", id: "end")
        let bars = zip(experiments, shares).map { experiment, shares in
            (key: experiment.key, shares: zip(experiment.variants, shares).map { (variant: $0.key, share: $1) })
        }
        page.plot(
            ReturnPlot(experiments: bars).picture,
            """
            The shares of the variants among the units in the audience, once no unit is held out: as many of the units \
            that come back get them. They meet their variants late: leave them out of results, or give an experiment \
            that goes on a new salt.
            """)
    }

    /// The experiments that a holdout covers, in a few words: `all 7 experiments on user_id`, `1 experiment`.
    static func coverage(of holdout: HoldoutDefinition, in catalog: Catalog) -> String {
        let count = catalog.plan.definitions.experiments.count { holdout.covers($0) }
        return holdout.scope == nil
            ? "all \(counted(count, "experiment")) on \(holdout.unit)" : counted(count, "experiment")
    }
}
