import AllotServer
import ArgumentParser
import Logging

/// The flags of the server. Their help names the environment variable and the default.
struct ServerSettings: ParsableArguments {
    @Option(
        name: [.customShort("d"), .customLong("definitions")],
        help: "The definitions folder. [ALLOT_DEFINITIONS, Experiments]") var definitions: String?

    @Flag(help: "Start even if the folder defines nothing. [ALLOT_ALLOW_EMPTY=1]") var allowEmpty = false
    @Option(help: "The address to listen on. [ALLOT_HOSTNAME, 127.0.0.1]") var hostname: String?
    @Option(help: "The port to listen on; 0 for any that is free. [ALLOT_PORT, 8080]") var port: String?

    @Option(
        help: ArgumentHelp(
            """
            Where exposures are stored: an SQLite file, or postgresql://USER@HOST/DATABASE when several servers share \
            them (leave the password to ~/.pgpass or PGPASSWORD); none for no exposures. [ALLOT_EXPOSURES, allot.sqlite]
            """, valueName: "store"))
    var exposures: String?

    @Option(
        help: ArgumentHelp(
            """
            How long exposures are kept, such as 400d or 52w; else for ever. What is older is announced in the log and \
            deleted an hour later, at most a tenth of all in an hour. [ALLOT_EXPOSURE_RETENTION]
            """, valueName: "duration"))
    var exposureRetention: String?

    @Option(
        help: ArgumentHelp(
            """
            A file of bearer tokens: on each line scopes joined with commas (configuration, exposures, explain, \
            metrics, override, edit), the token, and for edit a name. Browsers send the token, for the pages, as a \
            password. ALLOT_TOKENS in the environment holds such lines itself. [ALLOT_TOKENS_FILE]
            """, valueName: "file"))
    var tokens: String?

    @Flag(
        help: """
            Let bearers of tokens with the scope edit change settings of the base on the pages: in the folder's files, \
            and as commits if it is in a Git repository. [ALLOT_ALLOW_EDITING=1]
            """)
    var allowEditing = false
    @Flag(help: "Serve everything without tokens, even if other machines can connect. [ALLOT_OPEN=1]") var open = false

    @Option(
        help: ArgumentHelp(
            """
            Let pages of this origin in, such as https://shop.example; repeatable. ALLOT_CORS_ORIGIN holds several, \
            with spaces between them. [ALLOT_CORS_ORIGIN]
            """, valueName: "origin"))
    var corsOrigin: [String] = []

