import AllotConfiguration
import AllotCore
import AllotExposures
import AllotPages
import AllotServing

/// `/`, `/layers/{name}` and `/holdouts/{name}`: what runs now and next.
struct OverviewRoutes: Sendable {
    let allot: AllotService
    /// By the revision of the plan.
    private let summaries = CountCache<String, ExposureSummary>(capacity: 2)

    var routes: [Route] {
        [
            allot.pageRoute("/", query: OverviewQuery.names) { page in
                let query: OverviewQuery = try page.read(OverviewQuery.init)
                if let experiment = query.key.flatMap({ page.active.experiment($0) }) {
                    return page.answer(seeing: .experiment(experiment.key))
                }
                let overview = OverviewPage(
                    page.catalog, in: page.frame, query, exposures: await exposures(to: page.active.plan),
                    storeFailure: storeFailure)
                return page.answer(overview.page)
            },
            list("/layers/{name}", of: "layer") { LayerPage.make($0, $1, $2, page: $3) },
            list("/holdouts/{name}", of: "holdout") { HoldoutPage.make($0, $1, $2, page: $3) },
        ]
    }

    private func list(
        _ path: String, of kind: String, _ make: @Sendable @escaping (String, Catalog, PageLinks, Int) -> Page?
    ) -> Route {
        allot.pageRoute(path, query: ["page"]) { page in
            let name = try page.request.component()
            let number = try page.read(OverviewQuery.page)
            guard let list = make(name, page.catalog, page.links, number) else {
                throw RequestFailure(.notFound, "there is no \(kind) \(QuotedText(name))")
            }
            return page.answer(list)
        }
    }

    private func exposures(to plan: Plan) async -> KnownExposures {
        guard let exposures = allot.exposures else { return .none }
        do throws(RequestFailure) {
            return .counted(
                try await summaries.count(of: plan.revision) { () throws(RequestFailure) in
                    let countedAt = allot.now()
                    var summary = try await ExposureSummary(
                        try await exposures.reading { try await $0.totals() }, of: plan
                    ) { experiments throws(RequestFailure) in
                        // All at one moment.
                        try await exposures.reading {
                            try await $0.histories(byExperiment: experiments.map { ($0.key, $0.salt) })
                        }
                    }
                    summary.countedAt = countedAt
                    return summary
                })
        } catch { return .unreadable }
    }

    private var storeFailure: String? {
        guard case .failing(let message, let since)? = allot.exposures?.health else { return nil }
        return "\(message) (since \(Instant(milliseconds: since).shortText))"
    }
}
