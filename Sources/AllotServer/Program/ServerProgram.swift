import AllotServing
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// What the program `allot-server` runs: the routes, the services and the connections.
package struct ServerProgram {
    private let application: Application<RouterResponder<BasicRequestContext>>
    private let logger: Logger
    private let address: String
    private let draining: Draining
    private let listener = Listener()
    private let drain: Duration

    package init(
        _ settings: ResolvedSettings, registry: PrometheusRegistry, logger: Logger,
        tls: any TransportSecurity.Type
    ) throws {
        self.logger = logger
        drain = settings.drain
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
        allot.pages = true
        allot.proposals = SettingProposals(folder: settings.definitions, limits: settings.limits)
        var tokens: AccessTokensReloader?
        switch settings.tokens {
        case .file(let file)?:
            let reloader = try AccessTokensReloader(file: file, logger: logger)
            allot.tokens = reloader.tokens
            tokens = reloader
        case .list(let list)?: allot.tokens = AccessTokenStore(list)
        case nil: break
        }
        allot.origins = settings.origins
        let maximumConnections = Self.connections(settings.maximumConnections, logger)
        allot.eventStreams = EventStreams(maximum: settings.maximumEventStreams ?? max(maximumConnections / 2, 1))
        allot.metrics = { registry.text() }
        allot.registerGauges(with: registry)
        LogSink.registerMetric()
        draining = allot.draining
        let router = Router()
        router.addAllot(allot)
        router.add(middleware: UnmatchedRequests())
        let limits = ConnectionLimits(
            timeout: .seconds(Int64(settings.requestTimeout)), bodyBytes: 2 * allot.limits.exposureBodyBytes,
            hosts: settings.hosts, draining: draining)
        let connections = ConnectionCounter(maximum: maximumConnections)
        let refusals = RefusalLog(logger: logger)
        let direct = DirectAnswers.Service(allot, logger: logger)
        let channel = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionGuard(limits, connections: connections, refusals: refusals), direct.handler(),
            ],
            idleTimeout: limits.timeout,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: ConnectionLimits.fieldBytes, maxHeaderListSize: ConnectionLimits.fieldsBytes,
                maxHeaderFieldCount: ConnectionLimits.fieldCount))
        let security = try settings.tls.map {
            try tls.init(certificate: $0.certificate, key: $0.key, logger: logger)
        }
        application = Application(
            router: router,
            server: security?.builder(channel) ?? .http1(configuration: channel),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.hostname, port: settings.port), backlog: 1024),
            services: ([definitions, exposures, signing, tokens, security] as [(any Service)?]).compactMap { $0 },
            onServerRunning: { [listener] channel in
                listener.open(channel)
                // Fails only if the server ends at once.
                try? await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHandler(
                        ConnectionAcceptor(connections, timeout: limits.timeout, refusals: refusals, logger: logger),
                        position: .first)
                }.get()
            },
            logger: logger)
    }

    /// The most connections, for which there have to be descriptors.
    private static func connections(_ wanted: Int, _ logger: Logger) -> Int {
        DescriptorLimit.raise()
        let possible = DescriptorLimit.connections
        guard possible < wanted else { return wanted }
        logger.warning(
            """
            the limit of open files has room for \(possible) connections, and --max-connections is \(wanted): \
            \(possible) are taken at once; raise the limit of open files (ulimit -n, LimitNOFILE=)
            """)
        return possible
    }

    /// Serves until SIGTERM, which is followed by the time of draining, or SIGINT; then answers the requests in
    /// progress and stores the waiting exposures.
    package func run() async throws {
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        let group = ServiceGroup(configuration: configuration)
        // Trapped before anything runs: from now on a signal does not end the process by itself.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let ending = Task {
            await draining.waitForEnd(signals, drain, logger)
            await listener.stop()
            await group.triggerGracefulShutdown()
        }
        defer { ending.cancel() }
        do {
            try await group.run()
        } catch let error as IOError {
            throw StartFailure(error, listeningOn: address)
        }
    }
}
