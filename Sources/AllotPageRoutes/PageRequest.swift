import AllotPages
import AllotServer
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// A request for a page, with the parts of the page.
struct PageRequest<Context: RequestContext>: Sendable {
    let request: Request
    let context: Context
    /// The plan, taken once.
    let active: ActivePlan
    let frame: PageFrame

    var links: PageLinks { frame.links }
    /// The definitions at the instant of the page.
    var catalog: Catalog { Catalog(active.plan, warnings: active.warnings, at: frame.instant) }
}

extension RouteEnvironment {
    /// Adds a page for senders with the scope `explain`. All components of the route's path belong to the page.
    func page(
        _ path: String, on group: RouterGroup<Context>,
        _ make: @Sendable @escaping (PageRequest<Context>) async throws -> Page
    ) {
        pageRoute(.get, path, .explain, on: group) { Response(try await make($0), in: $0.frame) }
    }

    /// Adds a page with a form that is sent as POST, or the page that answers one.
    func formPage(
        _ method: HTTPRequest.Method, _ path: String, _ scope: AccessScope, on group: RouterGroup<Context>,
        _ make: @Sendable @escaping (PageRequest<Context>) async throws -> Page
    ) {
        pageRoute(method, path, scope, on: group) { page in
            if method == .post { try page.request.head.requireOwnPage() }
            var response = Response(try await make(page), in: page.frame)
            // With "no-referrer" browsers would hide from this server that the form is on a page of its own.
            response.headers[.referrerPolicy] = "same-origin"
            return response
        }
    }

    /// Adds a route for people in browsers. Failures are pages, too, if pages are preferred.
    func pageRoute(
        _ method: HTTPRequest.Method, _ path: String, _ scope: AccessScope, on group: RouterGroup<Context>,
        _ respond: @Sendable @escaping (PageRequest<Context>) async throws -> Response
    ) {
        let depth = RouterPath(path).count
        route(method, path, scope, on: group, from: .person) { request, context in
            let active = allot.plans.current
            let frame = frame(request, of: active, depth: depth)
            return try await respond(PageRequest(request: request, context: context, active: active, frame: frame))
        }
    }

    /// The frame of a page of a plan.
    ///
    /// - Parameter depth: the number of components of the route's path.
    func frame(_ request: Request, of active: ActivePlan, depth: Int) -> PageFrame {
        let failure = allot.plans.failure
        return PageFrame(
            PageLinks(ofRequest: request.uri.path, depth: depth), revision: active.plan.revision, instant: allot.now(),
            staleSince: failure?.instant, problems: failure?.problems ?? [],
            problemCount: failure?.problemCount ?? 0)
    }

    /// Reads the items of a query for a page.
    func read<Value>(
        _ items: [String: String], _ reading: ([String: String]) throws(OverviewQuery.Failure) -> Value
    ) throws(RequestFailure) -> Value {
        do throws(OverviewQuery.Failure) {
            return try reading(items)
        } catch {
            throw RequestFailure(.badRequest, error.message)
        }
    }
}

extension Response {
    /// The way to another page, by a reference from the page that was requested.
    init(seeing reference: String) {
        self.init(
            status: .seeOther,
            headers: [
                .location: reference, .cacheControl: "no-store", .vary: "Accept", .referrerPolicy: "no-referrer",
            ])
    }

    /// A page: nothing of it may run, be kept, or be put into a page of others, and its forms lead only to this server.
    init(_ page: Page, in frame: PageFrame, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .vary: "Accept",
                .contentSecurityPolicy: "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
                    + "frame-ancestors 'none'",
                .referrerPolicy: "no-referrer", .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.html(in: frame))))
    }
}

extension HTTPRequest {
    /// Throws 403 if a browser sends this for a page of another origin, which has its credentials added.
    fileprivate func requireOwnPage() throws(RequestFailure) {
        let isOwn: Bool
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ headerFields[$0] }) {
            isOwn = site == "same-origin" || site == "none"
        } else if let origin = headerFields[.origin] {
            // Browsers that know no Sec-Fetch-Site, or trust the connection too little to send it.
            isOwn = origin.split(separator: "/").last.map(String.init)?.lowercased() == authority?.lowercased()
        } else {
            isOwn = true
        }
        if !isOwn { throw RequestFailure(.forbidden, "the form is not on a page of this server; open it here") }
    }
}
