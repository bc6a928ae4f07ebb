import AllotConfiguration
import AllotCore
import AllotPageRoutes
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
    /// Tries new values of settings out; `nil` for none.
    var proposals: ChangeProposals?

    /// Serves the fixture's plan, or another.
    init(_ plan: Plan? = nil, clock: SimulatedClock = SimulatedClock()) throws {
        let registry = Self.registry
        allot = AllotService(
            PlanStore(try plan ?? Fixture.plan(), loadedAt: Fixture.instant, clock: clock.clock))
        allot.metrics = { registry.text() }
    }

    var plan: Plan { allot.plans.current.plan }

    /// Sends requests within the body.
    func test(
        attributes: AttributeSource<BasicRequestContext>? = nil,
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        try await Application(router: router(attributes)).test(.router, body)
    }

    /// Responds to a request without a client.
    func respond(
        to head: HTTPRequest, _ body: RequestBody = RequestBody(buffer: ByteBuffer()), log: LogRecord,
        attributes: AttributeSource<BasicRequestContext>? = nil
    ) async throws -> Response {
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(
                channel: NIOAsyncTestingChannel(), logger: Logger(label: "request", factory: { _ in log })))
        return try await router(attributes).buildResponder()
            .respond(to: Request(head: head, body: body), context: context)
    }

    /// A router with the routes and the pages.
    private func router(_ attributes: AttributeSource<BasicRequestContext>?) -> Router<BasicRequestContext> {
        let router = Router()
        var allot = allot
        allot.pages = PageRoutes(proposals: proposals)
        router.addAllot(allot, attributes: attributes)
        return router
    }

    /// The configuration that the plan itself has for a subject.
    func configuration(_ subject: Subject) -> [UInt8] {
        plan.configuration(for: subject, at: Fixture.instant).canonicalBytes
    }
}
