import AllotServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The rules for every answer of one route, whichever way it is answered: the scope that it takes, the pages that may
/// read it, and that it is counted and timed.
struct RouteRules: Sendable {
    let metrics: RouteMetrics
    private let scope: AccessScope?
    private let tokens: AccessTokenStore?
    private let caller: RouteCaller
    /// The rules for pages of other origins that read the answers; `nil` if the route is not for them.
    let crossOrigin: CrossOriginRoutes?

    init(
        _ method: HTTPRequest.Method, _ path: RouterPath, _ scope: AccessScope?, of allot: AllotService,
        from caller: RouteCaller = .program
    ) {
        metrics = RouteMetrics(method, path)
        self.scope = scope
        tokens = allot.tokens
        self.caller = caller
        crossOrigin = CrossOriginRoutes.isForApps(scope) ? allot.origins.map { CrossOriginRoutes($0) } : nil
    }

    /// Refuses senders that may not have the answer.
    func admit(_ head: HTTPRequest) throws(RequestFailure) {
        if let scope { try tokens?.current.require(scope, head, from: caller) }
    }

    /// Adds the headers that every answer has, and counts it.
    func finish(
        _ status: HTTPResponse.Status, _ headers: inout HTTPFields, to head: HTTPRequest, since start: NIODeadline
    ) {
        crossOrigin?.open(&headers, to: head)
        metrics.record(status, since: start)
    }

    /// The answer that `body` makes, or the one to the failure that it throws.
    func answer(_ head: HTTPRequest, _ logger: Logger, _ body: () throws -> RouteAnswer) -> RouteAnswer {
        let start = NIODeadline.now()
        var answer: RouteAnswer
        do {
            try admit(head)
            answer = try body()
        } catch let failure as RequestFailure {
            answer = RouteAnswer(failure)
        } catch {
            answer = RouteAnswer(RequestFailure(faultOf: error, logger))
        }
        finish(answer.status, &answer.headers, to: head, since: start)
        return answer
    }
}
