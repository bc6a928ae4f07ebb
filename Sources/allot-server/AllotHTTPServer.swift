import AllotConfiguration
import AllotDefinitions
import AllotExposures
import AllotServer
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

/// The server: routes, the services beside them, and the connections.
struct AllotHTTPServer {
    private let application: Application<RouterResponder<BasicRequestContext>>
    private let logger: Logger
    private let address: String

    init(_ settings: ResolvedSettings, registry: PrometheusRegistry, logger: Logger) throws {
        self.logger = logger
        address = "\(settings.hostname):\(settings.port)"
        let definitions = try DefinitionsReloader(
            folder: settings.definitions, limits: settings.limits, logger: logger)
        let store = try Self.store(settings.exposures)
        let signing = try settings.signingKey.map { try Self.signing($0, logger) }
        var allot = AllotService(definitions.plans)
        allot.signer = signing?.signer
        allot.fetchInterval = settings.fetchInterval
        allot.exposures = store
        allot.tokens = settings.tokens
        allot.metrics = { registry.text() }
        allot.registerGauges(with: registry)

        var services: [any Service] = []
        if let signing { services.append(signing) }
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
            services: [definitions, ExposureStoreService(store, logger: logger)] + services,
            logger: logger)
    }

    /// Serves until SIGTERM or SIGINT: then answers the requests under way and stores what waits.
    func run() async throws {
        var configuration = ServiceGroupConfiguration(
            services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            throw StartFailure(
                "cannot listen on \(address) (\(error)); end the program that listens there, or name another address with "
                    + "--hostname or --port")
        }
    }

    private static func store(_ path: String) throws -> ExposureStore {
        do {
            return try ExposureStore(path: path)
        } catch {
            throw StartFailure("\(error)")
        }
    }

    private static func signing(_ path: String, _ logger: Logger) throws -> SigningKeyReloader {
        do throws(SignatureError) {
            return try SigningKeyReloader(file: path, logger: logger)
        } catch {
            throw StartFailure(error.message)
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
            // Whether certificate and key belong together shows here, before anything runs.
            _ = try NIOSSLContext(configuration: configuration)
            return try .tls(base, configuration: .init(tlsConfiguration: configuration))
        } catch {
            throw StartFailure(
                "TLS cannot be set up with \(tls.certificate) and \(tls.key) (\(error)); check that both are PEM files and "
                    + "belong together")
        }
    }
}
