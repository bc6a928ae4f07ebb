import AllotConfiguration
import AllotCore
import AllotExposures
import AllotPages
import AllotServer
import AllotServing
import Hummingbird

/// `/`, `/layers/{name}` and `/holdouts/{name}`: what runs now and next.
struct OverviewRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    /// By the revision of the plan.
    private let summaries = CountCache<String, ExposureSummary>(capacity: 2)

    func add(to group: RouterGroup<Context>) {
        environment.pageRoute(.get, "/", .explain, on: group) { page in
            let items = try environment.reading.query(page.request, OverviewQuery.names)
            let query: OverviewQuery = try environment.read(items, OverviewQuery.init)
            if let experiment = query.key.flatMap({ page.active.experiment($0) }) {
                return Response(seeing: page.links.to(.experiment(experiment.key)))
            }
            let overview = OverviewPage(
                page.catalog, in: page.frame, query, exposures: await exposures(to: page.active.plan),
                storeFailure: storeFailure)
            return Response(overview.page, in: page.frame)
        }
        addList("layers/:name", of: "layer", to: group) { LayerPage.make($0, $1, $2, page: $3) }
        addList("holdouts/:name", of: "holdout", to: group) { HoldoutPage.make($0, $1, $2, page: $3) }
    }

    /// Adds the page of a layer or a holdout, with the list of its members.
    private func addList(
        _ path: String, of kind: String, to group: RouterGroup<Context>,
        _ make: @Sendable @escaping (String, Catalog, PageLinks, Int) -> Page?
    ) {
        environment.page(path, on: group) { page in
            let name = try environment.reading.pathComponent("name", page.context)
            let number = try environment.read(
                environment.reading.query(page.request, ["page"]), OverviewQuery.page)
            guard let list = make(name, page.catalog, page.links, number) else {
                throw RequestFailure(.notFound, "there is no \(kind) \(QuotedText(name))")
            }
            return list
        }
    }

    private func exposures(to plan: Plan) async -> KnownExposures {
        guard let exposures = environment.allot.exposures else { return .none }
        do throws(RequestFailure) {
            return .counted(
                try await summaries.count(of: plan.revision) { () throws(RequestFailure) in
                    try await ExposureSummary(try await exposures.totals(), of: plan) {
                        experiments throws(RequestFailure) in
                        try await exposures.histories(of: experiments)
                    }
                })
        } catch {
            return .unreadable
        }
    }

    private var storeFailure: String? {
        guard case .failing(let message, let since)? = environment.allot.exposures?.health else { return nil }
        return "\(message) (since \(since.shortText))"
    }
}
