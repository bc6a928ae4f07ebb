import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotExposures
import AllotPages
import AllotServing

/// `/experiments/{key}`: everything about one experiment. `salt` selects another randomisation, and `dialect` the
/// SQL of a warehouse; the other items are a change to try out.
struct ExperimentRoutes: Sendable {
    let allot: AllotService
    let proposals: ChangeProposals?
    private let histories = CountCache<Randomisation, Counted>(capacity: 64)
    /// The stored exposures of one randomisation; `nil` for an experiment that is not randomised.
    private typealias Reading = (salt: String, isPresent: Bool, value: ExposureHistory, others: [StoredRandomisation])?
    private typealias Counted = (reading: Reading, at: Instant)

    private struct Randomisation: Hashable {
        let experiment: String
        let present: UTF8Key?
        let asked: UTF8Key?
    }

    var routes: [Route] {
        let path = "/experiments/{key}"
        let page = allot.formRoute(
            "GET", path, .explain, query: ["dialect", "salt"] + ExperimentForm.Item.all
        ) { page in
            let entry = try entry(page)
            return try await self.page(of: entry, page, change: try await outcome(page, entry))
        }
        guard let proposals else { return [page] }
        let patch = allot.pageRoute(path + "/patch", query: ExperimentForm.Item.all) { page in
            let entry = try entry(page)
            guard let form = try form(page, entry) else {
                throw RequestFailure(.badRequest, "the query names no change; send status, traffic or another item")
            }
            return try answer(try await proposals.make(form, at: page.frame.instant))
        }
        guard allot.writes(with: proposals) else { return [page, patch] }
        let writing = Route("POST", path, .edit, from: .person, body: .form) { request in
            let page = PageRequest(request, in: allot)
            let key = try entry(page).key
            guard let form = ExperimentForm(key, try request.form()), !form.confirmation.isEmpty else {
                throw RequestFailure(
                    .badRequest, "the form confirms no change; try it on the page of the experiment first")
            }
            let outcome = try await allot.write(form, by: allot.editor(request), with: proposals, page)
            let next = PageRequest(request, in: allot)
            return next.answer(
                try await self.page(of: entry(next), next, change: outcome), referrerPolicy: "same-origin")
        }
        return [page, patch, writing]
    }

    private func entry(_ page: PageRequest) throws -> CatalogEntry {
        let key = try page.request.component()
        guard let entry = page.catalog.experiment(key) else { throw page.active.unknownExperiment(key) }
        return entry
    }

    private func page(
        of entry: CatalogEntry, _ page: PageRequest, change: ChangeOutcome<ExperimentForm>?
    ) async throws -> Page {
        let items = page.request.query
        let dialects = ExperimentPage.dialects
        if let dialect = items["dialect"], !dialect.isEmpty, !dialects.contains(dialect) {
            throw RequestFailure(
                .badRequest, "there is no dialect \(QuotedText(dialect)); there are \(dialects.joined(separator: ", "))"
            )
        }
        return ExperimentPage.make(
            entry, try await exposures(of: entry, items["salt"]), dialect: items["dialect"],
            warnings: page.catalog.warnings(about: entry.key), canChange: proposals != nil, change: change,
            in: page.frame)
    }

    private func form(_ page: PageRequest, _ entry: CatalogEntry) throws -> ExperimentForm? {
        guard ExperimentForm(entry.key, page.request.query.map { (name: $0.key, value: $0.value) }) != nil else {
            return nil
        }
        return ExperimentForm(entry.key, try page.askedItems(with: proposals))
    }

    /// The outcome of the change in the query, which bearers of the scope `edit` can confirm; `nil` without a change.
    private func outcome(_ page: PageRequest, _ entry: CatalogEntry) async throws -> ChangeOutcome<ExperimentForm>? {
        guard let form = try form(page, entry), let proposals else { return nil }
        let bearer =
            allot.writes(with: proposals) ? allot.tokens?.current.bearer(of: .edit, page.request, from: .person) : nil
        return try await proposals.outcome(of: form, for: bearer, at: page.frame.instant)
    }

    private func answer(_ proposal: ChangeProposal<ExperimentForm>) throws(RequestFailure) -> HTTPAnswer {
        guard let patch = proposal.patch else {
            let finding = proposal.findings.first?.lines.joined(separator: "; ")
            throw RequestFailure(
                .badRequest,
                proposal.problem ?? (proposal.isUnchanged ? "nothing would change" : finding ?? "there is no change"))
        }
        return HTTPAnswer(
            headers: [
                ("Content-Type", "text/x-diff; charset=utf-8"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
                // A key has letters, digits, dots, hyphens and underscores only.
                ("Content-Disposition", "attachment; filename=\"\(proposal.form.key).patch\""),
            ], body: patch)
    }

    private func exposures(
        of entry: CatalogEntry, _ salt: String?
    ) async throws(RequestFailure) -> ExperimentPage.Exposures {
        guard let exposures = allot.exposures else { return .noStore }
        let experiment = entry.experiment
        let randomisation = Randomisation(
            experiment: experiment.key, present: experiment.salt.map(UTF8Key.init), asked: salt.map(UTF8Key.init))
        do throws(RequestFailure) {
            let counted = try await histories.count(of: randomisation) { () throws(RequestFailure) in
                let countedAt = allot.now()
                let reading: Reading = try await exposures.readingRandomisation(
                    of: experiment.key, experiment, salt: salt
                ) { try await $0.history(experiment: experiment.key, salt: $1) }
                return (reading, countedAt)
            }
            guard let read = counted.reading else { return .notRandomised }
            var known = ExperimentExposures(experiment, salt: read.salt, read.value, level: entry.plan.ratioLevel)
            known.countedAt = counted.at
            return .read(known, others: read.others)
        } catch {
            guard error.code == .serviceUnavailable else { throw error }
            return .unreadable
        }
    }
}
