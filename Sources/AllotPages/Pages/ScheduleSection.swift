import AllotCore

/// The schedule of an experiment: a timeline, and its boundaries as a list.
enum ScheduleSection {
    static func html(_ entry: CatalogEntry) -> String {
        template.html([
            "plot": SchedulePlot(entry: entry).picture,
            "boundaries": entry.boundaries.map { boundary in
                [
                    "at": boundary.instant.shortText, "event": boundary.event,
                    "passed": boundary.instant <= entry.instant,
                    "distance": boundary.instant > entry.instant
                        ? CatalogEntry.distance(to: boundary.instant, from: entry.instant) : nil,
                ] as PageValues
            },
            "always": entry.phase == .running,
            "schedule": PageText.capitalised(entry.schedule),
        ])
    }

    private static let template = PageTemplate(
        """
        <h2 id="schedule">Schedule</h2>
        {{#plot}}<figure>{{{plot}}}
        <figcaption>The share of eligible units that is enrolled. Between two boundaries nothing changes.</figcaption>
        </figure>
        <ol class="boundaries">
        {{#boundaries}}
        <li><time datetime="{{at}}">{{at}}</time> {{event}}{{#distance}}, {{distance}}{{/distance}}\
        {{#passed}} <span class="faint">(passed)</span>{{/passed}}</li>
        {{/boundaries}}
        </ol>{{/plot}}
        {{^plot}}<p>{{#always}}Running, without a start or an end.{{/always}}\
        {{^always}}{{schedule}}.{{/always}}</p>{{/plot}}
        """)
}
