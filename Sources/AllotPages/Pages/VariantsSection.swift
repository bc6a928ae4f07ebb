import AllotConfiguration
import AllotCore
import AllotReports

/// The variants of an experiment and what they change, side by side.
enum VariantsSection {
    private static let mostRows = 200

    static func write(
        _ entry: CatalogEntry, _ exposures: ExperimentExposures?, _ links: PageLinks, in page: inout Markup
    ) {
        let variants = entry.variants
        var settings: [(name: String, base: JSONValue?)] = []
        var seen: Set<UTF8Key> = []
        for change in variants.flatMap(\.changes) where seen.insert(UTF8Key(change.name)).inserted {
            settings.append((change.name, change.base))
        }
        let values = variants.map { Dictionary($0.changes.map { (UTF8Key($0.name), $0.value) }) { $1 } }
        page.h2("Variants", id: "variants")
        page.scroll("Variants and what they change") { scroll in
            scroll.element("table", ["class": "list sides"]) { table in
                table.element("thead") { writeHead(variants, in: &$0) }
                table.element("tbody") { body in
                    writeFacts(variants, exposures?.units, in: &body)
                    for setting in settings.prefix(mostRows) {
                        body.row { cells in
                            cells.rowHead("\(code: setting.name)")
                            cells.value(setting.base)
                            for values in values {
                                if let value = values[UTF8Key(setting.name)] {
                                    cells.value(value, class: "changed")
                                } else {
                                    cells.cell("\(faint: "as base")")
                                }
                            }
                        }
                    }
                }
            }
        }
        if settings.count > mostRows { page.p("And \(NumberFormat.grouped(settings.count - mostRows)) more values.") }
        if settings.isEmpty { page.p("No variant changes a setting.") }
    }

    private static func writeHead(_ variants: [CatalogVariant], in thead: inout Markup) {
        thead.row { row in
            row.cell("")
            row.head("base")
            for (index, variant) in variants.enumerated() {
                row.element("th", ["scope": "col"]) { head in
                    head.append("\(PlotSeries(index).swatch)\(variant.key)\(variant.isWinner ? " " : "")")
                    if variant.isWinner { head.element("span", ["class": "badge"], "won") }
                }
            }
        }
    }

    private static func writeFacts(_ variants: [CatalogVariant], _ units: [Int]?, in body: inout Markup) {
        func fact(_ name: Markup, in body: inout Markup, _ cells: (inout Markup) -> Void) {
            body.row { row in
                row.rowHead(name)
                row.cell("")
                cells(&row)
            }
        }
        if variants.contains(where: { $0.description != nil }) {
            fact("About", in: &body) { row in
                for variant in variants { row.element("td", ["dir": "auto"], variant.description ?? "") }
            }
        }
        fact("Share", in: &body) { row in for variant in variants { row.cell("\(variant.share ?? "everyone")") } }
        let total = units?.reduce(0, +) ?? 0
        guard let units, total > 0 else { return }
        fact("First exposures", in: &body) { row in
            for count in units.prefix(variants.count) {
                let part = NumberFormat.percent(Double(count) / Double(total), digits: 4)
                row.cell("\(NumberFormat.grouped(count)) \(faint: "(\(part))")")
            }
        }
    }
}
