public import AllotConfiguration
import AllotCore
@_exported public import AllotServing
public import Hummingbird
public import ServiceLifecycle

/// Allot's routes, which `Hummingbird/RouterMethods/addAllot(_:attributes:)` mounts, and the service that keeps their
/// definitions and exposures.
///
/// ```swift
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
    let bodies = BodyBudget(bytes: 1 << 28)
    /// The limits of what one request may send.
    public var limits = RequestLimits()
    /// The text of `/metrics`; without it there is no such route.
    public var metrics: (@Sendable () -> [UInt8])?
    /// The streams of `/events`.
    package var eventStreams = EventStreams()
    /// Whether the server is about to end, which `/health/ready` says.
    let draining = Draining()
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

    /// Watches the definitions and keeps the exposures until shutdown, then stores the exposures that wait and closes
    /// their store.
    public func run() async throws {
        let services = ([definitions, exposures] as [(any Service)?]).compactMap { $0 }
        // A service that ends would end the application.
        guard !services.isEmpty else { return try await gracefulShutdown() }
        try await withThrowingDiscardingTaskGroup { group in
            for service in services { group.addTask { try await service.run() } }
        }
    }

    /// Loads the definitions at once, unless the application replaces the plans itself.
    package func reload() async {
        await definitions?.reload()
    }

    /// The present instant by the clock of ``plans``.
    package func now() -> Instant { plans.clock.now() }

    var configurations: ConfigurationService {
        ConfigurationService(plans, fetchInterval: fetchInterval, signer: signer, limits: limits)
    }
}

/// The attributes that the application knows of the user of a request: they take precedence over those that the client
/// sends, and may contain `user_id`.
public typealias AttributeSource<Context: RequestContext> = @Sendable (Request, Context) async throws -> JSONObject

extension RouterMethods {
    /// Adds Allot's routes. All methods of their paths are Allot's: those without a route are answered with 405.
    ///
    /// - Parameters:
    ///   - allot: the service that answers.
    ///   - attributes: what the application knows of the user of a request.
    public func addAllot(_ allot: AllotService, attributes: AttributeSource<Context>? = nil) {
        addAllot(allot, attributes: attributes, pages: nil)
    }

    /// Adds Allot's routes and pages for people.
    ///
    /// - Parameter pages: the pages; `nil` for none.
    package func addAllot(
        _ allot: AllotService, attributes: AttributeSource<Context>? = nil, pages: (any PageMaker)?
    ) {
        let group = group()
        let environment = RouteEnvironment(allot, attributes: attributes, pages: pages)
        ConfigurationRoutes(environment).add(to: group)
        FlagRoutes(environment: environment).add(to: group)
        ExplanationRoutes(environment: environment).add(to: group)
        pages?.add(to: group, in: environment)
        EventRoutes(environment: environment).add(to: group)
        OperationsRoutes(environment: environment).add(to: group)
        if let exposures = allot.exposures {
            ExposureRoutes(environment: environment, exposures: exposures).add(to: group)
        }
        OpenAPIRoute(environment: environment).add(to: group)
        environment.table.addOtherMethods(to: group, crossOrigin: allot.origins.map { CrossOriginRoutes($0) })
    }
}

/// Shared by all routes.
package struct RouteEnvironment<Context: RequestContext>: Sendable {
    package let allot: AllotService
    package let reading: RequestReading
    /// The attributes that the application knows of the user of a request.
    let attributes: AttributeSource<Context>?
    /// The pages for people; `nil` if there are none.
    let pages: (any PageMaker)?
    /// The routes that were added.
    let table = RouteTable()

    init(_ allot: AllotService, attributes: AttributeSource<Context>?, pages: (any PageMaker)?) {
        self.allot = allot
        self.attributes = attributes
        self.pages = pages
        reading = RequestReading(limits: allot.limits, bodies: allot.bodies)
    }

    /// Adds the attributes that the application knows to those that the client sent.
    package func completed(_ subject: Subject, _ request: Request, _ context: Context) async throws -> Subject {
        guard let attributes else { return subject }
        var completed = subject
        for member in try await attributes(request, context).members {
            completed.setTyped(member.key, member.value)
        }
        return completed
    }
}
