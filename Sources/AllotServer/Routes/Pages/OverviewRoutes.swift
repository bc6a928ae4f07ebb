import AllotCatalog
import AllotConfiguration
import AllotCore
import AllotExposures
import AllotServing
import Hummingbird

/// `/`, `/layers/{name}` and `/holdouts/{name}`: what runs now and next.
struct OverviewRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    /// By the revision of the plan.
    private let summaries = CountCache<String, ExposureSummary>(capacity: 2)

    func add(to group: RouterGroup<Context>) {
        environment.page(
            "/", on: group,
            elsewhere: { page in
                try query(page).key.flatMap { page.active.experiment($0) }.map { PagePlace.experiment($0.key) }
            },
            { page in
                OverviewPage(
                    page.catalog, in: page.frame, try query(page), exposures: await exposures(to: page.active.plan),
                    storeFailure: storeFailure
                ).page
            })
        environment.page("layers/:name", on: group) { page in
            let name = try environment.reading.pathComponent("name", page.context)
            let number = try number(of: page)
            guard let layer = LayerPage.make(name, page.catalog, page.links, page: number) else {
                throw RequestFailure(.notFound, "there is no layer \(QuotedText(name))")
            }
            return layer
        }
        environment.page("holdouts/:name", on: group) { page in
            let name = try environment.reading.pathComponent("name", page.context)
            let number = try number(of: page)
            guard let holdout = HoldoutPage.make(name, page.catalog, page.links, page: number) else {
                throw RequestFailure(.notFound, "there is no holdout \(QuotedText(name))")
            }
            return holdout
        }
    }

    /// The choice of the overview.
    private func query(_ page: PageRequest<Context>) throws -> OverviewQuery {
        try environment.read(environment.reading.query(page.request, OverviewQuery.names), OverviewQuery.init)
    }

    /// Which part of a list is asked for.
    private func number(of page: PageRequest<Context>) throws -> Int {
        try environment.read(environment.reading.query(page.request, ["page"]), OverviewQuery.page)
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
