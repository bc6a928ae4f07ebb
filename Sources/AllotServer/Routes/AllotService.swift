public import Allot
public import AllotConfiguration
import AllotDefinitions
public import AllotExposures
public import Hummingbird

/// What the routes need, to be mounted with ``Hummingbird/RouterMethods/addAllot(_:attributes:)``.
///
///     let definitions = try DefinitionsReloader(folder: "Experiments", logger: logger)
///     let router = Router()
///     router.addAllot(AllotService(definitions.plans))
///     let application = Application(router: router, services: [definitions])
public struct AllotService: Sendable {
    /// The plan in force.
    public let plans: PlanStore
    /// Where exposures go; without it there are no routes of exposures.
    public var exposures: ExposureStore?
    /// Who may do what; `nil` where the application around sees to it.
    public var tokens: AccessTokens?
    /// What signs configurations; without it they are not signed. The signature is over the bytes of the body before
    /// they are compressed, in the header ``DetachedSignature/headerName``.
    public var signer: ConfigurationSigner?
    /// How long a client need not ask again for a configuration, in whole seconds (`max-age` of `Cache-Control`); `nil`
    /// says nothing of it, and neither does a negative one.
    public var fetchInterval: Duration?
    /// The bodies that are read at once, over all requests: 256 MiB.
    let bodies = BodyBudget(bytes: 1 << 28)
    /// What a request may ask.
    public var limits = RequestLimits()
    /// The time. Tests set it.
    public var now: @Sendable () -> Instant = { .now }
    /// The text of `/metrics`; without it there is no such route.
    public var metrics: (@Sendable () -> [UInt8])?
    /// How often listeners to changes hear that the connection lives.
    public var heartbeat = Duration.seconds(15)

    /// Serves the plans of a store.
    public init(_ plans: PlanStore) {
        self.plans = plans
    }
}

/// Attributes that the application knows of the user behind a request: they take precedence over those that the client
/// sends, and may hold `user_id`.
public typealias AttributeSource<Context: RequestContext> = @Sendable (Request, Context) async throws -> JSONObject

extension RouterMethods {
    /// Adds Allot's routes.
    ///
    /// - Parameter attributes: what the application knows of the user behind a request.
    public func addAllot(_ allot: AllotService, attributes: AttributeSource<Context>? = nil) {
        let group = group()
        let environment = RouteEnvironment(allot, attributes: attributes)
        ConfigurationRoutes(environment).add(to: group)
        FlagRoutes(environment).add(to: group)
        ExplanationRoutes(environment).add(to: group)
        EventRoutes(environment).add(to: group)
        OperationsRoutes(environment).add(to: group)
        if let exposures = allot.exposures { ExposureRoutes(environment, exposures).add(to: group) }
    }
}
