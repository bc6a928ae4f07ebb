import AllotDefinitions
import AllotExposures
import AllotFiles
import AllotServing
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

package struct ServerProgram {
    private let application: Application<RouterResponder<BasicRequestContext>>
    private let logger: Logger
    private let address: String
    private let draining: Draining
    private let connections: ConnectionCounter
    private let listener = Listener()
    private let drain: Duration
    private let manager: ServiceManager?
    /// The longest time from the end of draining to that of the server, unless a store does not answer.
    private static let longestEnd = Duration.seconds(20)
    /// The part of it in which clients may send the rest of their requests and read their answers.
    private static let grace = Duration.seconds(16)

    package init(
        _ settings: Settings, environment: [String: String], registry: PrometheusRegistry, logger: Logger,
        tls: any TransportSecurity.Type, pages: any PageMaker, opener: @escaping ExposureStore.Opener
    ) throws {
        self.logger = logger
        drain = settings.drain
        address = "\(settings.hostname):\(settings.port)"
        manager = ServiceManager(environment: environment, address: address, logger: logger)
        let definitions = try DefinitionsReloader(folder: settings.definitions, limits: settings.limits, logger: logger)
        let signing = try settings.signingKey.map { try SigningKeyReloader(file: $0, logger: logger) }
        var allot = AllotService(definitions)
        allot.signer = signing?.signer
        allot.fetchInterval = settings.fetchInterval
        allot.exposures = settings.exposures.map {
            ExposureService(
                $0, plans: definitions.plans, retention: settings.exposureRetention, logger: logger, opener: opener)
        }
        var tokens: AccessTokensReloader?
        switch settings.tokens {
        case .file(let file)?:
            tokens = try AccessTokensReloader(file: file, logger: logger)
            allot.tokens = tokens?.tokens
        case .list(let list)?: allot.tokens = AccessTokenStore(list)
        case nil: break
        }
        allot.origins = settings.origins
        allot.pages = pages
        let maximum = Self.connections(settings.maximumConnections, logger)
        let half = max(maximum / 2, 1)
        allot.eventStreams = EventStreams(maximum: settings.maximumEventStreams ?? half)
        allot.metrics = { registry.text() }
        allot.registerGauges(with: registry)
        LogSink.countDropped(0)
        draining = allot.draining
        connections = ConnectionCounter(maximum: maximum, ofClient: settings.maximumConnectionsPerAddress ?? half)
        let handlers = ConnectionHandlers(
            limits: ConnectionLimits(
                timeout: settings.requestTimeout, bodyBytes: 2 * allot.limits.exposureBodyBytes, hosts: settings.hosts,
                draining: draining),
            connections: connections, refusals: RefusalLog(logger: logger),
            routes: AllotRoutes(allot, logger: logger))
        let security = try settings.tls.map { try tls.init(certificate: $0.certificate, key: $0.key, logger: logger) }
        if let security {
            registry.gauge(
                MetricName.certificateEnd, help: "The end of the certificate's validity, in seconds since 1970."
            ) { Double(security.validity.ends.seconds) }
        }
        // The connections answer without Hummingbird's router.
        application = Application(
            router: Router(),
            server: security?.builder(handlers) ?? HTTPServerBuilder { _ in PlainChannel(handlers: handlers) },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.hostname, port: settings.port), backlog: 1024),
            services: ([allot, signing, tokens, security, manager] as [(any Service)?]).compactMap { $0 },
            onServerRunning: { [listener, manager] channel in
                listener.open(channel)
                // Fails only if the server ends at once.
                try? await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHandler(
                        ConnectionAcceptor(handlers, logger: logger), position: .first)
                }.get()
                manager?.listens()
            }, logger: logger)
    }

    /// Raises the limit of descriptors as far as possible. Returns the most connections that fit then, next to probes,
    /// the store, the definitions, the log and the system libraries.
    private static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(SystemDifference.openFiles, &limit) == 0 else { return .max }
        let former = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if setrlimit(SystemDifference.openFiles, &limit) != 0 { limit.rlim_cur = former }
        return Int(exactly: limit.rlim_cur).map { max($0 - 64 - ConnectionCounter.reserve, 1) } ?? .max
    }

    /// The most connections, for which there have to be descriptors.
    private static func connections(_ wanted: Int, _ logger: Logger) -> Int {
        let possible = raiseDescriptorLimit()
        guard possible < wanted else { return wanted }
        logger.warning(
            """
            the limit of open files has room for \(possible) connections, and \(wanted) are allowed: \
            \(possible) are taken at once; raise the limit of open files (ulimit -n, LimitNOFILE=)
            """)
        return possible
    }

    /// Serves until SIGTERM and the time of draining, or SIGINT; then answers the requests in progress and stores the
    /// waiting exposures. Connections that are open long after that are broken off.
    package func run() async throws {
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.longestEnd
        let group = ServiceGroup(configuration: configuration)
        // Trapped before anything runs: from now on a signal does not end the process by itself.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let ending = Task {
            await serve(until: signals)
            manager?.report(.stopping, "Answering the requests in progress")
            await listener.stop()
            await group.triggerGracefulShutdown()
            guard (try? await Task.sleep(for: Self.grace)) != nil else { return }
            let count = connections.abortAll()
            if count > 0 {
                logger.warning(
                    "connections broken off: their clients did not read their answers or send their requests in time",
                    metadata: ["count": "\(count)"])
            }
        }
        defer { ending.cancel() }
        do { try await group.run() } catch { throw StartFailure.listening(on: address, error) }
    }

    /// Returns when the listener is to close: at SIGINT, or after SIGTERM and the time of draining or the next signal.
    private func serve(until signals: UnixSignalsSequence) async {
        // `nil` when the time is over.
        let (events, source) = AsyncStream.makeStream(of: UnixSignal?.self)
        let forwarding = Task { for await signal in signals { source.yield(signal) } }
        defer { forwarding.cancel() }
        for await event in events {
            guard event == .sigterm, !draining.isActive, drain > .zero else { return }
            draining.begin()
            logger.info("SIGTERM: draining for \(drain); another signal ends it at once")
            manager?.report(.stopping, "Draining for \(drain)")
            Task {
                try? await Task.sleep(for: drain)
                source.yield(nil)
            }
        }
    }
}

