import ArgumentParser

/// The flags of the server. Their help names the environment variable and the default.
struct ServerSettings: ParsableArguments {
    @Option(
        name: [.customShort("d"), .customLong("definitions")],
        help: "The definitions folder. [ALLOT_DEFINITIONS, Experiments]")
    var definitions: String?

    @Flag(help: "Start even if the folder defines nothing. [ALLOT_ALLOW_EMPTY=1]")
    var allowEmpty = false

    @Option(help: "The address to listen on. [ALLOT_HOSTNAME, 127.0.0.1]")
    var hostname: String?

    @Option(help: "The port to listen on; 0 for any that is free. [ALLOT_PORT, 8080]")
    var port: String?

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

    @Flag(help: "Serve everything without tokens, even if other machines can connect. [ALLOT_OPEN=1]")
    var open = false

    @Option(
        help: ArgumentHelp(
            """
            Let pages of this origin in, such as https://shop.example; repeatable. ALLOT_CORS_ORIGIN holds several, \
            with spaces between them. [ALLOT_CORS_ORIGIN]
            """, valueName: "origin"))
    var corsOrigin: [String] = []

    @Option(help: ArgumentHelp("The certificate chain for TLS, PEM. [ALLOT_TLS_CERTIFICATE]", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The private key for TLS, PEM. [ALLOT_TLS_KEY]", valueName: "file"))
    var tlsKey: String?

    @Option(help: "The file of the key that signs configurations, PEM; read again on SIGHUP. [ALLOT_SIGNING_KEY]")
    var signingKey: String?

    @Option(
        help: ArgumentHelp(
            "How long clients may use a configuration before they fetch again, such as 5m. [ALLOT_FETCH_INTERVAL]",
            valueName: "duration"))
    var fetchInterval: String?

    @Option(
        help: ArgumentHelp(
            """
            How long requests are served after SIGTERM, while /health/ready answers 503; 0s ends at once. \
            [ALLOT_DRAIN, 5s]
            """, valueName: "duration"))
    var drain: String?

    @Option(help: "The most settings that the base may declare. [ALLOT_MAX_SETTINGS, 100]")
    var maxSettings: String?

    @Option(help: "The most bytes of all values, with the overrides of any variant. [ALLOT_MAX_VALUE_BYTES, 131072]")
    var maxValueBytes: String?

    @Option(
        help: "The lowest level that is logged: trace, debug, info, notice, warning, error. [ALLOT_LOG_LEVEL, info]")
    var logLevel: String?

    @Option(help: "How lines are logged: text or json. [ALLOT_LOG_FORMAT, text]")
    var logFormat: String?

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
            valueName: "duration"))
    var requestTimeout: String?
}
