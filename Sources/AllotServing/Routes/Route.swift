import Metrics
import Synchronization

/// A route: one row of the table of ``AllotRoutes``. `Sendable`.
package final class Route: Sendable {
    /// Answers a request of which all was received; throws ``RequestFailure``.
    package typealias Handler = @Sendable (ServiceRequest) async throws -> HTTPAnswer
    package let method: String
    package let path: String
    /// The scope that the sender needs; `nil` if any client may send the request.
    let scope: AccessScope?
    let caller: RouteCaller
    /// The names of the items that the query may have, which the handler gets; `nil` if it reads the query itself.
    let query: [String]?
    package let body: Body
    private let handler: Handler
    /// Answers in microseconds, without the application's attributes; `nil` if the route may take longer.
    let direct: (@Sendable (ServiceRequest) throws -> HTTPAnswer)?
    let metrics: RouteMetrics

    package init(
        _ method: String, _ path: String, _ scope: AccessScope?, from caller: RouteCaller = .program,
        query: [String]? = nil, body: Body = .none,
        direct: (@Sendable (ServiceRequest) throws -> HTTPAnswer)? = nil, _ handler: @escaping Handler
    ) {
        (self.method, self.path, self.scope, self.caller, self.query) = (method, path, scope, caller, query)
        (self.body, self.direct, self.handler) = (body, direct, handler)
        metrics = RouteMetrics(method, path)
    }

    /// Whether apps, which pages of other origins can be, use the route.
    var isForApps: Bool { scope == .configuration || scope == .exposures }

    func answer(_ request: ServiceRequest) async throws -> HTTPAnswer {
        // Also for those who ask for a task: the answer is the same.
        if let direct, request.attributes == nil { return try direct(request) }
        return try await handler(request)
    }
}

/// A path of the table: a pattern, of whose parts one may be any, and its rows. `Sendable`.
package struct RoutePath: Sendable {
    package let pattern: String
    let routes: [Route]
    /// The methods of the path, as the header `Allow` has them.
    let allow: String
    /// `nil` for the part that may be any.
    private let parts: [[UInt8]?]

    init(_ pattern: String, _ routes: [Route]) {
        (self.pattern, self.routes) = (pattern, routes)
        let methods = routes.map(\.method)
        allow = (methods + (methods.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"])).joined(separator: ", ")
        parts = pattern.utf8.split(separator: UInt8(ascii: "/")).map { $0.first == UInt8(ascii: "{") ? nil : Array($0) }
    }

    package var depth: Int { parts.count }

    func route(_ method: String) -> Route? {
        routes.first { $0.method == method || $0.method == "GET" && method == "HEAD" }
    }

    /// Whether a path has the pattern, and the part that may be any. Empty parts do not count.
    func match(_ path: Substring) -> (isMatch: Bool, capture: Substring?) {
        var (rest, capture) = (path, Substring?.none)
        for part in parts {
            guard let found = rest.removeFirstPart() else { return (false, nil) }
            if let part { guard found.utf8.elementsEqual(part) else { return (false, nil) } } else { capture = found }
        }
        return (rest.removeFirstPart() == nil, capture)
    }
}

extension Substring {
    /// The number of parts of a path; empty parts do not count.
    var partCount: Int { utf8.split(separator: UInt8(ascii: "/")).count }

    /// Removes the first part of a path. Returns `nil` if there is none; empty parts do not count.
    mutating func removeFirstPart() -> Substring? {
        let (bytes, slash) = (utf8, UInt8(ascii: "/"))
        guard let start = bytes.firstIndex(where: { $0 != slash }) else { return nil }
        let end = bytes[start...].firstIndex(of: slash) ?? bytes.endIndex
        defer { self = self[end...] }
        return self[start..<end]
    }
}

/// Counts and times the requests of one route, which is its pattern: no unit ID gets into a metric.
final class RouteMetrics: Sendable {
    private let dimensions: [(String, String)]
    private let duration: Metrics.Timer
    private let answered: Counter
    private let others = Mutex<[Int: Counter]>([:])

    init(_ method: String, _ path: String) {
        dimensions = [("route", path), ("method", method)]
        duration = Metrics.Timer(label: MetricName.requestDuration, dimensions: dimensions)
        answered = Self.counter(200, dimensions)
    }

    /// Counts an answer to `OPTIONS`, or to a request that no route takes: these are not worth a series of times.
    static func countUntimed(_ method: String, route: String?, _ status: Int) {
        // What a client invents is not a label.
        let method = AllotRoutes.methods.contains(method) ? method : "other"
        counter(status, [("route", route ?? "none"), ("method", method)]).increment()
    }

    private static func counter(_ status: Int, _ dimensions: [(String, String)]) -> Counter {
        Counter(label: MetricName.requests, dimensions: dimensions + [("status", String(status))])
    }

    func record(_ status: Int, since start: SuspendingClock.Instant) {
        duration.record(duration: start.duration(to: .now))
        if status == 200 { return answered.increment() }
        let counter = others.withLock { others in
            let counter = others[status] ?? Self.counter(status, dimensions)
            others[status] = counter
            return counter
        }
        counter.increment()
    }
}
