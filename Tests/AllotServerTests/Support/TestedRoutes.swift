import AllotConfiguration
import AllotCore
import AllotServer
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Metrics
import NIOCore
import NIOEmbedded

/// The routes of a plan, requested in memory.
struct TestedRoutes: Sendable {
    /// A process has one registry of metrics: all tested routes count there.
    static let registry: PrometheusRegistry = {
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    var allot: AllotService

    /// Serves the fixture's plan, or another.
    init(_ plan: Plan? = nil, clock: SimulatedClock = SimulatedClock()) throws {
        let registry = Self.registry
        allot = AllotService(
            PlanStore(try plan ?? Fixture.plan(), loadedAt: Fixture.instant, clock: clock.clock))
        allot.metrics = { registry.text() }
        allot.pages = true
    }

    var plan: Plan { allot.plans.current.plan }

    /// Sends requests within the body.
    func test(
        attributes: AttributeSource<BasicRequestContext>? = nil,
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let router = Router()
        router.addAllot(allot, attributes: attributes)
        try await Application(router: router).test(.router, body)
    }

    /// Responds to a request without a client.
    func respond(
        to head: HTTPRequest, _ body: RequestBody = RequestBody(buffer: ByteBuffer()), log: LogRecord,
        attributes: AttributeSource<BasicRequestContext>? = nil
    ) async throws -> Response {
        let router = Router()
        router.addAllot(allot, attributes: attributes)
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(
                channel: NIOAsyncTestingChannel(), logger: Logger(label: "request", factory: { _ in log })))
        return try await router.buildResponder().respond(to: Request(head: head, body: body), context: context)
    }

    /// The configuration that the plan itself has for a subject.
    func configuration(_ subject: Subject) -> [UInt8] {
        plan.configuration(for: subject, at: Fixture.instant).canonicalBytes
    }
}
