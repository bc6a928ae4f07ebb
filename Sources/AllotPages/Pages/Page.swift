import AllotReports

/// A page for people: a title, where it stands among the pages, and its main part.
package struct Page: Sendable {
    /// The part of the site that a page belongs to, which the navigation shows.
    package enum Part: Sendable { case experiments, settings, units }

    /// The heading, and the name of the browser's tab.
    package let title: String
    private let above: (title: String, place: PagePlace)?
    private let part: Part?
    private let main: Markup
    private let search: String

    /// Writes a page below another one; the headings of `main` begin with `h2`.
    init(
        _ title: String, below above: (title: String, place: PagePlace)? = nil, part: Part? = nil, search: String = "",
        _ main: (inout Markup) -> Void
    ) {
        (self.title, self.above, self.part, self.search) = (title, above, part, search)
        var markup = Markup()
        main(&markup)
        self.main = markup
    }

    package func html(in frame: PageFrame) -> String {
        let links = frame.links
        var page = Markup()
        page.append(html: "<!DOCTYPE html>\n")
        page.element("html", ["lang": "en"]) { page in
            page.element("head") { writeHead(links, in: &$0) }
            page.element("body") { body in
                if main.text.contains("url(#s") { body.append(PlotSeries.areas) }
                body.inline("a", ["class": "skip", "href": "#main"], "Skip to the content")
                body.element("header", ["class": "site"]) { header in
                    writeNavigation(links, in: &header)
                    if links.form == .routes { writeSearches(links, in: &header) }
                }
                body.element("main", ["id": "main", "tabindex": "-1"]) { body in
                    if let above { writeBreadcrumbs("\(link: above.title, to: links.to(above.place))", in: &body) }
                    body.inline("h1", "\(title)")
                    body.append(main)
                }
                body.element("footer") { footer in
                    let stale: Markup? = frame.staleness.map { "\(bad: $0) · " }
                    let revision: Markup? = frame.revision.map { "Revision \(code: $0) · " }
                    footer.p("\(stale)\(revision)\(time: PageText.seconds(frame.instant))")
                }
            }
        }
        return page.text
    }

    private func writeHead(_ links: PageLinks, in head: inout Markup) {
        let style = links.to(.style) + (links.form == .routes ? "?\(PageStyle.version)" : "")
        head.void("meta", ["charset": "utf-8"])
        head.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        head.void("meta", ["name": "color-scheme", "content": "light dark"])
        head.element("title", title + (title == Self.siteName ? "" : " · \(Self.siteName)"))
        head.void("link", ["rel": "icon", "type": "image/svg+xml", "href": links.to(.icon)])
        head.void("link", ["rel": "stylesheet", "href": style])
    }

    private func writeNavigation(_ links: PageLinks, in header: inout Markup) {
        var entries: [(title: String, place: PagePlace, part: Part)] = [
            ("Experiments", .overview, .experiments), ("Settings", .settings, .settings),
        ]
        if links.form == .routes { entries.append(("Units", .units, .units)) }
        header.element("nav", ["aria-label": "Site"]) { nav in
            nav.element("ul") { list in
                for entry in entries {
                    let current = part == entry.part ? above == nil ? "page" : "true" : nil
                    list.element("li") { item in
                        item.element("a", ["href": links.to(entry.place), "aria-current": current], entry.title)
                    }
                }
            }
        }
    }

    private func writeSearches(_ links: PageLinks, in header: inout Markup) {
        header.element("div", ["class": "searches"]) { searches in
            searches.form("Experiments", action: links.to(.overview), class: nil, role: "search") { form in
                form.inline("label", ["for": "find-experiment"], "Experiment")
                form.input(
                    ["id": "find-experiment", "name": "text", "type": "search", "value": search],
                    ["autocomplete": "off", "dir": "auto"])
                form.element("button", "Find")
            }
            searches.form("Units", action: links.to(.units), class: nil, role: "search") { form in
                form.inline("label", ["for": "find-unit"], "Unit")
                form.input(
                    ["id": "find-unit", "name": "id", "type": "search", "autocomplete": "off", "dir": "auto"],
                    isRequired: true)
                form.element("button", "Show")
            }
        }
    }

    private func writeBreadcrumbs(_ link: Markup, in main: inout Markup) {
        main.element("nav", ["aria-label": "Breadcrumbs"]) { nav in
            nav.element("ol", ["class": "breadcrumbs"]) { list in
                list.inline("li", link)
                list.inline("li", ["aria-current": "page"], "\(title)")
            }
        }
    }

    package static let siteName = "Allot"
}
