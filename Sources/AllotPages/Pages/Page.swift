import AllotAnalysis
import AllotCore
import AllotReports

/// A page for people: a title, where it stands among the pages, and the HTML of its main part.
///
/// ```swift-fragment
/// Page("Settings", below: [], part: .settings, Self.template, ["settings": rows]).html(in: frame)
/// ```
package struct Page: Sendable {
    /// The part of the site that a page belongs to, which the navigation shows.
    package enum Part: Sendable {
        case experiments, settings, units
    }

    package struct Breadcrumb: Sendable {
        let title: String
        let place: PagePlace

        package init(_ title: String, _ place: PagePlace) {
            self.title = title
            self.place = place
        }
    }

    /// The heading, and the name of the browser's tab.
    package let title: String
    private let breadcrumbs: [Breadcrumb]
    private let part: Part?
    private let main: String
    private let search: String

    /// Fills a template.
    ///
    /// - Parameters:
    ///   - title: the heading, which the template does not repeat.
    ///   - breadcrumbs: the pages above it, the topmost first; without itself.
    ///   - part: the part of the site that it belongs to.
    ///   - search: the text of the search among the experiments.
    ///   - template: the HTML below the heading, with headings from `h2` on.
    ///   - values: the values of the template's names.
    package init(
        _ title: String, below breadcrumbs: [Breadcrumb] = [], part: Part? = nil, search: String = "",
        _ template: PageTemplate, _ values: PageValues
    ) {
        self.title = title
        self.breadcrumbs = breadcrumbs
        self.part = part
        self.search = search
        main = template.html(values)
    }

    package func html(in frame: PageFrame) -> String {
        let links = frame.links
        func entry(_ title: String, _ place: PagePlace, _ own: Part) -> PageValues {
            [
                "title": title, "link": links.to(place),
                "current": part == own ? (breadcrumbs.isEmpty ? "page" : "true") : nil,
            ]
        }
        var entries = [
            entry("Experiments", .overview, .experiments), entry("Settings", .settings, .settings),
        ]
        if links.form == .routes { entries.append(entry("Units", .units, .units)) }
        return Self.layout.html([
            "areas": main.contains("url(#s") ? PlotSeries.areas : nil,
            "title": title, "site": title == Self.siteName ? "" : " · \(Self.siteName)", "main": main,
            "style": links.to(.style) + (links.form == .routes ? "?\(PageStyle.version)" : ""),
            "icon": links.to(.icon), "entries": entries, "searches": links.form == .routes, "search": search,
            "overview": links.to(.overview), "units": links.to(.units),
            "isBelow": !breadcrumbs.isEmpty,
            "breadcrumbs": breadcrumbs.map { ["title": $0.title, "link": links.to($0.place)] as PageValues },
            "stale": frame.staleness, "revision": frame.revision,
            "instant": PageText.seconds(frame.instant),
        ])
    }

    package static let siteName = "Allot"

    private static let layout = PageTemplate(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{title}}{{site}}</title>
        <link rel="icon" type="image/svg+xml" href="{{icon}}">
        <link rel="stylesheet" href="{{style}}">
        </head>
        <body>
        {{{areas}}}
        <a class="skip" href="#main">Skip to the content</a>
        <header class="site">
        <nav aria-label="Site">
        <ul>
        {{#entries}}
        <li><a href="{{link}}"{{#current}} aria-current="{{current}}"{{/current}}>{{title}}</a></li>
        {{/entries}}
        </ul>
        </nav>
        {{#searches}}
        <div class="searches">
        <form role="search" aria-label="Experiments" action="{{overview}}" method="get">
        <label for="find-experiment">Experiment</label>
        <input id="find-experiment" name="text" type="search" value="{{{data(search)}}}" autocomplete="off" \
        dir="auto">
        <button>Find</button>
        </form>
        <form role="search" aria-label="Units" action="{{units}}" method="get">
        <label for="find-unit">Unit</label>
        <input id="find-unit" name="id" type="search" required autocomplete="off" dir="auto">
        <button>Show</button>
        </form>
        </div>
        {{/searches}}
        </header>
        <main id="main" tabindex="-1">
        {{#isBelow}}
        <nav aria-label="Breadcrumbs">
        <ol class="breadcrumbs">
        {{#breadcrumbs}}
        <li><a href="{{link}}">{{title}}</a></li>
        {{/breadcrumbs}}
        <li aria-current="page">{{title}}</li>
        </ol>
        </nav>
        {{/isBelow}}
        <h1>{{title}}</h1>
        {{{main}}}
        </main>
        <footer>
        <p>{{#stale}}<strong class="bad">{{stale}}</strong> · {{/stale}}\
        {{#revision}}Revision <code>{{revision}}</code> · {{/revision}}\
        <time datetime="{{instant}}">{{instant}}</time></p>
        </footer>
        </body>
        </html>
        """)
}
