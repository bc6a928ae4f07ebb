import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotReports

/// The variants of an experiment and what they change, side by side.
enum VariantsSection {
    private static let mostRows = 200

    static func html(_ entry: CatalogEntry, _ exposures: ExperimentExposures?, _ links: PageLinks) -> String {
        let variants = entry.variants
        var settings: [(name: String, base: JSONValue?)] = []
        var rowOf: [UTF8Key: Int] = [:]
        let values = variants.map { variant in
            var values: [Int: JSONValue] = [:]
            for change in variant.changes {
                let name = change.name
                let row = rowOf[UTF8Key(name)] ?? settings.count
                if row == settings.count {
                    rowOf[UTF8Key(name)] = row
                    settings.append((name, change.base))
                }
                values[row] = change.value
            }
            return values
        }
        let total = exposures?.units.reduce(0, +) ?? 0
        let rows = settings.prefix(mostRows).enumerated().map { row, setting in
            let cells = values.map { values -> PageValues in
                guard let value = values[row] else { return ["same": true] }
                return ["changed": true, "value": ShownValue.values(value)]
            }
            return ["name": setting.name, "base": ShownValue.values(setting.base), "cells": cells] as PageValues
        }
        return template.html([
            "link": links.to(.settings),
            "variants": variants.enumerated().map { index, variant in
                [
                    "key": variant.key, "won": variant.isWinner, "swatch": PlotSeries(index).swatch,
                    "description": variant.description ?? "", "share": variant.share ?? "everyone",
                    "units": exposures.map { NumberFormat.grouped($0.units[index]) } ?? "",
                    "part": exposures.flatMap {
                        total > 0 ? NumberFormat.percent(Double($0.units[index]) / Double(total), digits: 4) : nil
                    },
                ] as PageValues
            },
            "hasDescriptions": variants.contains { $0.description != nil },
            "hasUnits": total > 0, "rows": rows, "isEmpty": rows.isEmpty,
            "unlisted": settings.count > mostRows ? NumberFormat.grouped(settings.count - mostRows) : nil,
        ])
    }

    private static let template = PageTemplate(
        """
        <h2 id="variants">Variants</h2>
        <div class="scroll" tabindex="0" role="region" aria-label="Variants and what they change">
        <table class="list sides">
        <thead><tr><td></td><th scope="col">base</th>{{#variants}}<th scope="col">{{{swatch}}}{{key}}\
        {{#won}} <span class="badge">won</span>{{/won}}</th>{{/variants}}</tr></thead>
        <tbody>
        {{#hasDescriptions}}<tr><th scope="row">About</th><td></td>\
        {{#variants}}<td dir="auto">{{description}}</td>{{/variants}}</tr>
        {{/hasDescriptions}}
        <tr><th scope="row">Share</th><td></td>{{#variants}}<td>{{share}}</td>{{/variants}}</tr>
        {{#hasUnits}}<tr><th scope="row">First exposures</th><td></td>{{#variants}}<td>{{units}}{{#part}} \
        <span class="faint">({{part}})</span>{{/part}}</td>{{/variants}}</tr>{{/hasUnits}}
        {{#rows}}
        <tr><th scope="row"><code>{{name}}</code></th><td>{{#base}}\(ShownValue.template){{/base}}</td>{{#cells}}\
        <td{{#changed}} class="changed"{{/changed}}>{{#same}}<span class="faint">as base</span>{{/same}}\
        {{#value}}\(ShownValue.template){{/value}}</td>{{/cells}}</tr>
        {{/rows}}
        </tbody>
        </table>
        </div>
        {{#unlisted}}<p>And {{unlisted}} more values.</p>{{/unlisted}}
        {{#isEmpty}}<p>No variant changes a setting.</p>{{/isEmpty}}
        """)
}
