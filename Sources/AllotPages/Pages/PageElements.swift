import AllotConfiguration
import AllotReports

/// The elements of pages: paragraphs and headings, lists, tables and forms.
extension Markup {
    /// Writes an element with text and elements in a line.
    mutating func inline(_ name: String, _ attributes: Attributes, _ content: Markup) {
        element(name, attributes) { $0.append(content) }
        endLine()
    }

    mutating func inline(_ name: String, _ content: Markup) { inline(name, [:], content) }
    mutating func p(_ content: Markup, class style: String? = nil) { inline("p", ["class": style], content) }
    mutating func h2(_ title: Markup, id: String? = nil) { inline("h2", ["id": id], title) }
    mutating func h3(_ title: Markup, id: String? = nil) { inline("h3", ["id": id], title) }

    mutating func list(_ items: [Markup], class style: String? = nil) {
        element("ul", ["class": style]) { list in for item in items { list.inline("li", item) } }
    }

    /// Writes a text of an author, in the direction of its writing.
    mutating func description(_ text: String?, class style: String? = nil) {
        if let text { inline("p", ["class": style, "dir": "auto"], "\(text)") }
    }

    mutating func problem(_ text: String?) {
        if let text { inline("p", ["class": "notice bad", "role": "alert"], "\(text)") }
    }

    /// Writes lines as they are, which can be scrolled with keys.
    mutating func pre(_ text: String) { element("pre", ["tabindex": "0"], text) }

    mutating func details(
        _ summary: Markup, isOpen: Bool = false, class style: String? = nil, _ body: (inout Markup) -> Void
    ) {
        element("details", ["class": style], flag: isOpen ? "open" : nil) { details in
            details.inline("summary", summary)
            body(&details)
        }
    }

    mutating func fact(_ label: String, _ content: Markup) { fact(label) { $0.append(content) } }

    mutating func fact(_ label: String, _ attributes: Attributes = [:], _ body: (inout Markup) -> Void) {
        element("dt", label)
        element("dd", attributes, body)
        endLine()
    }

    /// Writes a label with items; nothing without an item.
    mutating func fact(_ label: String, each items: [Markup]) {
        if !items.isEmpty { fact(label) { fact in for item in items { fact.append("\(item) ") } } }
    }

    mutating func plot(_ picture: Markup, _ caption: Markup) {
        element("figure") { figure in
            figure.append(picture)
            figure.inline("figcaption", caption)
        }
    }
}

// MARK: Tables

extension Markup {
    struct Head: ExpressibleByStringLiteral {
        let title: Markup
        var style: String?
        /// The order of the list by it, as `aria-sort` names it; `nil` if there is another one.
        var sort: String?

        init(_ title: Markup, class style: String? = nil, sort: String? = nil) {
            (self.title, self.style, self.sort) = (title, style, sort)
        }

        init(stringLiteral title: String) { self.init("\(title)") }
    }

    private mutating func table(
        _ attributes: Attributes, _ caption: Markup?, _ heads: [Head], _ rows: (inout Markup) -> Void
    ) {
        element("table", attributes) { table in
            if let caption { table.inline("caption", caption) }
            table.element("thead") { $0.row { row in for head in heads { row.head(head) } } }
            table.element("tbody") { rows(&$0) }
        }
    }

    /// Writes a list in a table, whose rows are cards where there is little room; `label` names one without a caption.
    mutating func cards<Items: Sequence>(
        _ caption: Markup? = nil, label: String? = nil, heads: [Head], of items: Items,
        isChanged: (Items.Element) -> Bool = { _ in false }, _ cells: (Items.Element, inout Markup) -> Void
    ) {
        table(["class": "list cards", "aria-label": label], caption, heads) { body in
            for item in items { body.row(isChanged: isChanged(item)) { cells(item, &$0) } }
        }
    }

    /// Writes a table of numbers, but for `texts`, with names in the first column; `isBad` marks the last cell of a
    /// row.
    mutating func numbers(
        _ caption: Markup, region: String, _ heads: [String], texts: Set<Int> = [0], _ rows: [[String]],
        isBad: (Int) -> Bool = { _ in false }
    ) {
        func style(_ column: Int) -> String? { texts.contains(column) ? "text" : nil }
        scroll(region) { region in
            region.table([:], caption, heads.enumerated().map { Head("\($1)", class: style($0)) }) { body in
                for (index, cells) in rows.enumerated() {
                    body.row { row in
                        for (column, text) in cells.enumerated() {
                            let isBad = column == cells.count - 1 && isBad(index)
                            let attributes: Attributes = [
                                "scope": column == 0 ? "row" : nil, "class": isBad ? "bad" : style(column),
                            ]
                            row.element(column == 0 ? "th" : "td", attributes, text)
                        }
                    }
                }
            }
        }
    }

    /// Writes a part that can be scrolled with keys where there is little room.
    mutating func scroll(_ label: String, _ body: (inout Markup) -> Void) {
        element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": label], body)
    }

    mutating func row(isChanged: Bool = false, _ cells: (inout Markup) -> Void) {
        element("tr", ["class": isChanged ? "changed" : nil], cells)
        endLine()
    }

