import AllotAnalysis
import AllotConfiguration
import AllotCore
internal import AllotExposures
import AllotReports

/// The exposures of an experiment: plots with their numbers, the ratio, and what is not counted.
enum ExposuresSection {
    /// The most days of a table; exports have them all.
    private static let mostDays = 400
    /// The most other randomisations that are named.
    private static let mostRandomisations = 50

    static func html(_ entry: CatalogEntry, _ exposures: ExperimentPage.Exposures, _ links: PageLinks) -> String {
        guard case .read(let read, let others) = exposures else {
            let state: (text: String, isBad: Bool) =
                switch exposures {
                case .notRandomised: ("No unit is randomised, so there are no exposures to count.", false)
                case .noStore: ("No store of exposures is read for this page.", false)
                default: ("The store of exposures cannot be read now; try again later.", true)
                }
            return notice.html(["text": state.text, "bad": state.isBad])
        }
        let page = links.to(.experiment(entry.key))
        let isEmpty = read.days.isEmpty
        return template.html([
            "salt": read.salt, "isFormer": !read.isPresent, "hasPresent": entry.experiment.salt != nil,
            "isEmpty": isEmpty, "page": page, "countedAt": read.countedAt.map(PageText.seconds),
            "export": isEmpty || links.form == .files ? nil : links.to(.exposures(entry.key, salt: read.salt)),
            "other": others.suffix(mostRandomisations).map { other in
                [
                    "salt": other.salt, "link": "\(page)?salt=\(PageLinks.encoded(other.salt))",
                    "last": Instant(milliseconds: other.lastReceivedAt).minuteText,
                ] as PageValues
            },
            "hasOthers": !others.isEmpty,
            "legend": read.variants.enumerated().map { index, key in
                ["key": key, "swatch": PlotSeries(index).swatch] as PageValues
            },
            "units": isEmpty ? nil : DailyUnitsPlot(variants: read.variants, days: read.days).picture,
            "days": read.days.suffix(mostDays).map { day in
                [
                    "day": DayAxis.date(day.day), "units": day.units.map { NumberFormat.grouped($0) },
                ] as PageValues
            },
            "cut": read.days.count > mostDays ? NumberFormat.grouped(read.days.count - mostDays) : nil,
            "ratio": read.main.flatMap { period in period.ratio.flatMap { ratio($0, period) } },
            "olderPeriods": read.olderPeriods > 0 ? NumberFormat.grouped(read.olderPeriods) : nil,
            "hasPeriods": !read.periods.isEmpty, "periods": read.periods.map { self.period($0) },
            "groups": (read.winners + read.others).map { group in
                [
                    "variant": group.variant, "reason": group.reason,
                    "override": group.isOverridden ? "yes" : "no", "units": NumberFormat.grouped(group.units),
                    "use": group.isCounted ? "counted, not part of the ratio" : "not counted",
                ] as PageValues
            },
            "hasGroups": !(read.winners + read.others).isEmpty,
        ])
    }

    private static func ratio(_ ratio: RatioHistory, _ period: ExperimentExposures.Period) -> PageValues? {
        guard let last = ratio.days.last, let test = ratio.test else { return nil }
        let total = max(last.totals.reduce(0, +), 1)
        return [
            "which": period.isPresent
                ? "of the present revision"
                : period.revision.map { "of revision \($0)" } ?? "that name no revision",
            "statistic": ratio.statistic, "sequential": last.texts.sequential, "threshold": ratio.thresholdText,
            "crossing": ratio.crossing.map(DayAxis.date),
            "shares": SharesPlot(ratio: ratio).picture,
            "evidence": EvidencePlot(ratio: ratio).picture,
            "wanted": zip(ratio.shares.variants, ratio.shares.shares).map { "\($0) \(NumberFormat.share($1))" }
                .joined(separator: ", "),
            "variants": ratio.shares.variants.indices.map { index in
                [
                    "key": ratio.shares.variants[index], "observed": NumberFormat.grouped(last.totals[index]),
                    "expected": NumberFormat.grouped(test.expected[index], 1),
                    "share": NumberFormat.share(Double(last.totals[index]) / Double(total)),
                    "wanted": NumberFormat.share(ratio.shares.shares[index]),
                    "difference": NumberFormat.difference(Double(last.totals[index]) - test.expected[index], 1),
                    "residual": ratio.test?.residual(index).map { NumberFormat.difference($0, 2) } ?? "",
                ] as PageValues
            },
            "days": ratio.days.suffix(mostDays).map { day in
                let sum = Double(max(day.totals.reduce(0, +), 1))
                return [
                    "day": DayAxis.date(day.day),
                    "shares": day.totals.map { NumberFormat.share(Double($0) / sum) },
                    "fixed": day.texts.fixed ?? "–", "sequential": day.texts.sequential,
                ] as PageValues
            },
        ]
    }

