import HTTPTypes
import Hummingbird
import Metrics
import NIOCore
import Synchronization

/// Counts the requests of one route by status and measures how long they take. A route is its pattern: no unit ID gets
/// into a metric.
final class RouteMetrics: Sendable {
    private final class Entry: Sendable {
        let counter: Counter

        init(_ counter: Counter) {
            self.counter = counter
        }
    }

    private let dimensions: [(String, String)]
    private let duration: Metrics.Timer
    private let answered: Entry
    private let others = Mutex<[Int: Entry]>([:])

    init(_ method: HTTPRequest.Method, _ path: RouterPath) {
        dimensions = [("route", path.description), ("method", method.rawValue)]
        duration = Metrics.Timer(label: MetricName.requestDuration, dimensions: dimensions)
        answered = Entry(Self.counter(.ok, dimensions))
    }

    private static func counter(_ status: HTTPResponse.Status, _ dimensions: [(String, String)]) -> Counter {
        Counter(label: MetricName.requests, dimensions: dimensions + [("status", String(status.code))])
    }

    func record(_ status: HTTPResponse.Status, since start: NIODeadline) {
        duration.recordNanoseconds((NIODeadline.now() - start).nanoseconds)
        if status == .ok { return answered.counter.increment() }
        let entry = others.withLock { others in
            if let known = others[status.code] { return known }
            let made = Entry(Self.counter(status, dimensions))
            others[status.code] = made
            return made
        }
        entry.counter.increment()
    }
}

extension RouterGroup {
    /// Adds a route that is measured.
    func route(
        _ method: HTTPRequest.Method, _ path: String,
        _ handler: @Sendable @escaping (Request, Context) async throws -> Response
    ) {
        let path = RouterPath(path)
        let metrics = RouteMetrics(method, path)
        on(path, method: method) { request, context -> Response in
            let start = NIODeadline.now()
            do {
                let response = try await handler(request, context)
                metrics.record(response.status, since: start)
                return response
            } catch {
                metrics.record((error as? any HTTPResponseError)?.status ?? .internalServerError, since: start)
                throw error
            }
        }
    }
}
