import AllotConfiguration
public import AllotCore
import Logging

/// The one table of Allot's routes, and the one way to answer. `Sendable`.
///
/// ```swift
/// import Allot
///
/// let plans = PlanStore(try Plan.load(folder: "Experiments"), loadedAt: .now)
/// let routes = AllotRoutes(AllotService(plans))
/// var request = ServiceRequest(method: "GET", target: "/activeconfig/user/user-42?country=DE")
/// let first = await routes.answer(request)
/// if let tag = first.headers.first(where: { $0.name == "ETag" })?.value {
///     request.headers.append(("If-None-Match", tag))
/// }
/// let second = await routes.answer(request)
/// print(first.status, second.status)  // 200 304
/// ```
public final class AllotRoutes: Sendable {
    /// The service that answers.
    public let service: AllotService
    /// The rows, those of configurations first.
    package let table: [Route]
    /// The rows by their patterns, in the order of the rows.
    package let paths: [RoutePath]
    private let configurations: ConfigurationAnswers
    private let logger: Logger

    /// The methods that the server knows: those of RFC 9110 and RFC 5789, and the safe method with a body, `QUERY`.
    package static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
    /// A thread may have many requests to answer: those that may take long are left to tasks.
    private static let directExperiments = 1000
    private static let directTarget = 2048

    /// Creates the table of a service's routes; the logger gets faults of the server.
    public init(_ service: AllotService, logger: Logger = Logger(label: "allot")) {
        (self.service, self.logger) = (service, logger)
        configurations = ConfigurationAnswers(service)
        var table = service.configurationRoutes(configurations) + service.flagRoutes + [service.explanationRoute]
        table += service.pages?.routes(in: service) ?? []
        table += [service.eventRoute] + service.operationRoutes + service.exposureRoutes
        table.append(service.openAPIRoute(of: table))
        self.table = table
        var seen: Set<String> = []
        paths = table.map(\.path).filter { seen.insert($0).inserted }.map { path in
            RoutePath(path, table.filter { $0.path == path })
        }
    }

    /// The answer to a request with the whole of its body. If the routes are mounted below a path such as `/ab`, the
    /// targets of requests begin with it.
    public func answer(_ request: ServiceRequest, below mount: String = "") async -> HTTPAnswer {
        var head = request
        head.mount = mount
        head.body = []
        switch admit(head, announced: request.body.count) {
        case .answered(let answer): return answer
        case .admitted(var admitted):
            do throws(RequestFailure) {
                try receive(request.body, of: &admitted, announced: request.body.count)
            } catch { return refuse(admitted, error) }
            return await answer(admitted)
        }
    }

    /// The configuration of a unit that the application knows, for a route of its own such as `/v2/config` with a
    /// session: with entity tag, lifetime, compression and signature as on Allot's own route. Of the request the
    /// headers `If-None-Match` and `Accept-Encoding` count.
    public func configuration(to request: ServiceRequest, for subject: Subject) -> HTTPAnswer {
        do {
            return try configurations.answer(request, for: subject, sent: Subject())
        } catch { return HTTPAnswer(RequestFailure(error)) }
    }

    // MARK: Steps

    // Those of `answer(_:below:)`, for servers that hold bodies back until they are wanted.

    /// A request that will be answered by a route, once its body was received.
    package struct Admitted: Sendable {
        package fileprivate(set) var request: ServiceRequest
        package let route: Route
        fileprivate let start: SuspendingClock.Instant
    }

    package enum Admission: Sendable {
        /// The request is answered, whatever its body is.
        case answered(HTTPAnswer)
        /// The route needs the body, if it takes one.
        case admitted(Admitted)
    }

    /// Looks at the head of a request, and the announced length of its body: 0 if there is none or it is not announced.
    package func admit(_ request: ServiceRequest, announced length: Int) -> Admission {
        var request = request
        request.logger = request.logger ?? logger
        let path = Self.methods.contains(request.method) ? self.path(of: &request) : nil
        guard let route = path?.route(request.method) else { return .answered(unrouted(request, path)) }
        var admitted = Admitted(request: request, route: route, start: .now)
        do {
            if let scope = route.scope { try service.tokens?.current.require(scope, request, from: route.caller) }
            if let names = route.query { admitted.request.query = try service.query(request, names) }
            try route.body.admit(request, announced: length)
        } catch { return .answered(refuse(admitted, RequestFailure(error))) }
        return .admitted(admitted)
    }

    /// Adds bytes to the body of a request whose route takes one. Throws the failure for ``refuse(_:_:)``.
    package func receive(
        _ bytes: some Collection<UInt8>, of admitted: inout Admitted, announced length: Int
    ) throws(RequestFailure) {
        guard admitted.route.body != .none else { return }
        try admitted.request.receive(bytes, limit: admitted.route.body.limit, announced: length, of: service.bodies)
    }

