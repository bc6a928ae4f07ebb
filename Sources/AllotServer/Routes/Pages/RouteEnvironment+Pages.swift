import AllotCatalog
import AllotConfiguration
import AllotCore
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// A request for a page, with what a page is made of.
struct PageRequest<Context: RequestContext>: Sendable {
    let request: Request
    let context: Context
    /// The plan, taken once.
    let active: ActivePlan
    /// What is around the page.
    let frame: PageFrame

    var links: PageLinks { frame.links }
    /// What is defined, at the instant of the page.
    var catalog: Catalog { Catalog(active.plan, warnings: active.warnings, at: frame.instant) }
}

/// Pages for people.
extension RouteEnvironment {
    /// Adds a page for senders with the scope `explain`, who can be people in browsers. Failures are pages, too, if
    /// pages are preferred.
    ///
    /// - Parameter path: the path of the route; all its components belong to the page.
    func page(
        _ path: String, on group: RouterGroup<Context>,
        _ make: @Sendable @escaping (PageRequest<Context>) async throws -> Page
    ) {
        page(path, on: group, elsewhere: { _ in nil }, make)
    }

    /// Adds a page that may lead to another one, if that is meant.
    func page(
        _ path: String, on group: RouterGroup<Context>,
        elsewhere other: @Sendable @escaping (PageRequest<Context>) throws -> PagePlace?,
        _ make: @Sendable @escaping (PageRequest<Context>) async throws -> Page
    ) {
        let depth = RouterPath(path).count
        route(.get, path, .explain, on: group, from: .person) { request, context in
            let active = allot.plans.current
            let frame = frame(request, of: active, depth: depth)
            let page = PageRequest(request: request, context: context, active: active, frame: frame)
            if let place = try other(page) { return Response(seeing: frame.links.to(place)) }
            return Response(try await make(page), in: frame)
        }
    }

    /// What is around a page of a plan.
    ///
    /// - Parameter depth: the number of components of the route's path.
    func frame(_ request: Request, of active: ActivePlan, depth: Int) -> PageFrame {
        let failure = allot.plans.failure
        return PageFrame(
            PageLinks(ofRequest: request.uri.path, depth: depth), revision: active.plan.revision, instant: allot.now(),
            staleSince: failure?.instant, problems: failure?.problems ?? [],
            problemCount: failure?.problemCount ?? 0, hasSite: allot.pages)
    }

    /// What the items of a query say to a page.
    func read<Value>(
        _ items: [String: String], _ reading: ([String: String]) throws(OverviewQuery.Failure) -> Value
    ) throws(RequestFailure) -> Value {
        do throws(OverviewQuery.Failure) {
            return try reading(items)
        } catch {
            throw RequestFailure(.badRequest, error.message)
        }
    }

    /// A failure as a page.
    func failurePage(_ failure: RequestFailure, _ request: Request, depth: Int) -> Response {
        let frame = frame(request, of: allot.plans.current, depth: depth)
        var response = Response(
            FailurePage.make(failure.title, failure.message), in: frame, status: failure.status)
        for field in failure.headers {
            if let name = HTTPField.Name(field.name) { response.headers[name] = field.value }
        }
        return response
    }
}

extension RequestFailure {
    /// The heading of its page.
    fileprivate var title: String {
        switch code {
        case .badRequest: "Bad request"
        case .unauthorized: "Not signed in"
        case .forbidden: "Not allowed"
        case .notFound: "Not found"
        case .methodNotAllowed, .notImplemented: "Not possible"
        case .contentTooLarge, .unsupportedMediaType: "Not accepted"
        case .internalServerError: "A fault of the server"
        case .serviceUnavailable: "Not possible now"
        }
    }
}

extension Request {
    /// Whether a page is preferred to JSON, as by browsers.
    var prefersPage: Bool { ContentNegotiation.prefersPage(headers[.accept]) }
}

extension ActivePlan {
    /// The failure of a request for an experiment that does not exist, with the nearest key.
    func unknownExperiment(_ key: String) -> RequestFailure {
        let hint = NearestName.hint(for: key, among: plan.experiments.map(\.key))
        return RequestFailure(
            .notFound,
            "there is no experiment \(QuotedText(key))" + (hint.map { "; did you mean \(QuotedText($0))?" } ?? ""))
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
