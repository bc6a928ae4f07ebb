import Allot

/// `/`: what runs now and next.
package enum OverviewPage {
    /// Makes the page.
    package static func make(_ catalog: Catalog, _ links: PageLinks) -> Page {
        let rows = catalog.experiments.map { entry -> PageValues in
            ["key": entry.key, "link": links.to(.experiment(entry.key)), "phase": entry.phase.rawValue]
        }
        return Page("Experiments", part: .experiments, template, ["rows": rows])
    }

    private static let template = PageTemplate(
        """
        <ul>
        {{#rows}}
        <li><a href="{{link}}">{{key}}</a> <span class="badge {{phase}}">{{phase}}</span></li>
        {{/rows}}
        </ul>
        """)
}
