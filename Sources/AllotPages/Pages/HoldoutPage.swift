import AllotAnalysis
import AllotConfiguration
import AllotCore

/// `/holdouts/{name}`: the share of units that a holdout keeps out, and of what.
package enum HoldoutPage {
    /// Makes the page. Returns `nil` if there is no such holdout.
    ///
    /// - Parameter page: which part of the experiments, from 1 on.
    package static func make(_ name: String, _ catalog: Catalog, _ links: PageLinks, page: Int = 1) -> Page? {
        let definitions = catalog.plan.definitions
        guard let holdout = definitions.holdouts.first(where: { UTF8Order.areEqual($0.name, name) }) else { return nil }
        let covered = zip(definitions.experiments, catalog.experiments).filter { holdout.covers($0.0) }.map(\.1)
        let pager = Pager(covered.count, page: page, links)
        let layers = holdout.scope?.layers.sorted(by: UTF8Order.precedes) ?? []
        let rows = covered[pager.rows].map { entry -> PageValues in
            [
                "key": entry.key, "link": links.to(.experiment(entry.key)), "phase": entry.phase.rawValue,
                "about": entry.description.map { PageText.short($0) },
                "owner": entry.owner.map { PageText.short($0) } ?? "–", "layer": entry.layer ?? "–",
                "layerLink": entry.layer.map { links.to(.layer($0)) },
            ]
        }
        return Page(
            holdout.name, below: [.init("Experiments", .overview)], part: .experiments, template,
            [
                "description": holdout.description, "share": holdout.hash.percentage(of: holdout.share),
                "unit": holdout.unit, "hash": holdout.hash.words, "coverage": coverage(of: holdout, in: catalog),
                "hasLayers": !layers.isEmpty, "rows": rows,
                "hasRows": !rows.isEmpty,
                "pager": pager.html { "\(links.to(.holdout(holdout.name)))?page=\($0)" },
                "layers": layers.map { layer -> PageValues in ["name": layer, "link": links.to(.layer(layer))] },
            ])
    }

    /// The experiments that a holdout covers, in a few words: `all 7 experiments on user_id`, `1 experiment`.
    static func coverage(of holdout: HoldoutDefinition, in catalog: Catalog) -> String {
        let count = catalog.plan.definitions.experiments.count { holdout.covers($0) }
        return holdout.scope == nil
            ? "all \(counted(count, "experiment")) on \(holdout.unit)" : counted(count, "experiment")
    }

    private static let template = PageTemplate(
        """
        <p class="faint">A holdout: a share of the units that gets none of the experiments that it covers, to compare \
        them with all others.</p>
        {{#description}}
        <p class="text" dir="auto">{{description}}</p>
        {{/description}}
        <dl>
        <dt>Held out</dt><dd>{{share}}</dd>
        <dt>Unit</dt><dd>{{unit}}</dd>
        <dt>Randomised by</dt><dd>{{hash}}</dd>
        <dt>Covers</dt><dd>{{coverage}}</dd>
        {{#hasLayers}}
        <dt>Layers</dt><dd>{{#layers}}<a href="{{link}}">{{name}}</a> {{/layers}}</dd>
        {{/hasLayers}}
        </dl>
        {{#hasRows}}
        <h2>Experiments</h2>
        <table class="list cards" aria-label="Experiments">
        <thead>
        <tr><th scope="col">Experiment</th><th scope="col">Status</th><th scope="col">Layer</th>\
        <th scope="col">Owner</th></tr>
        </thead>
        <tbody>
        {{#rows}}
        <tr><th scope="row"><a href="{{link}}">{{key}}</a>\
        {{#about}}<span class="about" dir="auto">{{about}}</span>{{/about}}</th>\
        <td class="first"><span class="badge {{phase}}">{{phase}}</span></td>\
        <td data-label="Layer">{{#layerLink}}<a href="{{layerLink}}">{{/layerLink}}{{layer}}\
        {{#layerLink}}</a>{{/layerLink}}</td>\
        <td class="owner" data-label="Owner"><bdi>{{owner}}</bdi></td></tr>
        {{/rows}}
        </tbody>
        </table>
        {{{pager}}}
        {{/hasRows}}
        """)
}
