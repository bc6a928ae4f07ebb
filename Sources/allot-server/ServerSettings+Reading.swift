import AllotServer
import Logging

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
        if let number = try lookup.number(maxSettings, "ALLOT_MAX_SETTINGS", counts) {
            program.limits.settings = number
        }
        if let number = try lookup.number(maxValueBytes, "ALLOT_MAX_VALUE_BYTES", counts) {
            program.limits.valueBytes = number
        }
        program.limits.allowsEmpty = allowEmpty || lookup.environment["ALLOT_ALLOW_EMPTY"] == "1"
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
