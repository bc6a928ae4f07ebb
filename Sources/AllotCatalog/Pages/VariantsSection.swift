import Allot
import AllotAnalysis
import AllotConfiguration

/// The variants of an experiment and what they change, side by side.
enum VariantsSection {
    static func html(_ entry: CatalogEntry, _ exposures: ExperimentExposures?, _ links: PageLinks) -> String {
        let variants = entry.variants
        var settings: [(name: String, base: JSONValue?)] = []
        for change in variants.flatMap(\.changes)
        where !settings.contains(where: { UTF8Order.areEqual($0.name, change.name) }) {
            settings.append((change.name, change.base))
        }
        let total = exposures?.units.reduce(0, +) ?? 0
        let rows = settings.map { name, base in
            let cells = variants.map { variant -> PageValues in
                let change = variant.changes.first { UTF8Order.areEqual($0.name, name) }
                guard let change else { return ["same": true] }
                return ["changed": true, "value": ShownValue(change.value).values]
            }
            return ["name": name, "base": ShownValue(base).values, "cells": cells] as PageValues
        }
        return template.html([
            "link": links.to(.settings),
            "variants": variants.enumerated().map { index, variant in
                [
                    "key": variant.key, "won": variant.isWinner, "style": DailyUnitsPlot.style(index),
                    "description": variant.description ?? "", "share": variant.share ?? "everyone",
                    "units": exposures.map { NumberFormat.grouped($0.units[index]) } ?? "",
                    "part": exposures.flatMap {
                        total > 0 ? NumberFormat.percent(Double($0.units[index]) / Double(total), digits: 4) : nil
                    },
                ] as PageValues
            },
            "hasDescriptions": variants.contains { $0.description != nil },
            "hasUnits": total > 0, "rows": rows, "isEmpty": rows.isEmpty,
        ])
    }

    private static let template = PageTemplate(
        """
        <h2 id="variants">Variants</h2>
        <div class="scroll" tabindex="0" role="region" aria-label="Variants and what they change">
        <table class="list sides">
        <thead><tr><td></td><th scope="col">base</th>{{#variants}}<th scope="col"><span class="key {{style}}"></span>\
        {{key}}{{#won}} <span class="badge">won</span>{{/won}}</th>{{/variants}}</tr></thead>
        <tbody>
        {{#hasDescriptions}}<tr><th scope="row">About</th><td></td>\
        {{#variants}}<td>{{description}}</td>{{/variants}}</tr>
        {{/hasDescriptions}}
        <tr><th scope="row">Share</th><td></td>{{#variants}}<td>{{share}}</td>{{/variants}}</tr>
        {{#hasUnits}}<tr><th scope="row">Units</th><td></td>{{#variants}}<td>{{units}}{{#part}} \
        <span class="faint">({{part}})</span>{{/part}}</td>{{/variants}}</tr>{{/hasUnits}}
        {{#rows}}
        <tr><th scope="row"><code>{{name}}</code></th><td>{{#base}}\(ShownValue.template){{/base}}</td>{{#cells}}\
        <td{{#changed}} class="changed"{{/changed}}>{{#same}}<span class="faint">as base</span>{{/same}}\
        {{#value}}\(ShownValue.template){{/value}}</td>{{/cells}}</tr>
        {{/rows}}
        </tbody>
        </table>
        </div>
        {{#isEmpty}}<p>No variant changes a setting.</p>{{/isEmpty}}
        """)
}
