import AllotAnalysis
import AllotConfiguration
import AllotCore
internal import AllotExposures
import AllotReports

/// The exposures of an experiment: plots with their numbers, the ratio, and what is not counted.
enum ExposuresSection {
    private static let mostDays = 400
    private static let mostRandomisations = 50

    static func write(
        _ entry: CatalogEntry, _ exposures: ExperimentPage.Exposures, _ links: PageLinks, in page: inout Markup
    ) {
        page.h2("Exposures", id: "exposures")
        switch exposures {
        case .notRandomised: page.p("No unit is randomised, so there are no exposures to count.", class: "notice")
        case .noStore: page.p("No store of exposures is read for this page.", class: "notice")
        case .unreadable: page.p("The store of exposures cannot be read now; try again later.", class: "notice bad")
        case .read(let read, let others): write(read, others, of: entry, links, in: &page)
        }
    }

    private static func write(
        _ read: ExperimentExposures, _ others: [StoredRandomisation], of entry: CatalogEntry, _ links: PageLinks,
        in page: inout Markup
    ) {
        let address = links.to(.experiment(entry.key))
        if !read.isPresent {
            let present: Markup? = entry.experiment.salt == nil ? nil : "\(link: "The present one", to: address)."
            page.p("These are of another randomisation, with the salt \(code: read.salt). \(present)", class: "notice")
        }
        if let countedAt = read.countedAt { page.p("Counted at \(time: PageText.seconds(countedAt)).", class: "faint") }
        if read.days.isEmpty {
            page.p("No unit has met a variant yet.")
        } else {
            if links.form == .routes {
                let export = links.to(.exposures(entry.key, salt: read.salt))
                page.p("\(link: "Download CSV", to: export) \(faint: "of all counted exposures, a row for each")")
            }
            writeDays(read, in: &page)
        }
        if let period = read.main, let ratio = period.ratio { write(ratio, of: period, in: &page) }
        if !read.periods.isEmpty { writePeriods(read, in: &page) }
        writeGroups(read.winners + read.others, in: &page)
        guard !others.isEmpty else { return }
        page.h3("Other randomisations", id: "randomisations")
        page.list(
            others.suffix(mostRandomisations).map { other in
                let link = "\(address)?salt=\(PageLinks.encoded(other.salt))"
                let last = Instant(milliseconds: other.lastReceivedAt).minuteText
                return "\(link: "salt \(other.salt)", to: link), last exposure \(last)"
            })
    }

    private static func writeDays(_ read: ExperimentExposures, in page: inout Markup) {
        page.list(read.variants.enumerated().map { "\(PlotSeries($0).swatch)\($1)" }, class: "legend")
        page.plot(
            DailyUnitsPlot(variants: read.variants, days: read.days).picture,
            """
            First exposures by day: a unit has one for each variant that it met. Days end at midnight UTC; the last \
            one may still be going on.
            """)
        let cut = read.days.count - mostDays
        page.details("First exposures of each day") { details in
            details.numbers(
                "First exposures of each day\(cut > 0 ? ", without the first \(NumberFormat.grouped(cut)) days" : "")",
                region: "First exposures of each day", ["Day (UTC)"] + read.variants,
                read.days.suffix(mostDays).map { day in
                    [DayAxis.date(day.day)] + day.units.map { NumberFormat.grouped($0) }
                })
        }
    }

