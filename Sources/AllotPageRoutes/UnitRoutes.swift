import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotExposures
import AllotPages
import AllotServing

extension AllotService {
    /// `/units/{id}`: everything that one unit gets, and why; `/units` with the form for it.
    var unitPages: [Route] {
        ["/units", "/units/{id}"].map { path in
            pageRoute(path) { page in
                let (last, items) = try query(page.request.target)
                let id = path == "/units" ? items.last { $0.name == UnitPage.Field.id }?.value : last
                return page.answer(try await unitPage(page, id, items))
            }
        }
    }

    /// Reads what the form, or a link, sends: attributes as lines of one item, and each other item an attribute.
    private func unitPage(
        _ page: PageRequest, _ id: String?, _ items: [(name: String, value: String)]
    ) async throws -> Page {
        let plan = page.active.plan
        let units = UnitPage.otherUnits(of: plan)
        var form = UnitPage.Form()
        form.id = id ?? ""
        form.names = plan.attributes.names
        form.experiment = items.last { $0.name == UnitPage.Field.experiment }?.value ?? ""
        form.instant = items.last { $0.name == UnitPage.Field.instant }?.value ?? ""
        form.otherUnits = units.map { name in (name, items.last { $0.name == name }?.value ?? "") }
        let others = items.filter { !UnitPage.Field.all.contains($0.name) && !units.contains($0.name) }
        let lines = items.filter { $0.name == UnitPage.Field.attributes }.flatMap { UnitPage.lines(of: $0.value) }
        form.attributes = (lines + others.map { "\($0.name)=\($0.value)" }).joined(separator: "\n")
        guard let id, !id.isEmpty else { return UnitPage.make(form, nil, in: page.frame) }
        do {
            try checkUnit(id.utf8.count)
            let pairs = lines + (others + form.otherUnits.filter { !$0.value.isEmpty }).map { "\($0.name)=\($0.value)" }
            let sent = try WrittenSubject(arguments: ["\(Subject.defaultUnit)=\(id)"] + pairs).subject
            let subject = try await page.request.completing(sent)
            guard let instant = form.instant.isEmpty ? page.frame.instant : Instant(form.instant) else {
                throw RequestFailure(.badRequest, "\(QuotedText(form.instant)) \(Instant.fault(of: form.instant))")
            }
            guard form.experiment.isEmpty || page.active.experiment(form.experiment) != nil else {
                throw page.active.unknownExperiment(form.experiment)
            }
            let answer = UnitPage.Answer(
                subject, in: plan, at: instant, experiments: form.experiment.isEmpty ? nil : [form.experiment],
                sent: sent)
            return UnitPage.make(
                form, answer, exposures: await storedExposures(of: answer, id: id), canOverride: makesOverrides,
                in: page.frame)
        } catch let error as SubjectError {
            form.problem = error.description
        } catch let failure as RequestFailure { form.problem = failure.message }
        return UnitPage.make(form, nil, in: page.frame)
    }

    func storedExposures(of answer: UnitPage.Answer, id: String) async -> UnitPage.Exposures {
        guard let exposures else { return .noStore }
        do throws(RequestFailure) {
            return .read(
                try await exposures.reading { store in
                    var found: [Exposure] = []
                    for unit in answer.units(id) { found += try await store.exposures(ofUnit: unit) }
                    return found
                })
        } catch { return .unreadable }
    }
}
