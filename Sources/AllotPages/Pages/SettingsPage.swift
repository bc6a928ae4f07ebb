import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports

/// `/settings`: each setting of the base with its value, and who may change it.
package enum SettingsPage {
    /// Makes the page of a selection; pages of files have all. Bearers of a token may write.
    package static func make(
        _ catalog: Catalog, _ selection: SettingsSelection = SettingsSelection(), _ links: PageLinks,
        canEdit: Bool = false, canWrite: Bool = false, proposal: SettingProposal? = nil
    ) -> Page {
        let all = catalog.plan.definitions.settings
        let matching = selection.matching(all)
        let pager = Pager(matching.count, page: selection.page, links, size: 50)
        let shown = matching[pager.rows]
        let changers = changers(of: shown, catalog)
        let only = selection.setting.isEmpty ? nil : shown.first
        let change = canEdit ? only : nil
        return Page(
            only.map { $0.title ?? $0.path } ?? "Settings",
            below: only == nil ? nil : ("Settings", .settings), part: .settings
        ) { page in
            if links.form == .routes, only == nil { writeFilters(all, selection, links, in: &page) }
            if change == nil {
                let part = pager.pageCount > 1 ? " · page \(pager.page) of \(pager.pageCount)" : ""
                page.p("\(matching.count) of \(all.count) settings\(part)", class: "faint")
            }
            if canWrite { page.p("\(link: "Add a setting", to: links.to(.settingEditor))") }
            if all.isEmpty {
                page.p("There is no setting yet: write the first ones into \(code: "base.yaml").")
            } else if matching.isEmpty {
                page.p("No setting matches. \(link: "Show all", to: links.to(.settings))")
            }
            var rest = shown
            while let first = rest.first {
                let group = rest.prefix { UTF8Order.areEqual($0.section, first.section) }
                rest = rest.dropFirst(group.count)
                page.element("section") { section in
                    section.h2("\(first.section)")
                    for setting in group {
                        write(
                            setting, changers[UTF8Key(setting.path)] ?? [], links, isEditable: canEdit && only == nil,
                            canWrite, in: &section)
                    }
                }
            }
            pager.write(in: &page) { number in
                let query = selection.query(page: number)
                return links.to(.settings) + (query.isEmpty ? "" : "?" + query)
            }
            if let change { writeChange(of: change, proposal, links, in: &page) }
        }
    }

    private static let changerLimit = 40

    private static func writeFilters(
        _ settings: [DeclaredSetting], _ selection: SettingsSelection, _ links: PageLinks, in page: inout Markup
    ) {
        var sections: [String] = []
        for setting in settings where sections.last.map({ UTF8Order.areEqual($0, setting.section) }) != true {
            sections.append(setting.section)
        }
        page.form("Filter settings", action: links.to(.settings)) { form in
            form.field("Name, title or description", id: "filter-text") { field in
                field.input(
                    ["id": "filter-text", "name": "text", "type": "search", "value": selection.text],
                    ["autocomplete": "off", "dir": "auto"])
            }
            form.field("Section", id: "filter-section") { field in
                field.select(
                    id: "filter-section", name: "section",
                    [Markup.Option("", "all")]
                        + sections.map { Markup.Option($0, isSelected: UTF8Order.areEqual($0, selection.section)) })
            }
            form.submit("Filter")
        }
    }

    private static func write(
        _ setting: DeclaredSetting, _ changers: [CatalogEntry], _ links: PageLinks, isEditable: Bool, _ canWrite: Bool,
        in section: inout Markup
    ) {
        section.element("article", ["class": "panel"]) { panel in
            let title: Markup? = setting.title.map { "\(name: $0) · " }
            panel.h3("\(title)\(code: setting.path)")
            panel.description(setting.description)
            panel.element("dl") { writeFacts(setting, changers, links, in: &$0) }
            if isEditable {
                let link = links.to(.setting(setting.path))
                panel.p("\(linked: "Propose another base value \(faint: "of \(setting.path)")", to: link)")
            }
            if canWrite {
                let link = links.to(.settingEditor) + "?setting=" + PageLinks.encoded(setting.path)
                panel.p("\(linked: "Change or remove it \(faint: ": \(setting.path)")", to: link)")
            }
        }
    }

    private static func writeFacts(
        _ setting: DeclaredSetting, _ changers: [CatalogEntry], _ links: PageLinks, in list: inout Markup
    ) {
        list.fact("Base value") { value in
            value.element("code", ["dir": "auto"], setting.value.flowText)
            if let unit = setting.unit { value.write(" \(unit)") }
            if let label = setting.label(of: setting.value) { value.append(" · \(name: label)") }
        }
        list.fact("Type", setting.valueType == "null" ? "any" : "\(setting.valueType)")
        let constraints = constraints(setting)
        if !constraints.isEmpty {
            list.fact("Constraints") { fact in for words in constraints { fact.element("div", words) } }
        }
        if let choices = setting.choices {
            list.fact("Choices") { fact in
                for choice in choices {
                    fact.element("div") { line in
                        line.append("\(name: choice.label): ")
                        line.element("code", ["dir": "auto"], choice.value.flowText)
                    }
                }
                if setting.allowed == nil { fact.element("div", "other values too") }
            }
        }
        list.fact("Changed by") { fact in
            for entry in changers.prefix(changerLimit) {
                let link = links.to(.experiment(entry.key))
                let owner: Markup? = entry.owner.map { " \(name: $0)" }
                fact.inline("div", "\(link: entry.key, to: link) \(badge: entry.phase.rawValue)\(owner)")
            }
            if changers.count > changerLimit { fact.element("div", "and \(changers.count - changerLimit) more") }
            if changers.isEmpty { fact.write("no experiment") }
        }
    }

    private static func constraints(_ setting: DeclaredSetting) -> [String] {
        var words: [String] = []
        if let format = setting.format { words.append("format \(format.rawValue)") }
        if let minimum = setting.minimum { words.append("at least \(minimum.text)") }
        if let maximum = setting.maximum { words.append("at most \(maximum.text)") }
        if let pattern = setting.pattern { words.append("matches \(pattern.pattern)") }
        if let allowed = setting.allowed { words.append("one of \(allowed.map(\.flowText).joined(separator: ", "))") }
        return words
    }

    private static func writeChange(
        of setting: DeclaredSetting, _ proposal: SettingProposal?, _ links: PageLinks, in page: inout Markup
    ) {
        page.element("section") { section in
            section.h2("Propose another base value")
            section.p(
                """
                Nothing is written: the page shows the lines to commit, and what \(code: "allot check"), \
                \(code: "allot test") and \(code: "allot diff") say to them. The address of that page is a link to \
                the change.
                """)
            setting.writeForm(proposal, action: links.to(.settings), isLink: true, in: &section)
            proposal?.write(in: &section)
        }
    }

    private static func changers(
        of settings: ArraySlice<DeclaredSetting>, _ catalog: Catalog
    ) -> [UTF8Key: [CatalogEntry]] {
        var changers = Dictionary(settings.map { (UTF8Key($0.path), [CatalogEntry]()) }) { first, _ in first }
        for (index, experiment) in catalog.plan.experiments.enumerated() {
            for path in Set(experiment.variants.flatMap(\.settings).map(UTF8Key.init)) {
                changers[path]?.append(CatalogEntry(catalog.plan, index, at: catalog.instant))
            }
        }
        return changers
    }
}

/// The selection of settings: a page of those that match.
package struct SettingsSelection: Sendable {
    /// The settings whose name, title or description has these words, in any order and any case of letters.
    package var text = ""
    package var section = ""
    /// The name of the only setting, `Section.Setting`; empty for all.
    package var setting = ""
    package var page = 1
    package init() {}

    package func matching(_ settings: [DeclaredSetting]) -> [DeclaredSetting] {
        let words = SearchWords(text)
        return settings.filter { declared in
            if !setting.isEmpty { return UTF8Order.areEqual(declared.path, setting) }
            guard section.isEmpty || UTF8Order.areEqual(declared.section, section) else { return false }
            return words.areFound(in: [declared.path, declared.title, declared.description].compactMap(\.self))
        }
    }

    func query(page: Int) -> String {
        [("text", text), ("section", section), ("page", page == 1 ? "" : "\(page)")].filter { !$0.1.isEmpty }
            .map { "\($0.0)=\(PageLinks.encoded($0.1))" }.joined(separator: "&")
    }
}
