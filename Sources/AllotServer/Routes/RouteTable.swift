import AllotServing
import HTTPTypes
import Hummingbird
import Synchronization

/// The routes of a service: what answers other methods of the same paths, and what describes them all.
final class RouteTable: Sendable {
    struct Route: Sendable {
        let method: HTTPRequest.Method
        let pattern: RouterPath
        /// The scope that the sender needs; `nil` if any client may send the request.
        let scope: AccessScope?
        var caller = RouteCaller.program

        /// Whether it answers forms of pages: none of another origin may send one.
        var takesForms: Bool { method == .post && caller == .person }
    }

    /// The methods that the server knows: those of RFC 9110 and RFC 5789, and the safe method with a body, `QUERY`.
    static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ].compactMap { HTTPRequest.Method($0) }

    private let added = Mutex<[Route]>([])

    /// The routes in the order in which they were added.
    var routes: [Route] { added.withLock { $0 } }

    func add(_ route: Route) {
        added.withLock { $0.append(route) }
    }

    /// Adds an answer to all other methods of the paths: 204 to `OPTIONS`, otherwise 405, both with `Allow`.
    ///
    /// - Parameter crossOrigin: what pages of other origins may do on paths that apps use.
    func addOtherMethods<Context: RequestContext>(to group: RouterGroup<Context>, crossOrigin: CrossOriginRoutes?) {
        for (pattern, routes) in Dictionary(grouping: routes, by: \.pattern.description) {
            let crossOrigin = routes.contains { CrossOriginRoutes.isForApps($0.scope) } ? crossOrigin : nil
            var allowed = routes.map(\.method)
            allowed += allowed.contains(.get) ? [.head, .options] : [.options]
            let allow = allowed.map(\.rawValue).joined(separator: ", ")
            group.on(RouterPath(pattern), method: .options) { request, context -> Response in
                let response: Response
                do throws(RequestFailure) {
                    response =
                        try crossOrigin?.preflight(request) ?? Response(status: .noContent, headers: [.allow: allow])
                } catch {
                    response = try error.response(from: request, context: context)
                }
                RouteMetrics.countUntimed(.options, route: pattern, response.status)
                return response
            }
            for method in Self.methods where !allowed.contains(method) {
                group.on(RouterPath(pattern), method: method) { request, context -> Response in
                    let failure = RequestFailure(
                        .methodNotAllowed, "\(method.rawValue) is not a method of this path; it takes \(allow)",
                        headers: [("Allow", allow)])
                    RouteMetrics.countUntimed(method, route: pattern, failure.status)
                    var response = try failure.response(from: request, context: context)
                    crossOrigin?.open(&response.headers, to: request.head)
                    return method == .head ? response.createHeadResponse() : response
                }
            }
        }
    }
}

/// Answers requests that no route takes: 404, or 501 to methods that are not known at all.
///
/// A router's middleware that is added after its routes runs for such requests only.
package struct UnmatchedRequests<Context: RequestContext>: MiddlewareProtocol {
    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // What the server as a whole can do (RFC 9110, section 9.3.7).
        if request.method == .options, request.head.path == "*" {
            RouteMetrics.countUntimed(.options, route: nil, .noContent)
            return Response(status: .noContent, headers: [.allow: "GET, HEAD, POST, OPTIONS"])
        }
        let failure =
            RouteTable.methods.contains(request.method)
            ? RequestFailure(.notFound, "there is nothing at this path; /openapi.json lists what there is")
            : RequestFailure(.notImplemented, "there is no such method; /openapi.json lists what there is")
        RouteMetrics.countUntimed(request.method, route: nil, failure.status)
        let response = try failure.response(from: request, context: context)
        return request.method == .head ? response.createHeadResponse() : response
    }
}
