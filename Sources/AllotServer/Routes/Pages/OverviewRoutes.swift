import Allot
import AllotCatalog
import AllotConfiguration
import AllotServing
import Hummingbird

/// `/`, `/layers/{name}` and `/holdouts/{name}`: what runs now and next.
struct OverviewRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    private let summaries: SummaryCache?

    init(environment: RouteEnvironment<Context>) {
        self.environment = environment
        summaries = environment.allot.exposures.map { SummaryCache($0) }
    }

    func add(to group: RouterGroup<Context>) {
        environment.page("/", .overview, on: group) { page in
            let items = try environment.reading.query(page.request, OverviewQuery.names)
            let query: OverviewQuery
            do throws(OverviewQuery.Failure) {
                query = try OverviewQuery(items)
            } catch {
                throw RequestFailure(.badRequest, error.message)
            }
            let exposures = await summaries?.exposures(to: page.active.plan) ?? .none
            return OverviewPage(
                page.catalog, in: page.frame, query, exposures: exposures, storeFailure: storeFailure
            ).page
        }
        environment.page("layers/:name", .layer, on: group) { page in
            let name = try environment.reading.pathComponent("name", page.context)
            let number = try number(of: page)
            guard let layer = LayerPage.make(name, page.catalog, page.links, page: number) else {
                throw RequestFailure(.notFound, "there is no layer \(QuotedText(name))")
            }
            return layer
        }
        environment.page("holdouts/:name", .holdout, on: group) { page in
            let name = try environment.reading.pathComponent("name", page.context)
            let number = try number(of: page)
            guard let holdout = HoldoutPage.make(name, page.catalog, page.links, page: number) else {
                throw RequestFailure(.notFound, "there is no holdout \(QuotedText(name))")
            }
            return holdout
        }
    }

    /// Which part of a list is asked for.
    private func number(of page: PageRequest<Context>) throws -> Int {
        guard let text = try environment.reading.query(page.request, ["page"])["page"] else { return 1 }
        do throws(OverviewQuery.Failure) {
            return try OverviewQuery.page(text)
        } catch {
            throw RequestFailure(.badRequest, error.message)
        }
    }

    private var storeFailure: String? {
        guard case .failing(let message, let since)? = environment.allot.exposures?.health else { return nil }
        return "\(message) (since \(since.shortText))"
    }
}
