import AllotConfiguration
import AllotCore
public import ServiceLifecycle

/// The service behind ``AllotRoutes``: it keeps the definitions and the exposures, and has the settings of the routes.
///
/// ```swift
/// import AllotServer
/// import Hummingbird
/// import Logging
///
/// let logger = Logger(label: "shop")
/// var allot = AllotService(try DefinitionsReloader(folder: "Experiments", logger: logger))
/// allot.fetchInterval = .seconds(300)
/// let router = Router()
/// router.group("ab").addAllot(allot)  // GET /ab/activeconfig/user/{id}, …
/// let application = Application(router: router, services: [allot], logger: logger)
/// try await application.runService()
/// ```
public struct AllotService: Service {
    /// The store of the current plan.
    public let plans: PlanStore
    private let definitions: DefinitionsReloader?
    /// The storage of exposures; without it there are no routes of exposures.
    public var exposures: ExposureService?
    /// The tokens and what each may do; `nil` if the application around the routes checks access itself.
    public var tokens: AccessTokenStore?
    /// The signer of configurations; without it they are not signed. The signature is over the bytes of the body before
    /// they are compressed, in the header `DetachedSignature/headerName`.
    public var signer: ConfigurationSigner?
    /// How long a client may use a configuration before it fetches again, in whole seconds (`max-age` of
    /// `Cache-Control`); never past the plan's next boundary. If it is `nil` or negative, clients choose. The time
    /// until the boundary is in a header of its own in any case, `Allot-Boundary`.
    public var fetchInterval: Duration?
    /// The origins whose pages may use the routes that apps use; without them no page of another origin can.
    public var origins: AllowedOrigins?
    /// The total size of request bodies held in memory at a time: 256 MiB.
    package let bodies = BodyBudget(bytes: 1 << 28)
    /// The limits of what one request may send.
    public var limits = RequestLimits()
    /// The text of `/metrics`; without it there is no such route.
    public var metrics: (@Sendable () -> [UInt8])?
    package var pages: (any PageMaker)?
    package var eventStreams = EventStreams()
    package let draining = Draining()
    /// The time between two signs of life on a connection that is subscribed to changes.
    package var heartbeat = Duration.seconds(15)

    /// Serves the definitions of a folder, which ``run()`` watches.
    public init(_ definitions: DefinitionsReloader) {
        plans = definitions.plans
        self.definitions = definitions
    }

    /// Serves the plans of a store that the application replaces itself.
    public init(_ plans: PlanStore) {
        self.plans = plans
        definitions = nil
    }

    /// Watches the definitions and keeps the exposures until shutdown, then stores those that wait.
    public func run() async throws {
        let services = ([definitions, exposures] as [(any Service)?]).compactMap { $0 }
        // A service that ends would end the application.
        guard !services.isEmpty else { return try await gracefulShutdown() }
        try await withThrowingDiscardingTaskGroup { group in
            for service in services { group.addTask { try await service.run() } }
        }
    }

    /// Loads the definitions at once, unless the application replaces the plans itself.
    package func reload() async { await definitions?.reload() }

    package func isReader(_ request: ServiceRequest) -> Bool {
        guard let tokens else { return true }
        return (try? tokens.current.require(.explain, request, from: .person)) != nil
    }

    package func now() -> Instant { plans.clock.now() }
}
