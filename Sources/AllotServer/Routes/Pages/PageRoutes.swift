import AllotAnalysis
import AllotCatalog
import AllotServing
import Hummingbird
import NIOCore

/// The pages for people: each family of pages adds its routes here.
struct PageRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        OverviewRoutes(environment: environment).add(to: group)
        SettingsRoutes(environment: environment).add(to: group)
        ExperimentRoutes(environment: environment).add(to: group)
        UnitRoutes(environment: environment).add(to: group)
        OverrideRoutes(environment: environment).add(to: group)
    }
}

/// `/style.css`: how all pages look.
struct StyleRoute<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        // Pages name the version in the query, so that a new one is fetched at once.
        let responses = ConditionalResponse(
            contentType: "text/css; charset=utf-8", cacheControl: "public, max-age=86400")
        let tag = EntityTag(revision: "style", fingerprint: PageStyle.version)
        environment.route(.get, "style.css", nil, on: group) { request, _ in
            try responses.make(request.head, tag) { ByteBuffer(string: PageStyle.sheet) }.response
        }
    }
}