    private static func write(_ ratio: RatioHistory, of period: ExperimentExposures.Period, in page: inout Markup) {
        guard let last = ratio.days.last, let test = ratio.test else { return }
        page.h3("Ratio", id: "ratio")
        let period =
            period.isPresent
            ? "of the present revision" : period.revision.map { "of revision \($0)" } ?? "that name no revision"
        let crossing = ratio.crossing.map { "; it fell below that on \(DayAxis.date($0))" } ?? ""
        page.p(
            """
            Randomised units \(period): the always-valid test, which holds however often one looks, has \
            p = \(last.texts.sequential) (threshold \(ratio.thresholdText))\(crossing). A single look at all units \
            would find \(ratio.statistic ?? "").
            """)
        page.numbers(
            "Units and what the shares ask for", region: "Units and expected units",
            ["Variant", "Units", "Expected units", "Share", "Expected share", "Difference", "Residual (σ)"],
            ratio.shares.variants.enumerated().map { index, key in
                let (count, expected) = (last.totals[index], test.expected[index])
                return [
                    key, NumberFormat.grouped(count), NumberFormat.grouped(expected, 1),
                    NumberFormat.share(Double(count) / Double(max(last.totals.reduce(0, +), 1))),
                    NumberFormat.share(ratio.shares.shares[index]),
                    NumberFormat.difference(Double(count) - expected, 1),
                    test.residual(index).map { NumberFormat.difference($0, 2) } ?? "",
                ]
            })
        let shares = zip(ratio.shares.variants, ratio.shares.shares).map { "\($0) \(NumberFormat.share($1))" }
        page.element("div", ["class": "plots"]) { plots in
            plots.plot(
                SharesPlot(ratio: ratio).picture,
                """
                How far the share of each variant is from the one that it should have: \
                \(shares.joined(separator: ", ")). A healthy share is in the grey band, which narrows with the number \
                of units, with a probability of 95% on each day; the first days may lie outside the frame.
                """)
            plots.plot(
                EvidencePlot(ratio: ratio).picture,
                """
                p-values of the ratio. Thick: the always-valid test, which holds however often one looks. Thin: the \
                usual test, which is valid for a single look only and crosses the line by chance if one looks each \
                day. A mismatch is detected once the thick line has crossed.
                """)
        }
        page.details("The ratio of each day") { details in
            details.numbers(
                "Share of each variant so far, and p-values", region: "The ratio of each day",
                ["Day (UTC)"] + ratio.shares.variants + ["p, one look", "p, always valid"],
                ratio.days.suffix(mostDays).map { day in
                    let sum = Double(max(day.totals.reduce(0, +), 1))
                    let shares = day.totals.map { NumberFormat.share(Double($0) / sum) }
                    return [DayAxis.date(day.day)] + shares + [day.texts.fixed ?? "–", day.texts.sequential]
                })
        }
    }

    private static func writePeriods(_ read: ExperimentExposures, in page: inout Markup) {
        page.h3("By revision of the definition", id: "revisions")
        page.numbers(
            "Randomised units by the revision of their first exposure", region: "Units by revision",
            ["Revision", "First unit", "Last unit"] + read.variants + ["p of the ratio"],
            read.periods.map { period in
                let revision = (period.revision ?? "none given") + (period.isPresent ? " (present)" : "")
                return [revision, period.earliest.minuteText, period.latest.minuteText]
                    + period.units.map { NumberFormat.grouped($0) }
                    + [period.ratio.map { $0.days.last?.texts.sequential ?? "–" } ?? "not tested"]
            }, isBad: { read.periods[$0].isMismatch })
        if read.olderPeriods > 0 { page.p("And \(NumberFormat.grouped(read.olderPeriods)) more revisions.") }
    }

    private static func writeGroups(_ groups: [ExposureCounts.Group], in page: inout Markup) {
        guard !groups.isEmpty else { return }
        page.h3("Not randomised", id: "not-randomised")
        page.numbers(
            "Forced units, overrides on devices and units of the winner: not part of the ratio",
            region: "Units that are not randomised", ["Variant", "Reason", "Set on the device", "Units", "Use"],
            texts: [0, 1, 2, 4],
            groups.map { group in
                [
                    group.variant, group.reason, group.isOverridden ? "yes" : "no", NumberFormat.grouped(group.units),
                    group.isCounted ? "counted, not part of the ratio" : "not counted",
                ]
            })
    }
}
