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

    /// Describes an overview.
    ///
    /// - Parameters:
    ///   - query: the choice of experiments; all of them where readers cannot choose.
    ///   - index: the criterion of the groups of a file; `nil` for a page of a server.
    ///   - exposures: the exposures, as far as they are known.
    ///   - storeFailure: the reason why exposures cannot be stored, and since when; `nil` if they can.
    package init(
        _ catalog: Catalog, in frame: PageFrame, _ query: OverviewQuery? = nil, index: CatalogIndex? = nil,
        exposures: KnownExposures = .none, storeFailure: String? = nil
    ) {
        self.catalog = catalog
        self.frame = frame
        self.query = query ?? .everything
        self.index = index
        self.exposures = exposures
        self.storeFailure = storeFailure
    }

    private var links: PageLinks { frame.links }

    /// Whether readers choose what they see.
    private var isInteractive: Bool { links.form == .routes }

    /// Whether groups are names only, in columns.
    private var isCompact: Bool { index == .layer }

    /// Whether the page has what is wrong, and what may be.
    private var isFront: Bool { index == nil || isCompact }

    package var page: Page {
        let selected = query.entries(of: catalog, exposures)
        let pager = Pager(selected.count, page: query.page, links)
        let shown = Array(selected[pager.rows])
        let warnings = isFront ? catalog.warnings : []
        return Page(
            index?.title ?? "Experiments", below: isFront ? [] : [.init("Experiments", .overview)],
            part: .experiments, search: query.selection.text ?? ""
        ) { page in
            if isFront { writeNotices(in: &page) }
            if !warnings.isEmpty {
                let link: Markup = "\(link: "\(counted(warnings.count, "warning"))", to: "#warnings")"
                page.p("\(link) about the definitions", class: "notice")
            }
            writePhases(in: &page)
            if isInteractive { writeFilters(in: &page) }
            writeSummary(selected.count, in: &page)
            if shown.isEmpty { writeNothing(in: &page) }
            if index != nil { writeIndexes(in: &page) }
            page.element("div", ["class": isCompact ? "groups index" : "groups"]) { page in
                for group in groups(shown) { write(group, in: &page) }
            }
            page.endLine()
            pager.write(in: &page) { query.link(page: $0, links) }
            if isFront { writeHoldouts(in: &page) }
            WarningsSection.write(warnings, in: &page) { warning in
                catalog.experimentKey(of: warning).map { links.to(.experiment($0)) }
            }
        }
    }

    private var isCounting: Bool {
        if case .none = exposures { false } else { true }
    }

    private var countedAt: Instant? {
        if case .counted(let summary) = exposures { summary.countedAt } else { nil }
    }

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
                return "\(link: "\(key)", to: links.to(.experiment(key))): \(finding)"
            }
            writeNotice(
                "\(keys.count == 1 ? "A sample ratio mismatch is" : "Sample ratio mismatches are") detected: do not "
                    + "trust results before the cause is found.",
                items, count: keys.count, in: &page)
        }
    }

    /// Writes a notice with the first of a number of items.
    private func writeNotice(_ text: String, _ items: [Markup] = [], count: Int = 0, in page: inout Markup) {
        page.element("div", ["class": "notice bad"]) { notice in
            notice.p("\(text)")
            guard !items.isEmpty else { return }
            notice.element("ul") { list in
                for item in items { list.li(item) }
                if count > items.count { list.li("and \(count - items.count) more") }
            }
        }
        page.endLine()
    }

    // MARK: Above the list

    /// Writes how many experiments are in each phase.
    private func writePhases(in page: inout Markup) {
        let counts = catalog.experiments.reduce(into: [ExperimentPhase: Int]()) { $0[$1.phase, default: 0] += 1 }
        page.element("p", ["class": "phases"]) { line in
            for phase in ExperimentPhase.allCases {
                guard let count = counts[phase] else { continue }
                if isInteractive {
                    let link = OverviewQuery.link("status", phase.rawValue, links)
                    line.inline("a", ["href": link], "\(count) \(phase.rawValue)")
                } else {
                    line.inline("span", "\(count) \(phase.rawValue)")
                }
            }
        }
        page.endLine()
    }

    private func writeFilters(in page: inout Markup) {
        page.details("Filter and order", isOpen: query.isFiltered, class: "fold") { _ in }
        page.element(
            "form",
            [
                "class": "filters", "role": "search", "aria-label": "Filter", "action": links.to(.overview),
                "method": "get",
            ]
        ) { form in
            let selection = query.selection
            writeSelect("Status", id: "status", query.statusOptions, in: &form)
            form.field("Owner", id: "owner") { field in
                field.input([
                    "id": "owner", "name": "owner", "list": "owners", "value": selection.owner ?? "", "dir": "auto",
                ])
            }
            form.field("Setting or section", id: "setting", value: selection.setting ?? "", ["dir": "auto"])
            form.field("Text", id: "text", value: selection.text ?? "", ["dir": "auto"])
            writeSelect("Order", id: "sort", query.orderOptions, in: &form)
            if let layer = selection.layer { form.hidden("layer", layer) }
            form.inline("button", "Filter")
            form.inline("a", ["href": links.to(.overview)], "Reset")
            form.element("datalist", ["id": "owners"]) { list in
                let owners = Set(catalog.plan.definitions.experiments.compactMap(\.owner).map(UTF8Key.init))
                for owner in owners.sorted().prefix(100) { list.option(owner.text, "") }
            }
        }
        page.endLine()
    }

    private func writeSelect(_ label: Markup, id: String, _ options: [OverviewQuery.Option], in form: inout Markup) {
        form.field(label, id: id) { field in
            field.element("select", ["id": id, "name": id]) { select in
                for option in options { select.option(option.value, option.label, isSelected: option.isSelected) }
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
                There is nothing to show here. Each experiment is a file, such as \(code: "KEY.yaml"), in the folder of \
                definitions; \(code: "allot init") writes a first base, experiment and test.
                """)
        }
        guard isInteractive else { return page.p("There is nothing to show here.") }
        let named = query.selection.text.map { NearestPages(catalog.plan).entries(named: $0) } ?? []
        let meant: Markup? = (named.isEmpty ? query.selection.suggestion(in: catalog) : nil).map { suggestion in
            " Did you mean \(link: "\(suggestion)", to: OverviewQuery.link("text", suggestion, links))?"
        }
        page.p("There is nothing to show here.\(meant)")
        page.element("ul") { list in
            for entry in named { list.li("\(link: "\(entry.title)", to: links.to(entry.place))") }
            let all = "Show all \(NumberFormat.countedInGroups(count, "experiment"))"
            for step in query.hidden(in: catalog) + [(text: all, query: OverviewQuery.everything)] {
                list.li("\(link: "\(step.text)", to: step.query.link(page: 1, links))")
            }
        }
    }

    /// Writes all indexes with links to their groups.
    private func writeIndexes(in page: inout Markup) {
        let entries = catalog.experiments
        page.element("nav", ["aria-label": "Index"]) { nav in
            nav.element("dl") { list in
                for index in CatalogIndex.allCases {
                    let address = links.to(.index(index))
                    list.inline("dt", "\(link: "\(index.label)", to: address)")
                    list.element("dd", ["class": "phases"]) { names in
                        for (heading, entries) in index.groups(entries) {
                            let link = "\(address)#\(index.anchor(heading))"
                            names.inline("span", "\(link: "\(name: heading)", to: link) \(entries.count)")
                        }
                    }
                }
            }
        }
        page.endLine()
    }

    // MARK: The list

    /// Experiments below a heading.
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
                    section.h2("Layer \(link: "\(heading)", to: links.to(.layer(layer.name)))")
                } else {
                    section.h2("\(name: heading)")
                }
            }
            if isCompact { return writeNames(group.entries, in: &section) }
            let bar = group.layer.map { LayerBar($0, in: catalog.plan.definitions, at: catalog.instant) }
            section.description(group.layer?.description.map { PageText.short($0) }, class: nil)
            if let bar {
                section.append(bar.picture)
                section.p("\(LayerPage.freeSwatch)\(bar.freeShare) free", class: "faint")
            }
            write(group, bar, in: &section)
        }
        page.endLine()
    }

    private func writeNames(_ entries: [CatalogEntry], in section: inout Markup) {
        section.element("ul") { list in
            for entry in entries {
                let phase: Markup? = entry.phase == .running ? nil : " \(faint: entry.phase.rawValue)"
                let verdict = exposures[entry.key]?.verdict
                let alarm: Markup? = verdict.flatMap { $0.isBad ? " \(bad: $0.text)" : nil }
                list.li("\(link: "\(entry.key)", to: links.to(.experiment(entry.key)))\(phase)\(alarm)")
            }
        }
    }

    private func write(_ group: Group, _ bar: LayerBar?, in section: inout Markup) {
        let showsLayer = group.heading == nil || index != nil
        section.element("table", ["class": "list cards", "aria-label": group.heading ?? "Experiments"]) { table in
            table.element("thead") { writeHeads(isLayer: bar != nil, showsLayer: showsLayer, in: &$0) }
            table.endLine()
            table.element("tbody") { body in
                for entry in group.entries { body.row { write(entry, bar, showsLayer: showsLayer, in: &$0) } }
            }
        }
    }

    /// Writes the heads of the columns, which sort the list where readers choose.
    private func writeHeads(isLayer: Bool, showsLayer: Bool, in thead: inout Markup) {
        let columns: [(title: String, column: OverviewQuery.Column?, isNumber: Bool, isShown: Bool)] = [
            ("Experiment", .key, false, true), ("Status", .status, false, true), ("Layer", .layer, false, showsLayer),
            ("Slots", nil, false, isLayer), ("Owner", .owner, false, true), ("Days", .started, true, true),
            ("Traffic", .traffic, true, true), ("First exposures", .units, true, isCounting),
            ("Ratio test", .ratio, false, isCounting), ("Next change", .next, false, true),
        ]
        thead.row { row in
            for head in columns where head.isShown {
                let direction = head.column.flatMap(query.direction)
                var title = Markup()
                let link = isInteractive ? head.column.map { query.link(sortedBy: $0, links) } : nil
                title.append("\(link: "\(head.title)", to: link)")
                if let direction {
                    title.write(" ")
                    title.element("span", ["aria-hidden": "true"], direction == "ascending" ? "▲" : "▼")
                }
                row.head(title, class: head.isNumber ? "number" : nil, sort: direction)
            }
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

    /// Writes the holdouts with their shares and what they cover.
    private func writeHoldouts(in page: inout Markup) {
        let holdouts = catalog.plan.definitions.holdouts
        guard !holdouts.isEmpty else { return }
        page.h2("Holdouts", id: "holdouts")
        page.element("ul") { list in
            for holdout in holdouts.prefix(Self.mostHoldouts) {
                let share = holdout.hash.percentage(of: holdout.share)
                let covered = HoldoutPage.coverage(of: holdout, in: catalog)
                list.li(
                    """
                    \(link: "\(holdout.name)", to: links.to(.holdout(holdout.name))): \(share) by \
                    \(code: holdout.unit), kept out of \(covered)
                    """)
            }
            if holdouts.count > Self.mostHoldouts { list.li("and \(holdouts.count - Self.mostHoldouts) more") }
        }
    }
}
