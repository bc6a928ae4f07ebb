import AllotServing
import HTTPTypes
import Hummingbird
import Metrics
import NIOCore
import Synchronization

extension AllotService {
    /// The most experiments that have a series of their own with their owner.
    private static var informedExperiments: Int { 10_000 }

    /// Registers the gauges that are measured each time the metrics are read, and the help texts of all metrics.
    package func registerGauges(with registry: PrometheusRegistry) {
        let (plans, exposures) = (plans, exposures)
        for (name, help) in MetricName.helps { registry.setHelp(help, for: name) }
        registry.gauge(MetricName.planAge, help: "Seconds since the current plan was loaded.") {
            Double(plans.clock.now().seconds - plans.current.loadedAt.seconds)
        }
        registry.info(MetricName.planInfo, help: "The current revision.") {
            [("revision", plans.current.plan.revision)]
        }
        registry.infos(
            MetricName.experimentInfo,
            help: "The owner and the status of each experiment, for joins; at most \(Self.informedExperiments)."
        ) {
            plans.current.plan.experiments.prefix(Self.informedExperiments).map {
                [("experiment", $0.key), ("owner", $0.owner ?? ""), ("status", $0.status.rawValue)]
            }
        }
        registry.gauge(MetricName.definitionsStale, help: "1 while the definitions cannot be loaded, else 0.") {
            plans.failure == nil ? 0 : 1
        }
        if let exposures {
            registry.gauge(MetricName.exposureQueue, help: "Exposures that wait to be stored.") {
                Double(exposures.store?.queuedCount ?? 0)
            }
            registry.gauge(MetricName.exposureStoreHealthy, help: "1 while exposures can be stored, else 0.") {
                exposures.health == .healthy ? 1 : 0
            }
        }
    }
}

/// Counts the requests of one route by status and measures how long they take. A route is its pattern: no unit ID gets
/// into a metric.
final class RouteMetrics: Sendable {
    private let dimensions: [(String, String)]
    private let duration: Metrics.Timer
    private let answered: Counter
    private let others = Mutex<[Int: Counter]>([:])

    init(_ method: HTTPRequest.Method, _ path: RouterPath) {
        dimensions = [("route", path.description), ("method", method.rawValue)]
        duration = Metrics.Timer(label: MetricName.requestDuration, dimensions: dimensions)
        answered = Self.counter(.ok, dimensions)
    }

    /// Counts an answer to `OPTIONS`, or to a request that no route takes: these are not worth a series of times.
    ///
    /// - Parameter route: the pattern of the path, if the path is known.
    static func countUntimed(_ method: HTTPRequest.Method, route: String?, _ status: HTTPResponse.Status) {
        // What a client invents is not a label.
        let method = RouteTable.methods.contains(method) ? method.rawValue : "other"
        counter(status, [("route", route ?? "none"), ("method", method)]).increment()
    }

    private static func counter(_ status: HTTPResponse.Status, _ dimensions: [(String, String)]) -> Counter {
        Counter(label: MetricName.requests, dimensions: dimensions + [("status", String(status.code))])
    }

    func record(_ status: HTTPResponse.Status, since start: NIODeadline) {
        duration.recordNanoseconds((NIODeadline.now() - start).nanoseconds)
        if status == .ok { return answered.increment() }
        let counter = others.withLock { others in
            let counter = others[status.code] ?? Self.counter(status, dimensions)
            others[status.code] = counter
            return counter
        }
        counter.increment()
    }
}

extension RouteEnvironment {
    /// Adds a route that is measured, for senders of the scope; with `HEAD` if it is one of `GET`.
    ///
    /// `openapi.json` has to describe the route.
    ///
    /// - Parameter caller: the kind of the callers. People who prefer pages get failures as pages, too.
    package func route(
        _ method: HTTPRequest.Method, _ path: String, _ scope: AccessScope?, on group: RouterGroup<Context>,
        from caller: RouteCaller = .program,
        _ handler: @Sendable @escaping (Request, Context) async throws -> Response
    ) {
        let pattern = RouterPath(path)
        table.add(.init(method: method, pattern: pattern, scope: scope, caller: caller))
        let rules = RouteRules(method, pattern, scope, of: allot, from: caller)
        let respond = { @Sendable (request: Request, context: Context) async throws in
            let start = NIODeadline.now()
            var response: Response
            do {
                try rules.admit(request.head)
                response = try await handler(request, context)
            } catch let error as any HTTPResponseError {
                if let pages, caller == .person, request.prefersPage, let failure = error as? RequestFailure {
                    response = pages.page(of: failure, for: request, depth: pattern.count, in: self)
                } else {
                    response = try error.response(from: request, context: context)
                }
            } catch let broken as BrokenBody {
                // The connection has been answered, or is gone.
                rules.metrics.record(broken.status, since: start)
                throw broken.reason
            } catch let error as CancellationError {
                rules.metrics.record(.badRequest, since: start)
                throw error
            } catch {
                response = try RequestFailure(faultOf: error, context.logger).response(from: request, context: context)
            }
            // Errors too: a page has to be able to read what is wrong.
            rules.finish(response.status, &response.headers, to: request.head, since: start)
            return response
        }
        group.on(pattern, method: method, use: respond)
        guard method == .get else { return }
        group.on(pattern, method: .head) { try await respond($0, $1).createHeadResponse() }
    }
}
