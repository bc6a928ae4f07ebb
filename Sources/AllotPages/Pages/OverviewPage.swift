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
        let values: PageValues = [
            "notices": isFront ? notices : [], "interactive": isInteractive, "form": query.form,
            "overview": links.to(.overview),
            "groups": groups(shown), "empty": shown.isEmpty ? nothing : nil, "summary": summary(selected.count),
            "countedAt": countedAt.map(PageText.seconds),
            "hasIndexes": index != nil,
            "indexes": index == nil ? [] : CatalogIndex.values(catalog, links), "isCompact": isCompact,
            "counted": isCounting, "owners": isInteractive ? owners : [], "phases": phases,
            "pager": pager.html { query.link(page: $0, links) },
            "holdouts": isFront ? holdouts : [], "hasHoldouts": isFront && !catalog.plan.holdouts.isEmpty,
            "otherHoldouts": catalog.plan.holdouts.count > Self.mostHoldouts
                ? catalog.plan.holdouts.count - Self.mostHoldouts : nil,
            "warningCount": warnings.isEmpty ? nil : counted(warnings.count, "warning"),
            "warnings": WarningsSection.html(warnings) { warning in
                catalog.experimentKey(of: warning).map { links.to(.experiment($0)) }
            },
        ]
        return Page(
            index?.title ?? "Experiments",
            below: isFront ? [] : [.init("Experiments", .overview)], part: .experiments,
            search: query.selection.text ?? "", Self.template, values)
    }

    private var isCounting: Bool {
        if case .none = exposures { false } else { true }
    }

    private var countedAt: Instant? {
        if case .counted(let summary) = exposures { summary.countedAt } else { nil }
    }

    // MARK: Problems

    private var notices: [PageValues] {
        var notices: [PageValues] = []
        if let staleness = frame.staleness {
            let problems = frame.problems.map { problem -> PageValues in ["text": problem] }
            let more = frame.problemCount - problems.count
            notices.append([
                "text": "\(staleness): newer ones have \(counted(frame.problemCount, "error")), and what was loaded "
                    + "before stays until they are fixed.", "items": problems, "hasItems": !problems.isEmpty,
                "more": more > 0 && !problems.isEmpty ? "and \(more) more" : nil,
            ])
        }
        if let storeFailure { notices.append(["text": "Exposures are refused: \(storeFailure)"]) }
        switch exposures {
        case .none: break
        case .unreadable: notices.append(["text": "Exposures cannot be read now, so none are counted here."])
        case .counted(let summary) where summary.mismatches.isEmpty: break
        case .counted(let summary):
            let keys = summary.mismatches
            notices.append([
                "text": "\(keys.count == 1 ? "A sample ratio mismatch is" : "Sample ratio mismatches are") detected: "
                    + "do not trust results before the cause is found.",
                "items": keys.prefix(20).map { key -> PageValues in
                    [
                        "text": ": " + (summary[key]?.ratio?.finding ?? "see its page"),
                        "key": key, "link": links.to(.experiment(key)),
                    ]
                }, "hasItems": true, "more": keys.count > 20 ? "and \(keys.count - 20) more" : nil,
            ])
        }
        return notices
    }

    // MARK: The list

    /// The next steps where nothing is selected: what hides experiments, and what may be meant.
    private var nothing: PageValues {
        let count = catalog.plan.experiments.count
        guard isInteractive, count > 0 else { return ["isUndefined": count == 0] }
        let named = query.selection.text.map { NearestPages(catalog.plan).entries(named: $0) } ?? []
        let suggestion = named.isEmpty ? query.selection.suggestion(in: catalog) : nil
        let all = NumberFormat.countedInGroups(count, "experiment")
        var steps: [PageValues] = []
        for step in query.hidden(in: catalog) + [(text: "Show all \(all)", query: OverviewQuery.everything)] {
            steps.append(["text": step.text, "link": step.query.link(page: 1, links)])
        }
        return [
            "steps": named.map { ["text": $0.title, "link": links.to($0.place)] as PageValues } + steps,
            "suggestion": suggestion, "suggestionLink": suggestion.map { OverviewQuery.link("text", $0, links) },
        ]
    }

    /// The holdouts with their shares and what they cover.
    private var holdouts: [PageValues] {
        catalog.plan.definitions.holdouts.prefix(Self.mostHoldouts).map { holdout -> PageValues in
            [
                "name": holdout.name, "link": links.to(.holdout(holdout.name)),
                "share": holdout.hash.percentage(of: holdout.share), "unit": holdout.unit,
                "covers": HoldoutPage.coverage(of: holdout, in: catalog),
            ]
        }
    }

    private static let mostHoldouts = 100

    private func summary(_ count: Int) -> String {
        let next = catalog.plan.nextBoundary(after: catalog.instant).map { boundary in
            " The next change is at \(boundary.shortText), "
                + "\(CatalogEntry.distance(to: boundary, from: catalog.instant))."
        }
        return "\(count) of \(counted(catalog.plan.experiments.count, "experiment"))." + (next ?? "")
    }

    /// How many experiments are in each phase.
    private var phases: [PageValues] {
        let counts = catalog.experiments.reduce(into: [ExperimentPhase: Int]()) { $0[$1.phase, default: 0] += 1 }
        return ExperimentPhase.allCases.compactMap { phase in
            counts[phase].map { count in
                [
                    "text": "\(count) \(phase.rawValue)",
                    "link": isInteractive ? OverviewQuery.link("status", phase.rawValue, links) : nil,
                ]
            }
        }
    }

    /// The owners that a reader can choose.
    private var owners: [PageValues] {
        let owners = Set(catalog.plan.definitions.experiments.compactMap(\.owner).map(UTF8Key.init))
        return owners.sorted().prefix(100).map { owner -> PageValues in ["name": owner.text] }
    }

    /// Experiments below their layers, or as an index has them; one list if another order is wanted.
    private func groups(_ shown: [CatalogEntry]) -> [PageValues] {
        if let index {
            return index.groups(shown).map { heading, entries in
                let layer = isCompact ? entries.first.flatMap { catalog.plan.layer(of: $0.index) } : nil
                return group(entries, layer: layer, heading: heading, anchor: index.anchor(heading))
            }
        }
        guard query.isGrouped else { return shown.isEmpty ? [] : [group(shown, layer: nil, heading: nil)] }
        var groups: [PageValues] = []
        var rest = shown[...]
        while let first = rest.first {
            let own = rest.prefix { $0.layer == first.layer }
            rest = rest.dropFirst(own.count)
            let layer = catalog.plan.layer(of: first.index)
            groups.append(group(Array(own), layer: layer, heading: layer?.name ?? "Without a layer"))
        }
        return groups
    }

    private func group(
        _ entries: [CatalogEntry], layer: LayerDefinition?, heading: String?, anchor: String? = nil
    ) -> PageValues {
        let bar = isCompact ? nil : layer.map { LayerBar($0, in: catalog.plan.definitions, at: catalog.instant) }
        return [
            "heading": heading, "anchor": anchor,
            "heads": heads(isLayer: layer != nil, showsLayer: heading == nil || index != nil),
            "layerLink": layer.map { links.to(.layer($0.name)) },
            "isLayer": layer != nil, "showsLayer": heading == nil || index != nil,
            "note": isCompact ? nil : layer?.description.map { PageText.short($0) }, "bar": bar?.picture,
            "free": bar.map { "\($0.freeShare) free" }, "counted": isCounting,
            "rows": entries.map { row($0, bar) },
        ]
    }

    /// The heads of the columns, which sort the list where readers choose.
    private func heads(isLayer: Bool, showsLayer: Bool) -> [PageValues] {
        let columns: [(title: String, column: OverviewQuery.Column?, isNumber: Bool, isShown: Bool)] = [
            ("Experiment", .key, false, true), ("Status", .status, false, true), ("Layer", .layer, false, showsLayer),
            ("Slots", nil, false, isLayer), ("Owner", .owner, false, true), ("Days", .started, true, true),
            ("Traffic", .traffic, true, true), ("First exposures", .units, true, isCounting),
            ("Ratio test", .ratio, false, isCounting), ("Next change", .next, false, true),
        ]
        return columns.filter(\.isShown).map { head -> PageValues in
            let direction = head.column.flatMap(query.direction)
            return [
                "title": head.title, "isNumber": head.isNumber,
                "link": isInteractive ? head.column.map { query.link(sortedBy: $0, links) } : nil,
                "direction": direction, "arrow": direction.map { $0 == "ascending" ? "▲" : "▼" },
            ]
        }
    }

    private func row(_ entry: CatalogEntry, _ bar: LayerBar?) -> PageValues {
        let known = exposures[entry.key]
        let verdict = known?.verdict
        let next = entry.nextBoundary
        return [
            "key": entry.key, "link": links.to(.experiment(entry.key)), "phase": entry.phase.rawValue,
            "other": entry.phase == .running ? nil : entry.phase.rawValue,
            "about": entry.description.map { PageText.short($0) },
            "owner": entry.owner.map { PageText.short($0, atMost: 60) } ?? "–",
            "days": entry.daysRunning.map(NumberFormat.grouped) ?? "–",
            "traffic": entry.trafficShare ?? "–",
            "next": next.map { ["at": $0.instant.shortText, "event": $0.event] as PageValues },
            "layer": entry.layer ?? "–",
            "layerLink": entry.layer.map { links.to(.layer($0)) }, "slots": entry.slots ?? "–",
            "swatch": bar?.swatch(of: entry.key), "isRandomised": entry.experiment.draw != nil,
            "units": exposures.units(of: entry).map { NumberFormat.grouped($0) } ?? "–",
            "verdict": verdict?.text ?? "–", "isBad": verdict?.isBad ?? false,
        ]
    }

    private static let template = PageTemplate(
        """
        {{#notices}}
        <div class="notice bad">
        <p>{{text}}</p>
        {{#hasItems}}
        <ul>
        {{#items}}
        <li>{{#key}}<a href="{{link}}">{{key}}</a>{{/key}}{{text}}</li>
        {{/items}}
        {{#more}}
        <li>{{more}}</li>
        {{/more}}
        </ul>
        {{/hasItems}}
        </div>
        {{/notices}}
        {{#warningCount}}
        <p class="notice"><a href="#warnings">{{warningCount}}</a> about the definitions</p>
        {{/warningCount}}
        <p class="phases">{{#phases}}{{#link}}<a href="{{link}}">{{text}}</a>{{/link}}\
        {{^link}}<span>{{text}}</span>{{/link}} {{/phases}}</p>
        {{#interactive}}
        {{#form}}
        <details class="fold"{{#isFiltered}} open{{/isFiltered}}><summary>Filter and order</summary></details>
        <form class="filters" role="search" aria-label="Filter" action="{{overview}}" method="get">
        <div><label for="status">Status</label>
        <select id="status" name="status">
        {{#statuses}}
        <option value="{{value}}"{{#selected}} selected{{/selected}}>{{label}}</option>
        {{/statuses}}
        </select></div>
        <div><label for="owner">Owner</label>
        <input id="owner" name="owner" list="owners" value="{{{data(owner)}}}" dir="auto"></div>
        <div><label for="setting">Setting or section</label>
        <input id="setting" name="setting" value="{{{data(setting)}}}" dir="auto"></div>
        <div><label for="text">Text</label>
        <input id="text" name="text" value="{{{data(text)}}}" dir="auto"></div>
        <div><label for="sort">Order</label>
        <select id="sort" name="sort">
        {{#orders}}
        <option value="{{value}}"{{#selected}} selected{{/selected}}>{{label}}</option>
        {{/orders}}
        </select></div>
        {{#layer}}<input type="hidden" name="layer" value="{{{data(layer)}}}">{{/layer}}
        <button>Filter</button>
        <a href="{{overview}}">Reset</a>
        <datalist id="owners">
        {{#owners}}
        <option value="{{{data(name)}}}"></option>
        {{/owners}}
        </datalist>
        </form>
        {{/form}}
        {{/interactive}}
        <p class="faint">{{summary}}{{#countedAt}} Exposures were counted at \
        <time datetime="{{countedAt}}">{{countedAt}}</time>.{{/countedAt}}</p>
        {{#empty}}
        <p>There is nothing to show here.{{#isUndefined}} Each experiment is a file, such as <code>KEY.yaml</code>, \
        in the folder of definitions; <code>allot init</code> writes a first base, experiment and test.{{/isUndefined}}\
        {{#suggestion}} Did you mean <a href="{{suggestionLink}}">{{suggestion}}</a>?{{/suggestion}}</p>
        {{^isUndefined}}
        <ul>
        {{#steps}}
        <li><a href="{{link}}">{{text}}</a></li>
        {{/steps}}
        </ul>
        {{/isUndefined}}
        {{/empty}}
        {{#hasIndexes}}
        <nav aria-label="Index">
        <dl>
        {{#indexes}}
        <dt><a href="{{page}}">{{label}}</a></dt>
        <dd class="phases">{{#names}}<span><a href="{{link}}"><bdi>{{name}}</bdi></a> {{count}}</span> {{/names}}</dd>
        {{/indexes}}
        </dl>
        </nav>
        {{/hasIndexes}}
        <div class="groups{{#isCompact}} index{{/isCompact}}">
        {{#groups}}
        <section{{#anchor}} id="{{anchor}}"{{/anchor}}>
        {{#heading}}
        <h2>{{#isLayer}}Layer <a href="{{layerLink}}">{{heading}}</a>{{/isLayer}}\
        {{^isLayer}}<bdi>{{heading}}</bdi>{{/isLayer}}</h2>
        {{/heading}}
        {{#isCompact}}
        <ul>
        {{#rows}}
        <li><a href="{{link}}">{{key}}</a>{{#other}} <span class="faint">{{other}}</span>{{/other}}\
        {{#isBad}} <strong class="bad">{{verdict}}</strong>{{/isBad}}</li>
        {{/rows}}
        </ul>
        {{/isCompact}}
        {{#note}}
        <p dir="auto">{{note}}</p>
        {{/note}}
        {{#bar}}
        {{{bar}}}
        <p class="faint"><span class="key free"></span>{{free}}</p>
        {{/bar}}
        {{^isCompact}}
        <table class="list cards" aria-label="{{heading}}{{^heading}}Experiments{{/heading}}">
        <thead>
        <tr>{{#heads}}<th scope="col"{{#isNumber}} class="number"{{/isNumber}}\
        {{#direction}} aria-sort="{{direction}}"{{/direction}}>\
        {{#link}}<a href="{{link}}">{{/link}}{{title}}{{#link}}</a>{{/link}}\
        {{#arrow}} <span aria-hidden="true">{{arrow}}</span>{{/arrow}}</th>{{/heads}}</tr>
        </thead>
        <tbody>
        {{#rows}}
        <tr><th scope="row">{{{swatch}}}<a href="{{link}}">{{key}}</a>\
        {{#about}}<span class="about" dir="auto">{{about}}</span>{{/about}}</th>\
        <td class="first"><span class="badge {{phase}}">{{phase}}</span></td>\
        {{#showsLayer}}<td data-label="Layer">{{#layerLink}}<a href="{{layerLink}}">{{layer}}</a>{{/layerLink}}\
        {{^layerLink}}{{layer}}{{/layerLink}}</td>{{/showsLayer}}\
        {{#isLayer}}<td data-label="Slots">{{slots}}</td>{{/isLayer}}\
        <td class="owner" data-label="Owner"><bdi>{{owner}}</bdi></td>\
        <td class="number" data-label="Days">{{days}}</td><td class="number" data-label="Traffic">{{traffic}}</td>\
        {{#counted}}<td class="number" data-label="First exposures">{{units}}</td>\
        <td class="first whole" data-label="Ratio test">{{#isBad}}<strong class="bad">{{verdict}}</strong>{{/isBad}}\
        {{^isBad}}{{verdict}}{{/isBad}}</td>{{/counted}}\
        <td data-label="Next change">{{#next}}<span class="whole">{{at}}</span> {{event}}{{/next}}\
        {{^next}}–{{/next}}</td></tr>
        {{/rows}}
        </tbody>
        </table>
        {{/isCompact}}
        </section>
        {{/groups}}
        </div>
        {{{pager}}}
        {{#hasHoldouts}}
        <h2 id="holdouts">Holdouts</h2>
        <ul>
        {{#holdouts}}
        <li><a href="{{link}}">{{name}}</a>: {{share}} by <code>{{unit}}</code>, kept out of {{covers}}</li>
        {{/holdouts}}
        {{#otherHoldouts}}
        <li>and {{otherHoldouts}} more</li>
        {{/otherHoldouts}}
        </ul>
        {{/hasHoldouts}}
        {{{warnings}}}
        """)
}
