import AllotCatalog
import Hummingbird

/// `/`: what runs now and next.
struct OverviewRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        environment.page("/", .overview, on: group) { page in
            OverviewPage.make(page.catalog, page.links)
        }
    }
}
