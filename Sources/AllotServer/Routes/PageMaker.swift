import AllotCore
import AllotServing
import Hummingbird

/// Makes the pages for people. `Sendable`.
///
/// The module that does, `AllotPageRoutes`, is one of its own, so that applications without pages need not build it.
package protocol PageMaker: Sendable {
    /// Adds the routes of the pages.
    func add<Context: RequestContext>(to group: RouterGroup<Context>, in environment: RouteEnvironment<Context>)

    /// The page of a request that fails.
    ///
    /// - Parameter depth: the number of components of the route's path.
    func page<Context: RequestContext>(
        of failure: RequestFailure, for request: Request, depth: Int, in environment: RouteEnvironment<Context>
    ) -> Response

    /// The page of an explanation.
    ///
    /// - Parameter depth: the number of components of the route's path.
    func page<Context: RequestContext>(
        of explained: ExplainedUnit, for request: Request, depth: Int, in environment: RouteEnvironment<Context>
    ) async -> Response
}

/// A unit whose decisions are to be explained.
package struct ExplainedUnit {
    /// The plan, taken once.
    package let active: ActivePlan
    package let id: String
    package let subject: Subject
    /// The subject as the client sent it.
    package let sent: Subject
    /// The attributes that the client sent, `name=value` on each line.
    package let attributes: String
    /// The keys of the only experiments to explain; `nil` for all.
    package let experiments: [String]?
}
