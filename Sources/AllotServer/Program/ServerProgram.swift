import AllotServing
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// What the program `allot-server` runs: the routes, the services and the connections.
package struct ServerProgram {
    /// Puts TLS, with the files of a certificate chain and its key, around connections.
    package typealias TLS = (HTTPServerBuilder, _ certificate: String, _ key: String) throws -> HTTPServerBuilder

    private let application: Application<RouterResponder<BasicRequestContext>>
    private let logger: Logger
    private let address: String

    package init(_ settings: ResolvedSettings, registry: PrometheusRegistry, logger: Logger, tls: TLS) throws {
        self.logger = logger
        address = "\(settings.hostname):\(settings.port)"
        let definitions = try DefinitionsReloader(
            folder: settings.definitions, limits: settings.limits, logger: logger)
        let exposures = settings.exposures.map {
            ExposureService($0, plans: definitions.plans, retention: settings.exposureRetention, logger: logger)
        }
        let signing = try settings.signingKey.map { try SigningKeyReloader(file: $0, logger: logger) }
        var allot = AllotService(definitions.plans)
        allot.signer = signing?.signer
        allot.fetchInterval = settings.fetchInterval
        allot.exposures = exposures
        allot.tokens = settings.tokens
        allot.origins = settings.origins
        allot.metrics = { registry.text() }
        allot.registerGauges(with: registry)
        let router = Router()
        router.addAllot(allot)
        router.add(middleware: UnmatchedRequests())
        let limits = allot.limits
        let timeout = TimeAmount.seconds(Int64(settings.requestTimeout))
        let channel = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionGuard(timeout: timeout, limit: 2 * limits.exposureBodyBytes)],
            idleTimeout: timeout,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 64 * 1024, maxHeaderFieldCount: 100))
        let plain = HTTPServerBuilder.http1(configuration: channel)
        application = Application(
            router: router,
            server: try settings.tls.map { try tls(plain, $0.certificate, $0.key) } ?? plain,
            configuration: ApplicationConfiguration(
                address: .hostname(settings.hostname, port: settings.port), backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(settings.maximumConnections)),
            services: ([definitions, exposures, signing] as [(any Service)?]).compactMap { $0 },
            logger: logger)
    }

    /// Serves until SIGTERM or SIGINT; then answers the requests in progress and stores the waiting exposures.
    package func run() async throws {
        var configuration = ServiceGroupConfiguration(
            services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            throw StartFailure(
                "cannot listen on \(address) (\(error)); stop the program that listens there, or use another address "
                    + "with --hostname or --port")
        }
    }
}
