import AllotServing
import HTTPTypes
import Hummingbird
import Synchronization

/// The paths of a service's routes with their methods, so that a request with another method learns which there are.
final class RouteTable: Sendable {
    struct Path: Sendable {
        let pattern: RouterPath
        /// Those of its routes; `HEAD` comes with `GET`.
        fileprivate(set) var methods: [HTTPRequest.Method]
        /// What pages of other origins may do here, if apps use the path.
        fileprivate(set) var crossOrigin: CrossOriginRoutes?

        /// All methods that are not answered with 405.
        var allowed: [HTTPRequest.Method] { methods + (methods.contains(.get) ? [.head, .options] : [.options]) }
    }

    /// The methods that the server knows, of RFC 9110 and RFC 5789.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    private let added = Mutex<[Path]>([])

    /// The paths in the order in which they were added.
    var paths: [Path] { added.withLock { $0 } }

    func add(_ method: HTTPRequest.Method, _ pattern: RouterPath, _ crossOrigin: CrossOriginRoutes?) {
        added.withLock { paths in
            guard let index = paths.firstIndex(where: { $0.pattern == pattern }) else {
                return paths.append(Path(pattern: pattern, methods: [method], crossOrigin: crossOrigin))
            }
            paths[index].methods.append(method)
            paths[index].crossOrigin = paths[index].crossOrigin ?? crossOrigin
        }
    }

    /// Adds an answer to all other methods of the paths: 204 to `OPTIONS`, otherwise 405, both with `Allow`.
    func addOtherMethods<Context: RequestContext>(to group: RouterGroup<Context>) {
        for path in paths {
            let allow = path.allowed.map(\.rawValue).joined(separator: ", ")
            group.on(path.pattern, method: .options) { request, _ -> Response in
                try path.crossOrigin?.preflight(request) ?? Response(status: .noContent, headers: [.allow: allow])
            }
            for method in Self.methods where !path.allowed.contains(method) {
                group.on(path.pattern, method: method) { request, context -> Response in
                    let failure = RequestFailure(
                        .methodNotAllowed, "\(method.rawValue) is not a method of this path; it takes \(allow)",
                        headers: [("Allow", allow)])
                    RouteMetrics.countRefused(method, route: path.pattern, failure.status)
                    var response = try failure.response(from: request, context: context)
                    path.crossOrigin?.open(&response.headers, to: request.head)
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
        let failure =
            RouteTable.methods.contains(request.method)
            ? RequestFailure(.notFound, "there is nothing at this path; /openapi.json lists what there is")
            : RequestFailure(.notImplemented, "there is no such method; /openapi.json lists what there is")
        RouteMetrics.countRefused(request.method, route: nil, failure.status)
        let response = try failure.response(from: request, context: context)
        return request.method == .head ? response.createHeadResponse() : response
    }
}
