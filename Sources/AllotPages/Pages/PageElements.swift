import AllotReports

/// The elements of pages: paragraphs and headings, lists in tables, and forms.
extension Markup {
    /// Writes an element with text and elements in a line.
    mutating func inline(_ name: String, _ attributes: Attributes, _ content: Markup) {
        element(name, attributes) { $0.append(content) }
        endLine()
    }

    mutating func inline(_ name: String, _ content: Markup) {
        inline(name, [:], content)
    }

    mutating func p(_ content: Markup, class style: String? = nil) {
        inline("p", ["class": style], content)
    }

    mutating func li(_ content: Markup) {
        inline("li", content)
    }

    mutating func h2(_ title: Markup, id: String? = nil) {
        inline("h2", ["id": id], title)
    }

    mutating func h3(_ title: Markup, id: String? = nil) {
        inline("h3", ["id": id], title)
    }

    /// Writes a paragraph of an author, in the direction of its writing.
    mutating func description(_ text: String?, class style: String? = "text") {
        if let text { inline("p", ["class": style, "dir": "auto"], "\(text)") }
    }

    /// Writes an error above a form.
    mutating func problem(_ text: String?) {
        if let text { inline("p", ["class": "notice bad", "role": "alert"], "\(text)") }
    }

    /// Writes lines as they are, which can be scrolled with keys.
    mutating func pre(_ text: String) {
        pre { $0.write(text) }
    }

    mutating func pre(_ body: (inout Markup) -> Void) {
        element("pre", ["tabindex": "0"], body)
        endLine()
    }

    mutating func details(
        _ summary: Markup, isOpen: Bool = false, class style: String? = nil, _ body: (inout Markup) -> Void
    ) {
        element("details", ["class": style], flag: isOpen ? "open" : nil) { details in
            details.inline("summary", summary)
            body(&details)
        }
        endLine()
    }

    /// Writes a label and what it says, in a list of them.
    mutating func fact(_ label: String, _ content: Markup) {
        fact(label) { $0.append(content) }
    }

    mutating func fact(_ label: String, _ attributes: Attributes = [:], _ body: (inout Markup) -> Void) {
        element("dt", label)
        element("dd", attributes, body)
        endLine()
    }

    /// Writes the figure of a plot.
    mutating func plot(_ picture: Markup, _ caption: Markup) {
        element("figure") { figure in
            figure.append(picture)
            figure.inline("figcaption", caption)
        }
        endLine()
    }
}

// MARK: Tables

extension Markup {
    /// Writes a list in a table, whose rows are cards where there is little room. It has a caption or a label.
    mutating func cards(
        _ caption: Markup? = nil, label: String? = nil, heads: [Markup], _ rows: (inout Markup) -> Void
    ) {
        element("table", ["class": "list cards", "aria-label": label]) { table in
            if let caption { table.inline("caption", caption) }
            table.element("thead") { $0.row { row in for head in heads { row.head(head) } } }
            table.element("tbody") { rows(&$0) }
        }
        endLine()
    }

    /// Writes a table of numbers; the first cell of a row names it.
    mutating func numbers(_ caption: Markup, region: String, _ table: Report.Table) {
        scroll(region) { region in
            region.element("table") { markup in
                markup.inline("caption", caption)
                markup.element("thead") { head in
                    head.row { row in
                        for column in table.columns {
                            row.head("\(column.name)", class: column.isNumber ? nil : "text")
                        }
                    }
                }
                markup.element("tbody") { body in
                    for cells in table.rows {
                        body.row { row in
                            for (index, (column, cell)) in zip(table.columns, cells).enumerated() {
                                let style = cell.isBad ? "bad" : column.isNumber ? nil : "text"
                                if index == 0 {
                                    row.rowHead("\(cell.text)", class: style)
                                } else {
                                    row.cell("\(cell.text)", class: style)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Writes a part that can be scrolled with keys where there is little room.
    mutating func scroll(_ label: String, _ body: (inout Markup) -> Void) {
        element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": label], body)
        endLine()
    }

    mutating func row(isChanged: Bool = false, _ cells: (inout Markup) -> Void) {
        element("tr", ["class": isChanged ? "changed" : nil], cells)
        endLine()
    }

    /// Writes the head of a column.
    mutating func head(_ content: Markup, class style: String? = nil, sort: String? = nil) {
        element("th", ["scope": "col", "class": style, "aria-sort": sort]) { $0.append(content) }
    }

    mutating func rowHead(_ content: Markup, class style: String? = nil) {
        element("th", ["scope": "row", "class": style]) { $0.append(content) }
    }

    /// Writes a cell.
    ///
    /// - Parameter label: The name of its column, which cards show; `nil` where it needs none.
    mutating func cell(_ content: Markup, _ label: String? = nil, class style: String? = nil) {
        element("td", ["class": style, "data-label": label]) { $0.append(content) }
    }

    /// Writes the cell of an experiment's owner.
    mutating func owner(_ owner: String?, atMost limit: Int = 120) {
        cell("\(name: owner.map { PageText.short($0, atMost: limit) } ?? "–")", "Owner", class: "owner")
    }

    /// Writes the head of an experiment's row: a link to its page, with a line about it.
    mutating func rowHead(_ entry: CatalogEntry, _ links: PageLinks, swatch: Markup? = nil) {
        element("th", ["scope": "row"]) { head in
            head.append("\(swatch)\(link: "\(entry.key)", to: links.to(.experiment(entry.key)))")
            if let about = entry.description {
                head.element("span", ["class": "about", "dir": "auto"], PageText.short(about))
            }
        }
    }

    /// Writes the cell of the experiments that set a value, with the outcomes there.
    mutating func sources(_ sources: [(experiment: String, outcome: String)], _ links: PageLinks) {
        element("td", ["data-label": "Set by"]) { cell in
            for source in sources {
                let link = links.to(.experiment(source.experiment))
                cell.append("\(link: "\(source.experiment)", to: link): \(source.outcome)")
                cell.void("br")
            }
        }
    }

    /// Writes the cell of an experiment's layer.
    mutating func layer(of entry: CatalogEntry, _ links: PageLinks) {
        cell("\(link: "\(entry.layer ?? "–")", to: entry.layer.map { links.to(.layer($0)) })", "Layer")
    }
}

// MARK: Forms

extension Markup {
    /// Writes a control below its label.
    mutating func field(_ label: Markup, id: String, _ control: (inout Markup) -> Void) {
        element("div") { field in
            field.inline("label", ["for": id], label)
            control(&field)
        }
        endLine()
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

    mutating func input(_ attributes: Attributes, _ others: Attributes = [:], isRequired: Bool = false) {
        void("input", attributes + others, flag: isRequired ? "required" : nil)
    }

    /// Writes an item that a form sends back as it is.
    mutating func hidden(_ name: String, _ value: String) {
        void("input", ["type": "hidden", "name": name, "value": value])
        endLine()
    }

    mutating func textarea(_ value: String, _ attributes: Attributes, isRequired: Bool = false) {
        element("textarea", attributes, flag: isRequired ? "required" : nil) { area in
            // Browsers leave out the first line feed.
            area.endLine()
            area.write(data: value)
        }
    }

    mutating func option(_ value: String, _ label: String, isSelected: Bool = false) {
        element("option", ["value": value], flag: isSelected ? "selected" : nil) { $0.write(label) }
    }

    /// Writes a button that sends a form.
    mutating func submit(_ label: String) {
        element("div") { $0.element("button", label) }
        endLine()
    }
}
