import AllotServer
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

/// The server: its routes, services and connections.
struct AllotHTTPServer {
    private let application: Application<RouterResponder<BasicRequestContext>>
    private let logger: Logger
    private let address: String

    init(_ settings: ResolvedSettings, registry: PrometheusRegistry, logger: Logger) throws {
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
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.addAllot(allot)
        let limits = allot.limits
        let timeout = TimeAmount.seconds(Int64(settings.requestTimeout))
        let channel = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionGuard(timeout: timeout, limit: 2 * limits.exposureBodyBytes)],
            idleTimeout: timeout,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 64 * 1024, maxHeaderFieldCount: 100))
        application = Application(
            router: router, server: try Self.builder(.http1(configuration: channel), settings),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.hostname, port: settings.port), backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(settings.maximumConnections)),
            services: ([definitions, exposures, signing] as [(any Service)?]).compactMap { $0 },
            logger: logger)
    }

    /// Serves until SIGTERM or SIGINT; then answers the requests in progress and stores the waiting exposures.
    func run() async throws {
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

    private static func builder(_ base: HTTPServerBuilder, _ settings: ResolvedSettings) throws -> HTTPServerBuilder {
        guard let tls = settings.tls else { return base }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(tls.certificate).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = try NIOSSLPrivateKey(file: tls.key, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            // Fails here, before anything runs, if certificate and key do not belong together.
            _ = try NIOSSLContext(configuration: configuration)
            return try .tls(base, configuration: .init(tlsConfiguration: configuration))
        } catch {
            throw StartFailure(
                "TLS cannot be set up with \(tls.certificate) and \(tls.key) (\(error)); check that both are PEM files "
                    + "and belong together")
        }
    }
}