    private static func period(_ period: ExperimentExposures.Period) -> PageValues {
        [
            "revision": period.revision ?? "none given", "isPresent": period.isPresent,
            "first": period.earliest.minuteText, "last": period.latest.minuteText,
            "units": period.units.map { NumberFormat.grouped($0) },
            "p": period.ratio.map { $0.days.last?.texts.sequential ?? "–" } ?? "not tested",
            "bad": period.isMismatch,
        ]
    }

    private static let notice = PageTemplate(
        """
        <h2 id="exposures">Exposures</h2>
        <p class="notice{{#bad}} bad{{/bad}}">{{text}}</p>
        """)

    private static let template = PageTemplate(
        """
        <h2 id="exposures">Exposures</h2>
        {{#isFormer}}<p class="notice">These are of another randomisation, with the salt <code>{{salt}}</code>. \
        {{#hasPresent}}<a href="{{page}}">The present one</a>.{{/hasPresent}}</p>{{/isFormer}}
        {{#countedAt}}<p class="faint">Counted at <time datetime="{{countedAt}}">{{countedAt}}</time>.</p>{{/countedAt}}
        {{#export}}<p><a href="{{export}}">Download CSV</a> <span class="faint">of all counted exposures, a row for \
        each</span></p>{{/export}}
        {{#isEmpty}}<p>No unit has met a variant yet.</p>{{/isEmpty}}
        {{#units}}
        <ul class="legend">{{#legend}}<li>{{{swatch}}}{{key}}</li>{{/legend}}</ul>
        <figure>{{{units}}}
        <figcaption>First exposures by day: a unit has one for each variant that it met. Days end at midnight UTC; the \
        last one may still be going on.</figcaption></figure>
        <details><summary>First exposures of each day</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="First exposures of each day">
        <table><caption>First exposures of each day{{#cut}}, without the first {{cut}} days{{/cut}}</caption>
        <thead><tr><th scope="col" class="text">Day (UTC)</th>{{#legend}}<th scope="col">{{key}}</th>{{/legend}}\
        </tr></thead>
        <tbody>
        {{#days}}<tr><th scope="row" class="text">{{day}}</th>{{#units}}<td>{{.}}</td>{{/units}}</tr>
        {{/days}}
        </tbody></table></div></details>
        {{/units}}
        {{#ratio}}
        <h3 id="ratio">Ratio</h3>
        <p>Randomised units {{which}}: the always-valid test, which holds however often one looks, has \
        p = {{sequential}} (threshold {{threshold}}){{#crossing}}; it fell below that on {{crossing}}{{/crossing}}. \
        A single look at all units would find {{statistic}}.</p>
        <div class="scroll" tabindex="0" role="region" aria-label="Units and expected units">
        <table><caption>Units and what the shares ask for</caption>
        <thead><tr><th scope="col" class="text">Variant</th><th scope="col">Units</th>\
        <th scope="col">Expected units</th>\
        <th scope="col">Share</th><th scope="col">Expected share</th><th scope="col">Difference</th>\
        <th scope="col">Residual (σ)</th></tr></thead>
        <tbody>
        {{#variants}}<tr><th scope="row" class="text">{{key}}</th><td>{{observed}}</td><td>{{expected}}</td>\
        <td>{{share}}</td><td>{{wanted}}</td><td>{{difference}}</td><td>{{residual}}</td></tr>
        {{/variants}}
        </tbody></table></div>
        <div class="plots">
        <figure>{{{shares}}}
        <figcaption>How far the share of each variant is from the one that it should have: {{wanted}}. A healthy \
        share is in the grey band, which narrows with the number of units, with a probability of 95% on each day; the \
        first days may lie outside the frame.</figcaption></figure>
        <figure>{{{evidence}}}
        <figcaption>p-values of the ratio. Thick: the always-valid test, which holds however often one looks. Thin: \
        the usual test, which is valid for a single look only and crosses the line by chance if one looks each day. A \
        mismatch is detected once the thick line has crossed.</figcaption></figure>
        </div>
        <details><summary>The ratio of each day</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="The ratio of each day">
        <table><caption>Share of each variant so far, and p-values</caption>
        <thead><tr><th scope="col" class="text">Day (UTC)</th>{{#variants}}<th scope="col">{{key}}</th>{{/variants}}\
        <th scope="col">p, one look</th><th scope="col">p, always valid</th></tr></thead>
        <tbody>
        {{#days}}<tr><th scope="row" class="text">{{day}}</th>{{#shares}}<td>{{.}}</td>{{/shares}}<td>{{fixed}}</td>\
        <td>{{sequential}}</td></tr>
        {{/days}}
        </tbody></table></div></details>
        {{/ratio}}
        {{#hasPeriods}}
        <h3 id="revisions">By revision of the definition</h3>
        <div class="scroll" tabindex="0" role="region" aria-label="Units by revision">
        <table><caption>Randomised units by the revision of their first exposure</caption>
        <thead><tr><th scope="col" class="text">Revision</th><th scope="col">First unit</th>\
        <th scope="col">Last unit</th>\
        {{#legend}}<th scope="col">{{key}}</th>{{/legend}}<th scope="col">p of the ratio</th></tr></thead>
        <tbody>
        {{#periods}}<tr><th scope="row" class="text"><code>{{revision}}</code>\
        {{#isPresent}} (present){{/isPresent}}</th>\
        <td>{{first}}</td><td>{{last}}</td>{{#units}}<td>{{.}}</td>{{/units}}\
        <td{{#bad}} class="bad"{{/bad}}>{{p}}</td></tr>
        {{/periods}}
        </tbody></table></div>
        {{#olderPeriods}}<p>And {{olderPeriods}} more revisions.</p>{{/olderPeriods}}
        {{/hasPeriods}}
        {{#hasGroups}}
        <h3 id="not-randomised">Not randomised</h3>
        <div class="scroll" tabindex="0" role="region" aria-label="Units that are not randomised">
        <table><caption>Forced units, overrides on devices and units of the winner: not part of the ratio</caption>
        <thead><tr><th scope="col" class="text">Variant</th><th scope="col" class="text">Reason</th>\
        <th scope="col" class="text">Set on the device</th><th scope="col">Units</th>\
        <th scope="col" class="text">Use</th>\
        </tr></thead>
        <tbody>
        {{#groups}}<tr><th scope="row" class="text">{{variant}}</th><td class="text">{{reason}}</td>\
        <td class="text">{{override}}</td><td>{{units}}</td><td class="text">{{use}}</td></tr>
        {{/groups}}
        </tbody></table></div>
        {{/hasGroups}}
        {{#hasOthers}}
        <h3 id="randomisations">Other randomisations</h3>
        <ul>{{#other}}<li><a href="{{link}}">salt {{salt}}</a>, last exposure {{last}}</li>{{/other}}</ul>
        {{/hasOthers}}
        """)
}
