import AllotConfiguration
import AllotCore
import AllotDefinitions

/// `/settings`: each setting of the base with its value, and who may change it.
package enum SettingsPage {
    /// Makes the page.
    ///
    /// - Parameters:
    ///   - selection: the settings to show. A page of files has all of them.
    ///   - canEdit: whether a new value can be tried out.
    ///   - canWrite: whether bearers of a token can write changes.
    ///   - proposal: the result of trying a new value for the only setting that is shown.
    package static func make(
        _ catalog: Catalog, _ selection: SettingsSelection = SettingsSelection(), _ links: PageLinks,
        canEdit: Bool = false, canWrite: Bool = false, proposal: SettingProposal? = nil
    ) -> Page {
        let all = catalog.plan.definitions.settings
        let matching = selection.matching(all)
        let pager = Pager(matching.count, page: selection.page, links, size: 50)
        let (page, pageCount) = (pager.page, pager.pageCount)
        let shown = matching[pager.rows]
        let changers = Changers(catalog, of: shown)
        let only = selection.setting.isEmpty ? nil : shown.first
        var sections: [PageValues] = []
        var rest = shown
        while let first = rest.first {
            let group = rest.prefix { UTF8Order.areEqual($0.section, first.section) }
            rest = rest.dropFirst(group.count)
            sections.append([
                "section": first.section,
                "settings": group.map { row($0, changers, links, isEditable: canEdit && only == nil, canWrite) },
            ])
        }
        return Page(
            only.map { $0.title ?? $0.path } ?? "Settings",
            below: only == nil ? [] : [Page.Breadcrumb("Settings", .settings)], part: .settings, template,
            [
                "filters": links.form == .routes && only == nil, "action": links.to(.settings), "text": selection.text,
                "sectionNames": sectionNames(all, selection), "sections": sections, "count": matching.count,
                "total": all.count, "hasSettings": !all.isEmpty, "isEmpty": matching.isEmpty,
                "hasPages": pageCount > 1, "page": page, "pageCount": pageCount,
                "previous": page > 1 ? reference(links, selection.query(page: page - 1)) : nil,
                "next": page < pageCount ? reference(links, selection.query(page: page + 1)) : nil,
                "addition": canWrite ? links.to(.settingEditor) : nil,
                "change": canEdit
                    ? only.map {
                        ChangeProposalView.form($0, proposal, action: links.to(.settings), isLink: true)
                    } : nil,
            ])
    }

    private static let changerLimit = 40

    private static func reference(_ links: PageLinks, _ query: String) -> String {
        links.to(.settings) + (query.isEmpty ? "" : "?" + query)
    }

    private static func sectionNames(_ settings: [DeclaredSetting], _ selection: SettingsSelection) -> [PageValues] {
        var names: [String] = []
        for setting in settings where names.last.map({ UTF8Order.areEqual($0, setting.section) }) != true {
            names.append(setting.section)
        }
        return names.map { ["name": $0, "selected": UTF8Order.areEqual($0, selection.section)] }
    }

    private static func row(
        _ setting: DeclaredSetting, _ changers: Changers, _ links: PageLinks, isEditable: Bool, _ canWrite: Bool
    ) -> PageValues {
        [
            "path": setting.path, "title": setting.title, "description": setting.description, "unit": setting.unit,
            "type": setting.valueType == "null" ? "any" : setting.valueType, "base": setting.value.flowText,
            "label": setting.label(of: setting.value), "constraints": constraints(setting),
            "hasConstraints": !constraints(setting).isEmpty,
            "choices": (setting.choices ?? []).map { ["label": $0.label, "value": $0.value.flowText] as PageValues },
            "hasChoices": setting.choices != nil, "isClosed": setting.allowed != nil,
            "experiments": changers.of(setting).prefix(changerLimit).map { entry -> PageValues in
                [
                    "key": entry.key, "link": links.to(.experiment(entry.key)), "phase": entry.phase.rawValue,
                    "owner": entry.owner,
                ]
            },
            "isOverridden": !changers.of(setting).isEmpty,
            "others": changers.of(setting).count > changerLimit ? changers.of(setting).count - changerLimit : nil,
            "edit": isEditable ? links.to(.setting(setting.path)) : nil,
            "editor": canWrite ? links.to(.settingEditor) + "?setting=" + PageLinks.encoded(setting.path) : nil,
        ]
    }

    private static func constraints(_ setting: DeclaredSetting) -> [String] {
        var words: [String] = []
        if let format = setting.format { words.append("format \(format.rawValue)") }
        if let minimum = setting.minimum { words.append("at least \(minimum.text)") }
        if let maximum = setting.maximum { words.append("at most \(maximum.text)") }
        if let pattern = setting.pattern { words.append("matches \(pattern.pattern)") }
        if let allowed = setting.allowed {
            words.append("one of \(allowed.map(\.flowText).joined(separator: ", "))")
        }
        return words
    }

    private static let template = PageTemplate(
        """
        {{#filters}}
        <form class="filters" action="{{action}}" method="get" aria-label="Filter settings">
        <div><label for="filter-text">Name, title or description</label>
        <input id="filter-text" name="text" type="search" value="{{{data(text)}}}" autocomplete="off" dir="auto"></div>
        <div><label for="filter-section">Section</label>
        <select id="filter-section" name="section"><option value="">all</option>
        {{#sectionNames}}
        <option value="{{{data(name)}}}"{{#selected}} selected{{/selected}}>{{name}}</option>
        {{/sectionNames}}
        </select></div>
        <div><button>Filter</button></div>
        </form>
        {{/filters}}
        {{^change}}
        <p class="faint">{{count}} of {{total}} settings{{#hasPages}} · page {{page}} of {{pageCount}}{{/hasPages}}</p>
        {{/change}}
        {{#addition}}<p><a href="{{addition}}">Add a setting</a></p>{{/addition}}
        {{#isEmpty}}<p>{{#hasSettings}}No setting matches. <a href="{{action}}">Show all</a>{{/hasSettings}}\
        {{^hasSettings}}There is no setting yet: write the first ones into <code>base.yaml</code>.{{/hasSettings}}</p>\
        {{/isEmpty}}
        {{#sections}}
        <section>
        <h2>{{section}}</h2>
        {{#settings}}
        <article class="panel">
        <h3>{{#title}}<bdi>{{title}}</bdi> · {{/title}}<code>{{path}}</code></h3>
        {{#description}}<p dir="auto">{{description}}</p>{{/description}}
        <dl>
        <dt>Base value</dt><dd><code dir="auto">{{base}}</code>{{#unit}} {{unit}}{{/unit}}\
        {{#label}} · <bdi>{{label}}</bdi>{{/label}}</dd>
        <dt>Type</dt><dd>{{type}}</dd>
        {{#hasConstraints}}<dt>Constraints</dt><dd>{{#constraints}}<div>{{.}}</div>{{/constraints}}</dd>\
        {{/hasConstraints}}
        {{#hasChoices}}<dt>Choices</dt><dd>\
        {{#choices}}<div><bdi>{{label}}</bdi>: <code dir="auto">{{value}}</code></div>{{/choices}}\
        {{^isClosed}}<div>other values too</div>{{/isClosed}}</dd>{{/hasChoices}}
        <dt>Changed by</dt><dd>{{#experiments}}<div><a href="{{link}}">{{key}}</a> \
        <span class="badge {{phase}}">{{phase}}</span>{{#owner}} <bdi>{{owner}}</bdi>{{/owner}}</div>{{/experiments}}\
        {{#others}}<div>and {{others}} more</div>{{/others}}\
        {{^isOverridden}}no experiment{{/isOverridden}}</dd>
        </dl>
        {{#edit}}<p><a href="{{edit}}">Propose another base value \
        <span class="faint">of {{path}}</span></a></p>{{/edit}}
        {{#editor}}<p><a href="{{editor}}">Change or remove it <span class="faint">: {{path}}</span></a></p>{{/editor}}
        </article>
        {{/settings}}
        </section>
        {{/sections}}
        {{#hasPages}}
        <nav class="pager" aria-label="Pages of settings">
        {{#previous}}<a href="{{previous}}" rel="prev">Previous page</a>{{/previous}}
        {{#next}}<a href="{{next}}" rel="next">Next page</a>{{/next}}
        </nav>
        {{/hasPages}}
        {{#change}}
        <section>
        <h2>Propose another base value</h2>
        <p>Nothing is written: the page shows the lines to commit, and what <code>allot check</code>, \
        <code>allot test</code> and <code>allot diff</code> say to them. The address of that page is a link \
        to the change.</p>
        \(ChangeProposalView.formTemplate)
        {{#proposal}}\(ChangeProposalView.template){{/proposal}}
        </section>
        {{/change}}
        """)
}

private struct Changers {
    private var entries: [UTF8Key: [CatalogEntry]] = [:]

    init(_ catalog: Catalog, of settings: ArraySlice<DeclaredSetting>) {
        for setting in settings { entries[UTF8Key(setting.path)] = [] }
        for (index, experiment) in catalog.plan.experiments.enumerated() {
            for path in Set(experiment.variants.flatMap(\.settings).map(UTF8Key.init)) {
                entries[path]?.append(CatalogEntry(catalog.plan, index, at: catalog.instant))
            }
        }
    }

    func of(_ setting: DeclaredSetting) -> [CatalogEntry] {
        entries[UTF8Key(setting.path)] ?? []
    }
}
