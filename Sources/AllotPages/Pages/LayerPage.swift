import AllotAnalysis
import AllotConfiguration
import AllotCore

/// `/layers/{name}`: who holds the slots of a layer.
package enum LayerPage {
    /// Makes the page. Returns `nil` if there is no such layer.
    ///
    /// - Parameter page: which part of the slots, from 1 on.
    package static func make(_ name: String, _ catalog: Catalog, _ links: PageLinks, page: Int = 1) -> Page? {
        let definitions = catalog.plan.definitions
        guard let layer = definitions.layers.first(where: { UTF8Order.areEqual($0.name, name) }) else { return nil }
        let bar = LayerBar(layer, in: definitions, at: catalog.instant)
        let ranges = bar.ranges
        let pager = Pager(ranges.count, page: page, links)
        let rows = ranges[pager.rows].map { range, holding -> PageValues in
            guard let holding else {
                return ["range": layer.hash.text(range), "share": layer.hash.percentage(of: range.count), "free": true]
            }
            let entry = catalog.experiment(holding.experiment.key)
            return [
                "range": layer.hash.text(range), "share": layer.hash.percentage(of: range.count), "free": false,
                "key": holding.experiment.key, "link": links.to(.experiment(holding.experiment.key)),
                "swatch": bar.swatch(of: holding.experiment.key), "phase": entry?.phase.rawValue,
                "schedule": entry.flatMap { $0.schedule == $0.phase.rawValue ? nil : $0.schedule },
                "isOver": holding.availability != .taken,
                "owner": holding.experiment.owner.map { PageText.short($0) } ?? "–",
            ]
        }
        let holdouts = definitions.holdouts.filter { $0.scope?.layers.contains(layer.name) ?? false }
        return Page(
            layer.name, below: [.init("Experiments", .overview)], part: .experiments, template,
            [
                "description": layer.description, "bar": bar.picture, "free": bar.freeShare, "unit": layer.unit,
                "hash": layer.hash.words, "rows": rows,
                "pager": pager.html { "\(links.to(.layer(layer.name)))?page=\($0)" },
                "hasHoldouts": !holdouts.isEmpty,
                "holdouts": holdouts.map { holdout -> PageValues in
                    ["name": holdout.name, "link": links.to(.holdout(holdout.name))]
                },
            ])
    }

    private static let template = PageTemplate(
        """
        <p class="faint">A layer: by its slot, a unit is randomised in at most one of its experiments at a time.</p>
        {{#description}}
        <p class="text" dir="auto">{{description}}</p>
        {{/description}}
        {{{bar}}}
        <dl>
        <dt>Free</dt><dd>{{free}}</dd>
        <dt>Unit</dt><dd>{{unit}}</dd>
        <dt>Randomised by</dt><dd>{{hash}}</dd>
        {{#hasHoldouts}}
        <dt>Holdouts</dt><dd>{{#holdouts}}<a href="{{link}}">{{name}}</a> {{/holdouts}}</dd>
        {{/hasHoldouts}}
        </dl>
        <h2>Slots</h2>
        <table class="list cards" aria-label="Slots">
        <thead>
        <tr><th scope="col">Slots</th><th scope="col" class="number">Share</th><th scope="col">Experiment</th>\
        <th scope="col">Status</th><th scope="col">Owner</th></tr>
        </thead>
        <tbody>
        {{#rows}}
        <tr><th scope="row">{{{swatch}}}{{^swatch}}<span class="key free"></span>{{/swatch}}{{range}}</th>\
        <td class="number" data-label="Share">{{share}}</td>\
        {{#free}}<td class="first">free</td><td></td><td></td>{{/free}}\
        {{^free}}<td class="first"><a href="{{link}}">{{key}}</a></td>\
        <td class="first"><span class="badge {{phase}}">{{phase}}</span>\
        {{#schedule}}<span class="about">{{schedule}}\
        {{#isOver}}: its slots are free{{/isOver}}</span>{{/schedule}}</td>\
        <td class="owner" data-label="Owner"><bdi>{{owner}}</bdi></td>{{/free}}</tr>
        {{/rows}}
        </tbody>
        </table>
        {{{pager}}}
        """)
}