/// Puts TLS around connections, and reads the certificate again on SIGHUP, in a module that applications that mount the
/// routes need not build. `Sendable`.
package protocol TransportSecurity: Service {
    init(certificate: String, key: String, logger: Logger) throws
    var validity: CertificateValidity { get }
    func builder(_ handlers: ConnectionHandlers) -> HTTPServerBuilder
}

extension ServerProgram {
    package struct Settings {
        package var definitions = "Experiments"
        package var limits = DefinitionLimits()
        package var hostname = "127.0.0.1"
        package var port = 8080
        /// The store of exposures; `nil` for none.
        package var exposures: String? = "allot.sqlite"
        package var exposureRetention: Duration?
        package var drain = Duration.seconds(5)
        package var tokens: TokenSource?
        /// Whether a server without tokens answers requests for any name.
        package var isOpen = false
        package var tls: (certificate: String, key: String)?
        package var signingKey: String?
        package var fetchInterval: Duration?
        package var maximumConnections = 10_000
        package var maximumConnectionsPerAddress: Int?
        package var maximumEventStreams: Int?
        package var requestTimeout = Duration.seconds(60)
        package var origins: AllowedOrigins?
        /// Whether bearers of tokens may change the settings of the base.
        package var allowsEditing = false
        package init() {}
        /// The names on which other machines cannot connect. Web pages in a browser on this one can, under their own.
        package static let ownNames: Set = ["127.0.0.1", "::1", "localhost"]
        /// The names for which requests are answered; `nil` for any.
        var hosts: Set<String>? { tokens == nil && !isOpen ? Self.ownNames.union(["[::1]"]) : nil }
    }
}

package enum TokenSource {
    /// A file, which may be read again.
    case file(String)
    /// The environment itself.
    case list(AccessTokens)
}

package struct StartFailure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }

    /// The failure of a server that cannot listen on an address; another error stays as it is.
    static func listening(on address: String, _ error: any Error) -> any Error {
        let fix: String
        switch error {
        case let unknown as SocketAddressError.UnknownHost:
            let reason = unknown.errorDescription
            return Self("cannot listen on \(address) (\(reason)); use a name or an address of this machine")
        case let error as IOError where error.errnoCode == EMFILE:
            fix = "raise the limit of open files (ulimit -n, LimitNOFILE=)"
        case let error as IOError where error.errnoCode == ENFILE:
            fix = "raise the system's limit of open files (fs.file-max), or end programs that have many open"
        case is IOError: fix = "stop the program that listens there, or use another name or port"
        default: return error
        }
        return Self("cannot listen on \(address) (\(error)); \(fix)")
    }
}