    @Option(help: ArgumentHelp("The certificate chain for TLS, PEM. [ALLOT_TLS_CERTIFICATE]", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The private key for TLS, PEM. [ALLOT_TLS_KEY]", valueName: "file")) var tlsKey: String?

    @Option(help: "The file of the key that signs configurations, PEM; read again on SIGHUP. [ALLOT_SIGNING_KEY]")
    var signingKey: String?

    @Option(
        help: ArgumentHelp(
            "How long clients may use a configuration before they fetch again, such as 5m. [ALLOT_FETCH_INTERVAL]",
            valueName: "duration")) var fetchInterval: String?

    @Option(
        help: ArgumentHelp(
            """
            How long requests are served after SIGTERM, while /health/ready answers 503; 0s ends at once. \
            [ALLOT_DRAIN, 5s]
            """, valueName: "duration"))
    var drain: String?
    @Option(help: "The most settings that the base may declare. [ALLOT_MAX_SETTINGS, 100]") var maxSettings: String?

    @Option(help: "The most bytes of all values, with the overrides of any variant. [ALLOT_MAX_VALUE_BYTES, 131072]")
    var maxValueBytes: String?

    @Option(
        help: "The lowest level that is logged: trace, debug, info, notice, warning, error. [ALLOT_LOG_LEVEL, info]")
    var logLevel: String?
    @Option(help: "How lines are logged: text or json. [ALLOT_LOG_FORMAT, text]") var logFormat: String?

    @Option(help: "The most connections at once; more are refused. [ALLOT_MAX_CONNECTIONS, 10000]")
    var maxConnections: String?

    @Option(
        help: ArgumentHelp(
            """
            The most connections of one address, or of one /64 network of IPv6; more are closed at once. Addresses of \
            this machine have no limit. [ALLOT_MAX_CONNECTIONS_PER_ADDRESS, half the connections]
            """))
    var maxConnectionsPerAddress: String?

    @Option(help: "The most event streams; more are refused. [ALLOT_MAX_EVENT_STREAMS, half the connections]")
    var maxEventStreams: String?

    @Option(
        help: ArgumentHelp(
            "The time limit for sending a request, and for an idle connection. [ALLOT_REQUEST_TIMEOUT, 60s]",
            valueName: "duration")) var requestTimeout: String?
}

extension ServerSettings {
    func log(_ lookup: SettingLookup) throws -> (level: Logger.Level, format: ServerLogHandler.Format) {
        (
            try lookup.choice(logLevel, "ALLOT_LOG_LEVEL", "level") ?? .info,
            try lookup.choice(logFormat, "ALLOT_LOG_FORMAT", "format") ?? .text
        )
    }

    /// The settings of the program: each is its flag, else its environment variable, else its default.
    func program(_ lookup: SettingLookup) throws -> ServerProgram.Settings {
        var program = ServerProgram.Settings()
        let counts = 1...1_000_000_000
        var limits = program.limits
        limits.settings = try lookup.number(maxSettings, "ALLOT_MAX_SETTINGS", counts) ?? limits.settings
        limits.valueBytes = try lookup.number(maxValueBytes, "ALLOT_MAX_VALUE_BYTES", counts) ?? limits.valueBytes
        limits.allowsEmpty = allowEmpty || lookup.environment["ALLOT_ALLOW_EMPTY"] == "1"
        program.limits = limits
        program.definitions = lookup.text(definitions, "ALLOT_DEFINITIONS") ?? program.definitions
        program.hostname = lookup.text(hostname, "ALLOT_HOSTNAME") ?? program.hostname
        program.port = try lookup.number(port, "ALLOT_PORT", 0...65535) ?? program.port
        let store = lookup.text(exposures, "ALLOT_EXPOSURES") ?? program.exposures
        program.exposures = store == "none" ? nil : store
        program.exposureRetention = try lookup.days(exposureRetention, "ALLOT_EXPOSURE_RETENTION")
        program.drain = try lookup.seconds(drain, "ALLOT_DRAIN", 0...600) ?? program.drain
        program.signingKey = lookup.text(signingKey, "ALLOT_SIGNING_KEY")
        program.fetchInterval = try lookup.seconds(fetchInterval, "ALLOT_FETCH_INTERVAL", 0...31_536_000)
        program.maximumConnections =
            try lookup.number(maxConnections, "ALLOT_MAX_CONNECTIONS", 1...1_000_000) ?? program.maximumConnections
        program.maximumConnectionsPerAddress = try lookup.number(
            maxConnectionsPerAddress, "ALLOT_MAX_CONNECTIONS_PER_ADDRESS", 1...1_000_000)
        program.maximumEventStreams = try lookup.number(maxEventStreams, "ALLOT_MAX_EVENT_STREAMS", 0...1_000_000)
        program.requestTimeout =
            try lookup.seconds(requestTimeout, "ALLOT_REQUEST_TIMEOUT", 1...3600) ?? program.requestTimeout
        program.origins = try lookup.list(corsOrigin, "ALLOT_CORS_ORIGIN").map { try AllowedOrigins($0) }
        switch (lookup.text(tlsCertificate, "ALLOT_TLS_CERTIFICATE"), lookup.text(tlsKey, "ALLOT_TLS_KEY")) {
        case (let certificate?, let key?): program.tls = (certificate, key)
        case (nil, nil): break
        default: throw StartFailure("TLS needs both --tls-certificate and --tls-key; add the missing one")
        }
        program.tokens = try lookup.tokens(tokens)
        program.isOpen = open || lookup.environment["ALLOT_OPEN"] == "1"
        let hasTokens = program.tokens != nil
        guard hasTokens || program.isOpen || ServerProgram.Settings.ownNames.contains(program.hostname) else {
            throw StartFailure(
                "--hostname \(program.hostname) lets other machines connect, and there are no tokens; add --tokens "
                    + "FILE, or --open to serve everything without tokens")
        }
        program.allowsEditing = allowEditing || lookup.environment["ALLOT_ALLOW_EDITING"] == "1"
        guard hasTokens || !program.allowsEditing else {
            throw StartFailure("--allow-editing needs tokens, one of them with the scope edit; add --tokens FILE")
        }
        guard !hasTokens || !program.isOpen else {
            throw StartFailure("--open and tokens exclude each other; use one of them")
        }
        return program
    }
}