    mutating func head(_ head: Head) {
        element("th", ["scope": "col", "class": head.style, "aria-sort": head.sort]) { $0.append(head.title) }
    }

    mutating func rowHead(_ content: Markup) { element("th", ["scope": "row"]) { $0.append(content) } }

    /// Writes a cell with the name of its column, which cards show.
    mutating func cell(_ content: Markup, _ label: String? = nil, class style: String? = nil) {
        element("td", ["class": style, "data-label": label]) { $0.append(content) }
    }

    /// Writes the cell of a setting's value, if there is one: cut if it is long, with the whole of it below.
    mutating func value(_ value: JSONValue?, _ label: String? = nil, class style: String? = nil) {
        element("td", ["class": style, "data-label": label]) { cell in
            guard let text = value?.canonicalText else { return cell.append("\(faint: "nothing")") }
            guard text.utf8.count > 240 else { return cell.element("code", ["dir": "auto"], text) }
            var summary = Markup()
            summary.element("code", ["dir": "auto"], text.prefix(80) + "…")
            summary.append(" \(faint: "\(NumberFormat.grouped(text.utf8.count)) bytes")")
            cell.details(summary) { $0.element("pre", ["tabindex": "0", "dir": "auto"], text) }
        }
    }

    mutating func owner(_ owner: String?, atMost limit: Int = 120) {
        cell("\(name: owner.map { PageText.short($0, atMost: limit) } ?? "–")", "Owner", class: "owner")
    }

    mutating func rowHead(_ entry: CatalogEntry, _ links: PageLinks, swatch: Markup? = nil) {
        element("th", ["scope": "row"]) { head in
            head.append("\(swatch)\(link: entry.key, to: links.to(.experiment(entry.key)))")
            if let about = entry.description {
                head.element("span", ["class": "about", "dir": "auto"], PageText.short(about))
            }
        }
    }

    mutating func layer(of entry: CatalogEntry, _ links: PageLinks) {
        cell("\(link: entry.layer ?? "–", to: entry.layer.map { links.to(.layer($0)) })", "Layer")
    }

    mutating func sources(_ sources: [(experiment: String, outcome: String)], _ links: PageLinks) {
        element("td", ["data-label": "Set by"]) { cell in
            for (key, outcome) in sources {
                cell.append("\(link: key, to: links.to(.experiment(key))): \(outcome)")
                cell.void("br")
            }
        }
    }
}

// MARK: Forms

extension Markup {
    struct Option {
        let value: String
        let label: String
        let isSelected: Bool

        init(_ value: String, _ label: String? = nil, isSelected: Bool = false) {
            (self.value, self.label, self.isSelected) = (value, label ?? value, isSelected)
        }
    }

    mutating func form(
        _ label: String?, action: String? = nil, method: String = "get", class style: String? = "filters",
        role: String? = nil, _ body: (inout Markup) -> Void
    ) {
        element("form", ["class": style, "action": action, "method": method, "role": role, "aria-label": label], body)
    }

    mutating func field(_ label: Markup, id: String, _ control: (inout Markup) -> Void) {
        element("div") { field in
            field.inline("label", ["for": id], label)
            control(&field)
        }
    }

    /// Writes a field for a text of one line, with other attributes that it has.
    mutating func field(
        _ label: Markup, id: String, name: String? = nil, value: String, isRequired: Bool = false,
        _ others: Attributes = ["autocomplete": "off", "dir": "auto"]
    ) {
        field(label, id: id) { field in
            field.input(["id": id, "name": name ?? id, "value": value], others, isRequired: isRequired)
        }
    }

    mutating func area(
        _ label: Markup, id: String, name: String, value: String, isRequired: Bool = false,
        note: (id: String, text: Markup)? = nil
    ) {
        field(label, id: id) { field in
            field.textarea(
                value,
                [
                    "id": id, "name": name, "rows": "4", "spellcheck": "false", "dir": "auto",
                    "aria-describedby": note?.id,
                ], isRequired: isRequired)
            if let note { field.inline("span", ["class": "faint", "id": note.id], note.text) }
        }
    }

    mutating func input(_ attributes: Attributes, _ others: Attributes = [:], isRequired: Bool = false) {
        void("input", attributes + others, flag: isRequired ? "required" : nil)
    }

    mutating func hidden(_ name: String, _ value: String) { input(["type": "hidden", "name": name, "value": value]) }

    mutating func textarea(_ value: String, _ attributes: Attributes, isRequired: Bool = false) {
        element("textarea", attributes, flag: isRequired ? "required" : nil) { area in
            // Browsers leave out the first line feed.
            area.endLine()
            area.write(data: value)
        }
    }

    mutating func select(id: String, name: String, _ options: [Option], _ others: Attributes = [:]) {
        element("select", ["id": id, "name": name] + others) { $0.options(options) }
    }

    mutating func options(_ options: [Option]) {
        for option in options {
            element("option", ["value": option.value], flag: option.isSelected ? "selected" : nil) {
                $0.write(option.label)
            }
        }
    }

    mutating func submit(_ label: String, in name: String = "div") { element(name) { $0.element("button", label) } }
}
