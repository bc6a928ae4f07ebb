import AllotAnalysis
import AllotConfiguration
import AllotCore
package import AllotDefinitions
package import AllotExposures
package import AllotGit
import AllotReports

/// `/experiments/{key}`: everything about one experiment.
package enum ExperimentPage {
    /// The exposures of the experiment, as far as they are known.
    package enum Exposures: Sendable {
        case noStore
        /// The experiment randomises nothing, and never did.
        case notRandomised
        case unreadable
        /// The exposures of one randomisation, and the other ones of which exposures are stored.
        case read(ExperimentExposures, others: [StoredRandomisation])
    }

    /// Makes the page. `dialect` is the warehouse whose statement is shown, `history` the changes with the last one
    /// first, and `change` the answer to the form of a change.
    package static func make(
        _ entry: CatalogEntry, _ exposures: Exposures, dialect: String? = nil, warnings: [DefinitionProblem] = [],
        history: [FolderChanges.Change]? = nil, canChange: Bool = false,
        change: ChangeOutcome<ExperimentForm>? = nil, in frame: PageFrame
    ) -> Page {
        let links = frame.links
        var read: ExperimentExposures?
        if case .read(let exposures, _) = exposures { read = exposures }
        return Page(entry.key, below: ("Experiments", .overview), part: .experiments) { page in
            page.description(entry.description, class: "lead")
            if let read { writeVerdict(entry, read, in: &page) }
            page.element("dl") { writeFacts(entry, links, in: &$0) }
            WarningsSection.write(warnings, in: &page)
            VariantsSection.write(entry, read, links, in: &page)
            ExposuresSection.write(entry, exposures, links, in: &page)
            page.h2("Audience", id: "audience")
            if entry.audience.isEmpty {
                let unit = entry.experiment.draw?.unitAttributes.joined(separator: " and ")
                let condition: Markup? = unit.map { " who has a \(code: $0)" }
                page.p("Everyone\(condition).")
            } else {
                page.pre(entry.audience.joined(separator: "\n"))
            }
            ScheduleSection.write(entry, in: &page)
            AnalysisSection.write(entry, dialect, links, in: &page)
            if canChange { ChangeSection.write(entry, change, links, in: &page) }
            if let history { writeHistory(history, in: &page) }
        }
    }

    private static func writeFacts(_ entry: CatalogEntry, _ links: PageLinks, in list: inout Markup) {
        list.fact("Status", "\(entry.schedule)")
        if let next = entry.nextBoundary {
            let distance = CatalogEntry.distance(to: next.instant, from: entry.instant)
            list.fact("Next", "\(next.event), \(next.instant.shortText), \(distance)")
        }
        list.fact("Owner", ["dir": "auto"]) { $0.write(entry.owner ?? "none") }
        if let traffic = entry.traffic { list.fact("Traffic", "\(traffic)") }
        list.fact("Randomised", "\(entry.randomisation)")
        if let choice = entry.experiment.randomisation { list.fact("Salt", "\(choice.words)") }
        if let window = entry.windowText { list.fact("Window", "\(window)") }
        if let layer = entry.layer {
            list.fact("Layer", "\(link: layer, to: links.to(.layer(layer))), slots \(entry.slots ?? "")")
        }
        list.fact(
            "Holdouts",
            each: entry.holdouts.map { holdout in
                let share = holdout.hash.percentage(of: holdout.share)
                return "\(link: holdout.name, to: links.to(.holdout(holdout.name))) keeps \(share) out"
            })
        list.fact(
            "Requires",
            each: zip(entry.experiment.requirements, entry.requirements).map { requirement, text in
                "\(link: text, to: links.to(.experiment(requirement.experiment)))"
            })
        if entry.forcedCount > 0 {
            list.fact("Forced", "\(counted(entry.forcedCount, "unit")) of the definition, never counted")
        }
        list.fact("Revision", "\(code: entry.experiment.revision)")
    }

    private static func writeHistory(_ history: [FolderChanges.Change], in page: inout Markup) {
        page.h2("History of the definition", id: "history")
        for change in history {
            let commit = change.commit
            let revision = change.revision.map { "revision \($0)" } ?? "removed"
            page.h3("\(commit.committed.text(.minutes)) \(name: commit.subject)")
            page.p("\(name: commit.author), commit \(code: commit.shortID), \(revision)", class: "faint")
            HTMLRenderer().write(change.blocks, level: 4, in: &page)
        }
    }

    /// Writes the number of units, and whether their ratio can be trusted; nothing if there are none.
    private static func writeVerdict(_ entry: CatalogEntry, _ read: ExperimentExposures, in page: inout Markup) {
        let total = read.units.reduce(0, +)
        guard total > 0 else { return }
        // A unit counts once in each window of a period.
        let noun = entry.experiment.draw?.period == nil ? "unit" : "unit-window"
        // Of a unit that met several variants, each variant has a first exposure.
        let units =
            read.unitsInSeveralVariants == 0
            ? "\(NumberFormat.countedInGroups(total, noun)) met a variant"
            : NumberFormat.countedInGroups(total, "first exposure")
        let test =
            if let period = read.decisive, let ratio = period.ratio {
                period.isPresent && period.units.allSatisfy { $0 == 0 }
                    ? "no unit was randomised first under the present revision yet"
                    : ratio.sentence.withoutColon + revisionNote(period)
            } else if read.periods.isEmpty {
                "none of them was randomised, so there is no ratio to test"
            } else if entry.variants.count < 2 {
                "there is one variant, so there is no ratio to test"
            } else {
                "the ratio is not tested: all are of former revisions, whose shares are not known here"
            }
        var sentences = [test]
        let wrong = read.unitsWronglyInSeveralVariants
        let several = [
            (wrong, ", which should not happen"),
            (read.unitsInSeveralVariants - wrong, ": they were reassigned when shares changed, or got the winner"),
        ]
        for (count, note) in several where count > 0 {
            sentences.append("\(NumberFormat.countedInGroups(count, noun)) met more than one variant\(note)")
        }
        let isBad = read.isMismatch || wrong > 0
        page.element("p", ["class": isBad ? "verdict bad" : "verdict"]) { verdict in
            verdict.element("strong", "\(units).")
            for sentence in sentences { verdict.write(" \(PageText.capitalised(sentence)).") }
        }
    }

    private static func revisionNote(_ period: ExperimentExposures.Period) -> String {
        if period.isPresent { return "" }
        return period.revision.map { " (of revision \($0))" } ?? " (of units that name no revision)"
    }
}

extension String {
    /// The text without the colon that ends the headline of a report.
    fileprivate var withoutColon: String { hasSuffix(": ") ? String(dropLast(2)) : self }
}

extension ChosenRandomisation {
    /// The rule that chose the salt, the covariates, and the candidates that were tried.
    fileprivate var words: String {
        let chosen =
            switch rule {
            case .accept(let share): "the first among the best \(NumberFormat.percent(share)) of all salts"
            case .tries(let count): "the best of \(NumberFormat.countedInGroups(count, "candidate"))"
            }
        return "chosen for balance in \(balance.listed(atMost: 8)): \(chosen), \(NumberFormat.grouped(tried)) tried"
    }
}
