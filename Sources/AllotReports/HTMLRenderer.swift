import AllotConfiguration

/// Writes reports as pages, and as parts of pages and notebooks.
package struct HTMLRenderer: Sendable {
    package init() {}

    /// A complete page that loads nothing and is well-formed XML: inline styles, no scripts.
    package func page(_ report: Report) -> String {
        Markup.page(report.title.isEmpty ? report.verdict : report.title) { markup in
            if !report.title.isEmpty { markup.element("h1", report.title) }
            write(report, level: 2, in: &markup)
        }
    }

    package func write(_ report: Report, level: Int = 2, in markup: inout Markup) {
        if !report.verdict.isEmpty {
            markup.element("p", ["class": report.isGood ? "verdict" : "verdict bad"], report.verdict)
        }
        write(report.lead + report.blocks, level: level, in: &markup)
        if let source = report.source { markup.element("p", ["class": "faint"], source) }
    }

    package func write(_ blocks: [Report.Block], level: Int, in markup: inout Markup) {
        var plots: [Report.Plot] = []
        for block in blocks.flatMap(\.onPages) where !block.isEmpty {
            if case .plot(let plot) = block {
                plots.append(plot)
                continue
            }
            write(plots, in: &markup)
            plots = []
            markup.endLine()
            write(block, level: level, in: &markup)
        }
        write(plots, in: &markup)
    }

    /// Writes plots next to each other where there is room, and one by itself as large as it is.
    private func write(_ plots: [Report.Plot], in markup: inout Markup) {
        func write(_ markup: inout Markup) {
            for plot in plots { markup.figure(plot.caption, plot.draw) }
        }
        if plots.count > 1 { markup.element("div", ["class": "plots"], write) } else { write(&markup) }
    }

    private func write(_ block: Report.Block, level: Int, in markup: inout Markup) {
        switch block {
        case .text(let text): markup.element("p", text)
        case .list(let lines):
            markup.element("ul") { markup in for line in lines { markup.element("li", line) } }
        case .notes(let lines):
            for line in lines { markup.element("p", ["class": "faint"], line) }
        case .facts(let facts):
            markup.element("dl") { markup in
                for fact in facts where !fact.blocks.isEmpty {
                    markup.element("dt", fact.label)
                    for block in fact.blocks {
                        if case .text(let text) = block {
                            markup.element("dd", text)
                        } else {
                            markup.element("dd") { write(block, level: level, in: &$0) }
                        }
                    }
                }
            }
        case .table(let table): write(table, in: &markup)
        case .code(let lines):
            markup.element("pre", lines.map { PrintableText(line: $0).description }.joined(separator: "\n"))
        case .section(let section):
            let isNamed = !section.name.text.isEmpty
            if isNamed {
                let name = PrintableText(line: section.name.text).description
                markup.element("h\(min(level, 6))", name + (section.note.map { " (\($0))" } ?? ""))
            }
            write(section.blocks, level: isNamed ? level + 1 : level, in: &markup)
        case .plot(let plot): write([plot], in: &markup)
        case .either(_, let page): write(page, level: level, in: &markup)
        }
    }

    private func write(_ table: Report.Table, in markup: inout Markup) {
        func row(_ element: String, _ cells: [Report.Cell], _ markup: inout Markup) {
            markup.element("tr") { markup in
                for (column, cell) in zip(table.columns, cells) {
                    let classes = (column.isNumber ? [] : ["text"]) + (cell.isBad ? ["bad"] : [])
                    markup.element(
                        element, classes.isEmpty ? [:] : ["class": classes.joined(separator: " ")],
                        PrintableText(line: cell.text).description)
                }
            }
            markup.endLine()
        }
        markup.element("div", ["class": "scroll"]) { markup in
            markup.element("table") { markup in
                markup.element("thead") { row("th", table.columns.map { Report.Cell($0.name) }, &$0) }
                markup.element("tbody") { markup in for cells in table.rows { row("td", cells, &markup) } }
            }
        }
    }
}
