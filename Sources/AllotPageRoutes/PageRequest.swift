import AllotPages
import AllotServing

struct PageRequest: Sendable {
    let request: ServiceRequest
    /// The plan, taken once.
    let active: ActivePlan
    let frame: PageFrame

    /// A request of a plan, by default the current one; only readers learn its revision.
    init(_ request: ServiceRequest, in allot: AllotService, of active: ActivePlan? = nil, isReader: Bool = true) {
        let active = active ?? allot.plans.current
        let failure = isReader ? allot.plans.failure : nil
        (self.request, self.active) = (request, active)
        frame = PageFrame(
            PageLinks(ofRequest: String(request.path), depth: request.depth),
            revision: isReader ? active.plan.revision : nil, instant: allot.now(), staleSince: failure?.instant,
            problems: failure?.problems ?? [], problemCount: failure?.problemCount ?? 0)
    }

    var links: PageLinks { frame.links }
    var catalog: Catalog { Catalog(active.plan, warnings: active.warnings, at: frame.instant) }

    func read<Value>(
        _ reading: ([String: String]) throws(OverviewQuery.Failure) -> Value
    ) throws(RequestFailure) -> Value {
        do throws(OverviewQuery.Failure) {
            return try reading(request.query)
        } catch { throw RequestFailure(.badRequest, error.message) }
    }

    /// The answer with a page: nothing of it may run, be kept, or be framed, and its forms lead only to this server.
    func answer(_ page: Page, status: Int = 200, referrerPolicy: String = "no-referrer") -> HTTPAnswer {
        let body = Array(page.html(in: frame).utf8)
        // The answer to a form can have a token, of which a compressed length could tell.
        let compressed = request.method == "POST" ? nil : GzipEncoder.encode(body, for: request)
        var headers: [(name: String, value: String)] = [
            ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
            ("Vary", "Accept, Accept-Encoding"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
                    + "frame-ancestors 'none'"
            ),
            ("Referrer-Policy", referrerPolicy), ("X-Content-Type-Options", "nosniff"),
        ]
        if compressed != nil { headers.append(("Content-Encoding", "gzip")) }
        return HTTPAnswer(status: status, headers: headers, body: compressed ?? body)
    }

    func answer(seeing place: PagePlace) -> HTTPAnswer {
        HTTPAnswer(
            status: 303,
            headers: [
                ("Location", links.to(place)), ("Cache-Control", "no-store"), ("Vary", "Accept"),
                ("Referrer-Policy", "no-referrer"),
            ])
    }
}

extension AllotService {
    /// A page for people in browsers. Failures are pages, too, if pages are preferred.
    func pageRoute(
        _ path: String, _ scope: AccessScope = .explain, query: [String]? = nil,
        _ respond: @Sendable @escaping (PageRequest) async throws -> HTTPAnswer
    ) -> Route {
        Route("GET", path, scope, from: .person, query: query) { request in
            try await respond(PageRequest(request, in: self))
        }
    }

    /// A page with a form that is sent as POST, or the page that answers one.
    func formRoute(
        _ method: String, _ path: String, _ scope: AccessScope, query: [String]? = nil,
        _ make: @Sendable @escaping (PageRequest) async throws -> Page
    ) -> Route {
        let isAnswer = method == "POST"
        return Route(method, path, scope, from: .person, query: query, body: isAnswer ? .form : .none) { request in
            let page = PageRequest(request, in: self)
            // With "no-referrer" browsers would hide from this server that the form is on a page of its own.
            return page.answer(try await make(page), referrerPolicy: "same-origin")
        }
    }
}
