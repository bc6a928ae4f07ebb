import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotReports

/// `/`: the current and the next experiments by layer, with problems above them.
package struct OverviewPage {
    private let catalog: Catalog
    private let frame: PageFrame
    private let query: OverviewQuery
    private let index: CatalogIndex?
    private let exposures: KnownExposures
    private let storeFailure: String?

    /// Describes an overview: of a server with the reader's query, of files by an index.
    package init(
        _ catalog: Catalog, in frame: PageFrame, _ query: OverviewQuery? = nil, index: CatalogIndex? = nil,
        exposures: KnownExposures = .none, storeFailure: String? = nil
    ) {
        (self.catalog, self.frame, self.query, self.index) = (catalog, frame, query ?? .everything, index)
        (self.exposures, self.storeFailure) = (exposures, storeFailure)
    }

    private var links: PageLinks { frame.links }
    private var isInteractive: Bool { links.form == .routes }
    private var isCompact: Bool { index == .layer }
    /// The most names of a front on a phone; of more it shows the group whose link was followed.
    private static let fewNames = 60
    /// Whether the page has what is wrong, and what may be.
    private var isFront: Bool { index == nil || isCompact }

    package var page: Page {
        let selected = query.entries(of: catalog, exposures)
        let pager = Pager(selected.count, page: query.page, links)
        let shown = Array(selected[pager.rows])
        let warnings = isFront ? catalog.warnings : []
        return Page(
            index?.title ?? "Experiments", below: isFront ? nil : ("Experiments", .overview), part: .experiments,
            search: query.selection.text ?? ""
        ) { page in
            if isFront { writeNotices(in: &page) }
            if !warnings.isEmpty {
                let link: Markup = "\(link: counted(warnings.count, "warning"), to: "#warnings")"
                page.p("\(link) about the definitions", class: "notice")
            }
            writePhases(in: &page)
            if isInteractive { writeFilters(in: &page) }
            writeSummary(selected.count, in: &page)
            if shown.isEmpty { writeNothing(in: &page) }
            if index != nil { writeIndexes(in: &page) }
            let style = !isCompact ? "groups" : shown.count > Self.fewNames ? "groups index many" : "groups index"
            page.element("div", ["class": style]) { page in
                for group in groups(shown) { write(group, in: &page) }
            }
            pager.write(in: &page) { query.link(page: $0, links) }
            if isFront { writeHoldouts(in: &page) }
            WarningsSection.write(warnings, in: &page) { warning in
                catalog.experimentKey(of: warning).map { links.to(.experiment($0)) }
            }
        }
    }

    private var isCounting: Bool { if case .none = exposures { false } else { true } }
    private var countedAt: Instant? { if case .counted(let summary) = exposures { summary.countedAt } else { nil } }

    // MARK: Problems

    private func writeNotices(in page: inout Markup) {
        if let staleness = frame.staleness {
            writeNotice(
                "\(staleness): newer ones have \(counted(frame.problemCount, "error")), and what was loaded before "
                    + "stays until they are fixed.",
                frame.problems.map { "\($0)" }, count: frame.problemCount, in: &page)
        }
        if let storeFailure { writeNotice("Exposures are refused: \(storeFailure)", in: &page) }
        switch exposures {
        case .none: break
        case .unreadable: writeNotice("Exposures cannot be read now, so none are counted here.", in: &page)
        case .counted(let summary) where summary.mismatches.isEmpty: break
        case .counted(let summary):
            let keys = summary.mismatches
            let items = keys.prefix(20).map { key -> Markup in
                let finding = summary[key]?.ratio?.finding ?? "see its page"
                return "\(link: key, to: links.to(.experiment(key))): \(finding)"
            }
            writeNotice(
                "\(keys.count == 1 ? "A sample ratio mismatch is" : "Sample ratio mismatches are") detected: do not "
                    + "trust results before the cause is found.", items, count: keys.count, in: &page)
        }
    }

    private func writeNotice(_ text: String, _ items: [Markup] = [], count: Int = 0, in page: inout Markup) {
        page.element("div", ["class": "notice bad"]) { notice in
            notice.p("\(text)")
            guard !items.isEmpty else { return }
            notice.list(items + (count > items.count ? ["and \(count - items.count) more"] : []))
        }
    }

    // MARK: Above the list

    private func writePhases(in page: inout Markup) {
        let counts = catalog.experiments.reduce(into: [ExperimentPhase: Int]()) { $0[$1.phase, default: 0] += 1 }
        page.element("p", ["class": "phases"]) { line in
            for phase in ExperimentPhase.allCases {
                guard let count = counts[phase] else { continue }
                let link = isInteractive ? OverviewQuery.link("status", phase.rawValue, links) : nil
                line.inline(link == nil ? "span" : "a", ["href": link], "\(count) \(phase.rawValue)")
            }
        }
    }

    private func writeFilters(in page: inout Markup) {
        page.details("Filter and order", isOpen: query.isFiltered, class: "fold") { _ in }
        page.form("Filter", action: links.to(.overview), role: "search") { form in
            let selection = query.selection
            form.field("Status", id: "status") { $0.select(id: "status", name: "status", query.statusOptions) }
            form.field("Owner", id: "owner") { field in
                field.input([
                    "id": "owner", "name": "owner", "list": "owners", "value": selection.owner ?? "", "dir": "auto",
                ])
            }
            form.field("Setting or section", id: "setting", value: selection.setting ?? "", ["dir": "auto"])
            form.field("Text", id: "text", value: selection.text ?? "", ["dir": "auto"])
            form.field("Order", id: "sort") { $0.select(id: "sort", name: "sort", query.orderOptions) }
            if let layer = selection.layer { form.hidden("layer", layer) }
            form.inline("button", "Filter")
            form.inline("a", ["href": links.to(.overview)], "Reset")
            form.element("datalist", ["id": "owners"]) { list in
                let owners = Set(catalog.plan.definitions.experiments.compactMap(\.owner).map(UTF8Key.init))
                list.options(owners.sorted().prefix(100).map { Markup.Option($0.text, "") })
            }
        }
    }

    private func writeSummary(_ count: Int, in page: inout Markup) {
        let next = catalog.plan.nextBoundary(after: catalog.instant).map { boundary in
            " The next change is at \(boundary.shortText), "
                + "\(CatalogEntry.distance(to: boundary, from: catalog.instant))."
        }
        let counted: Markup? = countedAt.map { " Exposures were counted at \(time: PageText.seconds($0))." }
        let all = AllotConfiguration.counted(catalog.plan.experiments.count, "experiment")
        page.p("\(count) of \(all).\(next ?? "")\(counted)", class: "faint")
    }

    /// Writes the next steps where nothing is selected: what hides experiments, and what may be meant.
    private func writeNothing(in page: inout Markup) {
        let count = catalog.plan.experiments.count
        guard count > 0 else {
            return page.p(
                """
                There is nothing to show here. Each experiment is a file, such as \(code: "KEY.yaml"), in the folder \
                of definitions; \(code: "allot init") writes a first base, experiment and test.
                """)
        }
        guard isInteractive else { return page.p("There is nothing to show here.") }
        let named = query.selection.text.map { NearestPages(catalog.plan).entries(named: $0) } ?? []
        let meant: Markup? = (named.isEmpty ? query.selection.suggestion(in: catalog) : nil).map { suggestion in
            " Did you mean \(link: suggestion, to: OverviewQuery.link("text", suggestion, links))?"
        }
        page.p("There is nothing to show here.\(meant)")
        let all = "Show all \(NumberFormat.countedInGroups(count, "experiment"))"
        let steps = query.hidden(in: catalog) + [(text: all, query: OverviewQuery.everything)]
        page.list(
            named.map { "\(link: $0.title, to: links.to($0.place))" }
                + steps.map { "\(link: $0.text, to: $0.query.link(page: 1, links))" })
    }

    private func writeIndexes(in page: inout Markup) {
        let entries = catalog.experiments
        page.element("nav", ["aria-label": "Index"]) { nav in
            nav.element("dl") { list in
                for index in CatalogIndex.allCases {
                    let address = links.to(.index(index))
                    list.inline("dt", "\(link: index.label, to: address)")
                    list.element("dd", ["class": "phases"]) { names in
                        for (heading, entries) in index.groups(entries) {
                            let link = "\(address)#\(index.anchor(heading))"
                            names.inline("span", "\(linked: "\(name: heading)", to: link) \(entries.count)")
                        }
                    }
                }
            }
        }
    }

    // MARK: The list

    private struct Group {
        let entries: [CatalogEntry]
        var layer: LayerDefinition?
        /// The heading; `nil` for the only list.
        var heading: String?
        var anchor: String?
    }

    /// Experiments below their layers, or as an index has them; one list if another order is wanted.
    private func groups(_ shown: [CatalogEntry]) -> [Group] {
        if let index {
            return index.groups(shown).map { heading, entries in
                let layer = isCompact ? entries.first.flatMap { catalog.plan.layer(of: $0.index) } : nil
                return Group(entries: entries, layer: layer, heading: heading, anchor: index.anchor(heading))
            }
        }
        guard query.isGrouped else { return shown.isEmpty ? [] : [Group(entries: shown)] }
        var groups: [Group] = []
        var rest = shown[...]
        while let first = rest.first {
            let own = rest.prefix { $0.layer == first.layer }
            rest = rest.dropFirst(own.count)
            let layer = catalog.plan.layer(of: first.index)
            groups.append(Group(entries: Array(own), layer: layer, heading: layer?.name ?? "Without a layer"))
        }
        return groups
    }

    private func write(_ group: Group, in page: inout Markup) {
        page.element("section", ["id": group.anchor]) { section in
            if let heading = group.heading {
                if let layer = group.layer {
                    section.h2("Layer \(link: heading, to: links.to(.layer(layer.name)))")
                } else {
                    section.h2("\(name: heading)")
                }
            }
            if isCompact { return writeNames(group.entries, in: &section) }
            let bar = group.layer.map { LayerBar($0, in: catalog.plan.definitions, at: catalog.instant) }
            section.description(group.layer?.description.map { PageText.short($0) })
            if let bar {
                section.append(bar.picture)
                section.p("\(LayerPage.freeSwatch)\(bar.freeShare) free", class: "faint")
            }
            write(group, bar, in: &section)
        }
    }

    private func writeNames(_ entries: [CatalogEntry], in section: inout Markup) {
        section.list(
            entries.map { entry in
                let phase: Markup? = entry.phase == .running ? nil : " \(faint: entry.phase.rawValue)"
                let verdict = exposures[entry.key]?.verdict
                let alarm: Markup? = verdict.flatMap { $0.isBad ? " \(bad: $0.text)" : nil }
                return "\(link: entry.key, to: links.to(.experiment(entry.key)))\(phase)\(alarm)"
            })
    }

    private func write(_ group: Group, _ bar: LayerBar?, in section: inout Markup) {
        let showsLayer = group.heading == nil || index != nil
        section.cards(
            label: group.heading ?? "Experiments", heads: heads(isLayer: bar != nil, showsLayer: showsLayer),
            of: group.entries
        ) { write($0, bar, showsLayer: showsLayer, in: &$1) }
    }

    private func heads(isLayer: Bool, showsLayer: Bool) -> [Markup.Head] {
        let columns: [(title: String, column: OverviewQuery.Column?, isNumber: Bool, isShown: Bool)] = [
            ("Experiment", .key, false, true), ("Status", .status, false, true), ("Layer", .layer, false, showsLayer),
            ("Slots", nil, false, isLayer), ("Owner", .owner, false, true), ("Days", .started, true, true),
            ("Traffic", .traffic, true, true), ("First exposures", .units, true, isCounting),
            ("Ratio test", .ratio, false, isCounting), ("Next change", .next, false, true),
        ]
        return columns.filter(\.isShown).map { head in
            let direction = head.column.flatMap(query.direction)
            let link = isInteractive ? head.column.map { query.link(sortedBy: $0, links) } : nil
            var title: Markup = "\(link: head.title, to: link)"
            if let direction {
                title.write(" ")
                title.element("span", ["aria-hidden": "true"], direction == "ascending" ? "▲" : "▼")
            }
            return Markup.Head(title, class: head.isNumber ? "number" : nil, sort: direction)
        }
    }

    private func write(_ entry: CatalogEntry, _ bar: LayerBar?, showsLayer: Bool, in row: inout Markup) {
        row.rowHead(entry, links, swatch: bar?.swatch(of: entry.key))
        row.cell("\(badge: entry.phase.rawValue)", class: "first")
        if showsLayer { row.layer(of: entry, links) }
        if bar != nil { row.cell("\(entry.slots ?? "–")", "Slots") }
        row.owner(entry.owner, atMost: 60)
        row.cell("\(entry.daysRunning.map(NumberFormat.grouped) ?? "–")", "Days", class: "number")
        row.cell("\(entry.trafficShare ?? "–")", "Traffic", class: "number")
        if isCounting {
            let units = exposures.units(of: entry).map { NumberFormat.grouped($0) } ?? "–"
            row.cell("\(units)", "First exposures", class: "number")
            let verdict = exposures[entry.key]?.verdict
            row.cell(
                verdict.map { $0.isBad ? "\(bad: $0.text)" : "\($0.text)" } ?? "–", "Ratio test", class: "first whole")
        }
        row.element("td", ["data-label": "Next change"]) { cell in
            guard let next = entry.nextBoundary else { return cell.write("–") }
            cell.element("span", ["class": "whole"], next.instant.shortText)
            cell.write(" \(next.event)")
        }
    }

    // MARK: Below the list

    private static let mostHoldouts = 100

    private func writeHoldouts(in page: inout Markup) {
        let holdouts = catalog.plan.definitions.holdouts
        guard !holdouts.isEmpty else { return }
        page.h2("Holdouts", id: "holdouts")
        let more = holdouts.count - Self.mostHoldouts
        page.list(
            holdouts.prefix(Self.mostHoldouts).map { holdout in
                let link: Markup = "\(link: holdout.name, to: links.to(.holdout(holdout.name)))"
                let share = holdout.hash.percentage(of: holdout.share)
                let covered = HoldoutPage.coverage(of: holdout, in: catalog)
                return "\(link): \(share) by \(code: holdout.unit), kept out of \(covered)"
            } + (more > 0 ? ["and \(more) more"] : []))
    }
}
