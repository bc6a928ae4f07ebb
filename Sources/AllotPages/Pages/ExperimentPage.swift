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
        /// No exposures are read.
        case noStore
        /// The experiment randomises nothing, and never did.
        case notRandomised
        /// The store cannot be read now.
        case unreadable
        /// The exposures of one randomisation, and the other ones of which exposures are stored.
        case read(ExperimentExposures, others: [StoredRandomisation])
    }

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - dialect: the warehouse whose statement is shown; `nil` for none.
    ///   - warnings: the warnings about the file of the experiment.
    ///   - history: the changes of its definition, the last one first; `nil` if they are not known.
    ///   - canChange: whether a change can be tried out.
    ///   - change: the answer to the form of a change; `nil` before one is sent.
    package static func make(
        _ entry: CatalogEntry, _ exposures: Exposures, dialect: String? = nil, warnings: [DefinitionProblem] = [],
        history: [FolderChanges.Change]? = nil, canChange: Bool = false,
        change: ChangeOutcome<ExperimentForm>? = nil, in frame: PageFrame
    ) -> Page {
        let links = frame.links
        var read: ExperimentExposures?
        if case .read(let exposures, _) = exposures { read = exposures }
        return Page(
            entry.key, below: [Page.Breadcrumb("Experiments", .overview)], part: .experiments, template,
            [
                "description": entry.description, "schedule": entry.schedule,
                "warnings": WarningsSection.html(warnings) { _ in nil },
                "owner": entry.owner, "traffic": entry.traffic,
                "randomisation": entry.randomisation, "unit": entry.experiment.unit,
                "revision": entry.experiment.revision,
                "next": entry.nextBoundary.map { boundary in
                    "\(boundary.event), \(boundary.instant.shortText), "
                        + CatalogEntry.distance(to: boundary.instant, from: entry.instant)
                },
                "layer": entry.layer, "layerLink": entry.layer.map { links.to(.layer($0)) }, "slots": entry.slots,
                "holdouts": entry.holdouts.map { holdout in
                    [
                        "name": holdout.name, "link": links.to(.holdout(holdout.name)),
                        "share": holdout.hash.percentage(of: holdout.share),
                    ] as PageValues
                },
                "hasHoldouts": !entry.holdouts.isEmpty,
                "requirements": entry.definition.requirements.enumerated().map { index, requirement in
                    [
                        "text": entry.requirements[index], "link": links.to(.experiment(requirement.experiment)),
                    ] as PageValues
                },
                "hasRequirements": !entry.definition.requirements.isEmpty,
                "forced": entry.forcedCount > 0 ? counted(entry.forcedCount, "unit") : nil,
                "verdict": verdict(entry, exposures),
                "variants": VariantsSection.html(entry, read, links),
                "exposures": ExposuresSection.html(entry, exposures, links),
                "timeline": ScheduleSection.html(entry),
                "audience": entry.audience.isEmpty ? nil : entry.audience.joined(separator: "\n"),
                "analysis": AnalysisSection.html(entry, dialect, links),
                "change": canChange ? ChangeSection.html(entry, change, links) : nil,
                "hasHistory": history != nil,
                "history": history?.map { change in
                    let commit = change.commit
                    var effect = Markup()
                    HTMLRenderer().write(change.blocks, level: 4, in: &effect)
                    return [
                        "when": commit.committed.text(.minutes), "author": commit.author, "commit": commit.shortID,
                        "message": commit.subject, "effect": effect.text,
                        "revision": change.revision.map { "revision \($0)" } ?? "removed",
                    ] as PageValues
                },
            ])
    }

    /// The number of units, and whether their ratio can be trusted.
    private static func verdict(_ entry: CatalogEntry, _ exposures: Exposures) -> PageValues? {
        guard case .read(let read, _) = exposures else { return nil }
        let total = read.units.reduce(0, +)
        guard total > 0 else { return nil }
        // Of a unit that met several variants, each variant has a first exposure.
        let units =
            read.unitsInSeveralVariants == 0
            ? "\(NumberFormat.countedInGroups(total, "unit")) met a variant"
            : NumberFormat.countedInGroups(total, "first exposure")
        var sentences: [String] = []
        if let period = read.decisive, let ratio = period.ratio {
            sentences.append(
                period.isPresent && period.units.allSatisfy { $0 == 0 }
                    ? "no unit was randomised first under the present revision yet"
                    : ratio.sentence.withoutColon + revisionNote(period))
        } else if read.periods.isEmpty {
            sentences.append("none of them was randomised, so there is no ratio to test")
        } else {
            sentences.append(
                entry.variants.count < 2
                    ? "there is one variant, so there is no ratio to test"
                    : "the ratio is not tested: all are of former revisions, whose shares are not known here")
        }
        let wrong = read.unitsWronglyInSeveralVariants
        let several = [
            (wrong, ", which should not happen"),
            (
                read.unitsInSeveralVariants - wrong,
                ": they were reassigned when shares changed, or got the winner"
            ),
        ]
        for (count, note) in several where count > 0 {
            sentences.append("\(NumberFormat.countedInGroups(count, "unit")) met more than one variant\(note)")
        }
        let isBad = read.isMismatch || wrong > 0
        return [
            "class": isBad ? "verdict bad" : "verdict", "units": units,
            "sentences": sentences.map(PageText.capitalised),
        ]
    }

    private static func revisionNote(_ period: ExperimentExposures.Period) -> String {
        if period.isPresent { return "" }
        return period.revision.map { " (of revision \($0))" } ?? " (of units that name no revision)"
    }

    private static let template = PageTemplate(
        """
        {{#description}}<p class="lead" dir="auto">{{description}}</p>{{/description}}
        {{#verdict}}<p class="{{class}}"><strong>{{units}}.</strong> {{#sentences}}{{.}}. {{/sentences}}</p>
        {{/verdict}}
        <dl>
        <dt>Status</dt><dd>{{schedule}}</dd>
        {{#next}}<dt>Next</dt><dd>{{next}}</dd>{{/next}}
        <dt>Owner</dt><dd dir="auto">{{#owner}}{{owner}}{{/owner}}{{^owner}}none{{/owner}}</dd>
        {{#traffic}}<dt>Traffic</dt><dd>{{traffic}}</dd>{{/traffic}}
        <dt>Randomised</dt><dd>{{randomisation}}</dd>
        {{#layer}}<dt>Layer</dt><dd><a href="{{layerLink}}">{{layer}}</a>, slots {{slots}}</dd>{{/layer}}
        {{#hasHoldouts}}<dt>Holdouts</dt><dd>{{#holdouts}}<a href="{{link}}">{{name}}</a> keeps {{share}} out \
        {{/holdouts}}</dd>{{/hasHoldouts}}
        {{#hasRequirements}}<dt>Requires</dt><dd>{{#requirements}}<a href="{{link}}">{{text}}</a> {{/requirements}}\
        </dd>{{/hasRequirements}}
        {{#forced}}<dt>Forced</dt><dd>{{forced}} of the definition, never counted</dd>{{/forced}}
        <dt>Revision</dt><dd><code>{{revision}}</code></dd>
        </dl>
        {{{warnings}}}
        {{{variants}}}
        {{{exposures}}}
        <h2 id="audience">Audience</h2>
        {{#audience}}<pre tabindex="0">{{audience}}</pre>{{/audience}}
        {{^audience}}<p>Everyone{{#unit}} who has a <code>{{unit}}</code>{{/unit}}.</p>{{/audience}}
        {{{timeline}}}
        {{{analysis}}}
        {{{change}}}
        {{#hasHistory}}
        <h2 id="history">History of the definition</h2>
        {{#history}}
        <h3>{{when}} <bdi>{{message}}</bdi></h3>
        <p class="faint"><bdi>{{author}}</bdi>, commit <code>{{commit}}</code>, {{revision}}</p>
        {{{effect}}}
        {{/history}}
        {{/hasHistory}}
        """)
}

extension String {
    /// The text without the colon that ends the headline of a report.
    fileprivate var withoutColon: String { hasSuffix(": ") ? String(dropLast(2)) : self }
}