    /// The answer, if it takes microseconds, so that an event loop can wait for it. Else it is one for ``answer(_:)``.
    package func directAnswer(_ admitted: Admitted) -> HTTPAnswer? {
        guard let direct = admitted.route.direct, admitted.request.attributes == nil,
            admitted.request.target.utf8.count <= Self.directTarget,
            // A signature can take a millisecond.
            service.signer == nil, service.plans.current.plan.experiments.count <= Self.directExperiments
        else { return nil }
        do {
            return finish(try direct(admitted.request), admitted)
        } catch { return refuse(admitted, failure(error, admitted.request)) }
    }

    package func answer(_ admitted: Admitted) async -> HTTPAnswer {
        var admitted = admitted
        do {
            if admitted.route.body == .ignored { admitted.request.dropBody() }
            try admitted.route.body.requireType(of: admitted.request, isEmpty: admitted.request.body.isEmpty)
            return finish(try await admitted.route.answer(admitted.request), admitted)
        } catch let answered as AnsweredByApplication {
            return finish(answered.answer, admitted)
        } catch is CancellationError {
            return refuse(admitted, RequestFailure(.badRequest, "the client has left"))
        } catch { return refuse(admitted, failure(error, admitted.request)) }
    }

    package func refuse(_ admitted: Admitted, _ failure: RequestFailure) -> HTTPAnswer {
        finish(answer(failure, to: admitted.request, isForApps: admitted.route.isForApps), admitted)
    }

    /// The failure as a page for readers who prefer pages, and otherwise, as for all apps, as JSON.
    private func answer(_ failure: RequestFailure, to request: ServiceRequest, isForApps: Bool) -> HTTPAnswer {
        guard let pages = service.pages, !isForApps, request.prefersPage else { return HTTPAnswer(failure) }
        return pages.page(of: failure, for: request, in: service)
    }

    /// Counts a request that is answered in another way, or never, with the status that the client would see.
    package func note(_ admitted: Admitted, endedWith status: Int) {
        admitted.route.metrics.record(status, since: admitted.start)
    }

    /// The failure that an error is; a fault of the server is logged.
    private func failure(_ error: any Error, _ request: ServiceRequest) -> RequestFailure {
        if !(error is RequestFailure) { request.logger?.error("a request cannot be answered: \(error)") }
        return RequestFailure(error)
    }

    /// Adds the headers that every answer of a route has, errors too, and counts it.
    private func finish(_ answer: HTTPAnswer, _ admitted: Admitted) -> HTTPAnswer {
        var answer = answer
        if admitted.route.isForApps { service.origins?.open(&answer, to: admitted.request) }
        admitted.route.metrics.record(answer.status, since: admitted.start)
        return answer
    }

    /// The rows of a request's path, of which the request gets the part that may be any.
    private func path(of request: inout ServiceRequest) -> RoutePath? {
        var (rest, mount) = (request.path, request.mount[...])
        while let part = mount.removeFirstPart() { guard rest.removeFirstPart() == part else { return nil } }
        for path in paths {
            let (isMatch, capture) = path.match(rest)
            if isMatch {
                (request.capture, request.depth) = (capture, path.depth)
                return path
            }
        }
        return nil
    }

    /// The answer to a request that no route takes: 204 with `Allow` to `OPTIONS`; 405, 404, or 501 to others.
    private func unrouted(_ request: ServiceRequest, _ path: RoutePath?) -> HTTPAnswer {
        let isOptions = request.method == "OPTIONS"
        let isForApps = path?.routes.contains(where: \.isForApps) ?? false
        let origins = isForApps ? service.origins : nil
        var answer: HTTPAnswer
        do throws(RequestFailure) {
            guard Self.methods.contains(request.method) else {
                throw RequestFailure(.notImplemented, "there is no such method; /openapi.json lists what there is")
            }
            // For "*", what the server as a whole can do (RFC 9110, section 9.3.7).
            let allowOfAll = isOptions && request.target == "*" ? "GET, HEAD, POST, OPTIONS" : nil
            guard let allow = path?.allow ?? allowOfAll else {
                throw RequestFailure(.notFound, "there is nothing at this path; /openapi.json lists what there is")
            }
            guard isOptions else {
                throw RequestFailure(
                    .methodNotAllowed, "\(request.method) is not a method of this path; it takes \(allow)",
                    headers: [("Allow", allow)])
            }
            answer = try origins?.preflight(request) ?? HTTPAnswer(status: 204, headers: [("Allow", allow)])
        } catch {
            var request = request
            if path == nil { request.depth = max(0, request.path.partCount - request.mount[...].partCount) }
            answer = self.answer(error, to: request, isForApps: isForApps)
        }
        if !isOptions { origins?.open(&answer, to: request) }
        RouteMetrics.countUntimed(request.method, route: path?.pattern, answer.status)
        return answer
    }
}

/// The answer of an application whose source of attributes refuses a request.
package struct AnsweredByApplication: Error {
    let answer: HTTPAnswer
    package init(_ answer: HTTPAnswer) { self.answer = answer }
}
