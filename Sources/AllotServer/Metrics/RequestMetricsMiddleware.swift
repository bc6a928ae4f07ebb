import HTTPTypes
import Hummingbird
import Metrics
import Synchronization

/// Counts requests by route and status and measures how long they take. A route is its pattern: no unit ID gets into a
/// metric.
final class RequestMetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    private struct Key: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct Handlers {
        let count: Counter
        let duration: Metrics.Timer
    }

    private let handlers = Mutex<[Key: Handlers]>([:])

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            record(request, context, status: response.status, since: start)
            return response
        } catch {
            let status = (error as? any HTTPResponseError)?.status ?? .internalServerError
            record(request, context, status: status, since: start)
            throw error
        }
    }

    private func record(
        _ request: Request, _ context: Context, status: HTTPResponse.Status, since start: ContinuousClock.Instant
    ) {
        let key = Key(
            route: context.endpointPath ?? "unknown", method: request.method.rawValue, status: status.code)
        let handlers = handlers.withLock { handlers in
            if let known = handlers[key] { return known }
            let dimensions = [("route", key.route), ("method", key.method)]
            let made = Handlers(
                count: Counter(label: MetricName.requests, dimensions: dimensions + [("status", String(key.status))]),
                duration: Metrics.Timer(label: MetricName.requestDuration, dimensions: dimensions))
            handlers[key] = made
            return made
        }
        let elapsed = start.duration(to: .now).components
        handlers.count.increment()
        handlers.duration.recordNanoseconds(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000)
    }
}
