import AllotDefinitions
import AllotServing
import Logging

/// The settings of the server: each is its flag, else its environment variable, else its default.
package struct ResolvedSettings {
    let definitions: String
    let limits: DefinitionLimits
    let hostname: String
    let port: Int
    /// `nil` if there are none.
    let exposures: String?
    let exposureRetention: Duration?
    let drain: Duration
    let tokens: TokenSource?
    /// The names that requests may be for; `nil` for any.
    let hosts: Set<String>?
    let tls: (certificate: String, key: String)?
    let signingKey: String?
    let fetchInterval: Duration?
    package let logLevel: Logger.Level
    package let logFormat: ServerLogHandler.Format
    let maximumConnections: Int
    let maximumConnectionsPerAddress: Int?
    let maximumEventStreams: Int?
    /// In seconds.
    let requestTimeout: Int
    let origins: AllowedOrigins?

    package init(_ given: any GivenSettings, environment: [String: String]) throws {
        let lookup = SettingLookup(environment: environment)
        var limits = DefinitionLimits()
        let counts = 1...1_000_000_000
        limits.settings = try lookup.number(given.maxSettings, "ALLOT_MAX_SETTINGS", counts) ?? limits.settings
        limits.valueBytes = try lookup.number(given.maxValueBytes, "ALLOT_MAX_VALUE_BYTES", counts) ?? limits.valueBytes
        limits.allowsEmpty = given.allowEmpty || environment["ALLOT_ALLOW_EMPTY"] == "1"
        self.limits = limits
        definitions = lookup.text(given.definitions, "ALLOT_DEFINITIONS") ?? "Experiments"
        hostname = lookup.text(given.hostname, "ALLOT_HOSTNAME") ?? "127.0.0.1"
        port = try lookup.number(given.port, "ALLOT_PORT", 0...65535) ?? 8080
        let store = lookup.text(given.exposures, "ALLOT_EXPOSURES") ?? "allot.sqlite"
        exposures = store == "none" ? nil : store
        exposureRetention = try lookup.days(given.exposureRetention, "ALLOT_EXPOSURE_RETENTION")
        drain = .seconds(try lookup.seconds(given.drain, "ALLOT_DRAIN", 0...600) ?? 5)
        signingKey = lookup.text(given.signingKey, "ALLOT_SIGNING_KEY")
        fetchInterval = try lookup.seconds(given.fetchInterval, "ALLOT_FETCH_INTERVAL", 0...31_536_000)
            .map { .seconds($0) }
        maximumConnections =
            try lookup.number(given.maxConnections, "ALLOT_MAX_CONNECTIONS", 1...1_000_000) ?? 10_000
        maximumConnectionsPerAddress = try lookup.number(
            given.maxConnectionsPerAddress, "ALLOT_MAX_CONNECTIONS_PER_ADDRESS", 1...1_000_000)
        maximumEventStreams = try lookup.number(given.maxEventStreams, "ALLOT_MAX_EVENT_STREAMS", 0...1_000_000)
        requestTimeout = try lookup.seconds(given.requestTimeout, "ALLOT_REQUEST_TIMEOUT", 1...3600) ?? 60
        origins = try lookup.list(given.corsOrigin, "ALLOT_CORS_ORIGIN").map { try AllowedOrigins($0) }
        logLevel = try lookup.choice(given.logLevel, "ALLOT_LOG_LEVEL", "level") ?? .info
        logFormat = try lookup.choice(given.logFormat, "ALLOT_LOG_FORMAT", "format") ?? .text
        switch (
            lookup.text(given.tlsCertificate, "ALLOT_TLS_CERTIFICATE"), lookup.text(given.tlsKey, "ALLOT_TLS_KEY")
        ) {
        case (let certificate?, let key?): tls = (certificate, key)
        case (nil, nil): tls = nil
        default: throw StartFailure("TLS needs both --tls-certificate and --tls-key; add the missing one")
        }
        tokens = try lookup.tokens(given.tokens)
        let isOpen = given.open || environment["ALLOT_OPEN"] == "1"
        // Other machines cannot connect to these. Web pages in a browser on this one can, under a name of their own.
        let ownNames = ["127.0.0.1", "::1", "localhost"]
        hosts = tokens == nil && !isOpen ? Set(ownNames + ["[::1]"]) : nil
        guard tokens != nil || isOpen || ownNames.contains(hostname) else {
            throw StartFailure(
                "--hostname \(hostname) lets other machines connect, and there are no tokens; add --tokens FILE, or "
                    + "--open to serve everything without tokens")
        }
        guard tokens == nil || !isOpen else {
            throw StartFailure("--open and tokens exclude each other; use one of them")
        }
    }
}

/// The settings that a command line gives, as they were written, by the names of their flags.
package protocol GivenSettings {
    var allowEmpty: Bool { get }
    var corsOrigin: [String] { get }
    var definitions: String? { get }
    var drain: String? { get }
    var exposureRetention: String? { get }
    var exposures: String? { get }
    var fetchInterval: String? { get }
    var hostname: String? { get }
    var logFormat: String? { get }
    var logLevel: String? { get }
    var maxConnections: String? { get }
    var maxConnectionsPerAddress: String? { get }
    var maxEventStreams: String? { get }
    var maxSettings: String? { get }
    var maxValueBytes: String? { get }
    var open: Bool { get }
    var port: String? { get }
    var requestTimeout: String? { get }
    var signingKey: String? { get }
    var tlsCertificate: String? { get }
    var tlsKey: String? { get }
    var tokens: String? { get }
}
