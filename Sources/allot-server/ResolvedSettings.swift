import AllotDefinitions
import AllotServer
import Logging

/// The settings in force: flags before the environment before defaults.
struct ResolvedSettings {
    let definitions: String
    let limits: DefinitionLimits
    let hostname: String
    let port: Int
    let exposures: String
    let tokens: AccessTokens?
    let tls: (certificate: String, key: String)?
    let signingKey: String?
    let fetchInterval: Duration?
    let logLevel: Logger.Level
    let logsJSON: Bool
    let maximumConnections: Int
    let requestTimeout: Int

    /// Addresses that other machines cannot connect to.
    private static let loopback: Set<String> = ["127.0.0.1", "::1", "localhost"]

    init(_ given: ServerSettings, environment: [String: String]) throws {
        let lookup = Lookup(environment: environment)
        definitions = lookup.text(given.definitions, "ALLOT_DEFINITIONS") ?? "Experiments"
        var limits = DefinitionLimits()
        let counts = 1...1_000_000_000
        limits.settings =
            try lookup.number(given.maxSettings, "--max-settings", "ALLOT_MAX_SETTINGS", in: counts) ?? limits.settings
        limits.valueBytes =
            try lookup.number(given.maxValueBytes, "--max-value-bytes", "ALLOT_MAX_VALUE_BYTES", in: counts)
            ?? limits.valueBytes
        self.limits = limits
        hostname = lookup.text(given.hostname, "ALLOT_HOSTNAME") ?? "127.0.0.1"
        port = try lookup.number(given.port, "--port", "ALLOT_PORT", in: 0...65535) ?? 8080
        exposures = lookup.text(given.exposures, "ALLOT_EXPOSURES") ?? "allot.sqlite"
        signingKey = lookup.text(given.signingKey, "ALLOT_SIGNING_KEY")
        fetchInterval =
            try lookup.number(given.fetchInterval, "--fetch-interval", "ALLOT_FETCH_INTERVAL", in: 0...31_536_000)
            .map { .seconds($0) }
        maximumConnections =
            try lookup.number(given.maxConnections, "--max-connections", "ALLOT_MAX_CONNECTIONS", in: 1...1_000_000)
            ?? 10_000
        requestTimeout =
            try lookup.number(given.requestTimeout, "--request-timeout", "ALLOT_REQUEST_TIMEOUT", in: 1...3600) ?? 60
        let level = lookup.text(given.logLevel, "ALLOT_LOG_LEVEL") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw StartFailure(
                "there is no log level \"\(level)\"; the levels are "
                    + Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self.logLevel = logLevel
        let format = lookup.text(given.logFormat, "ALLOT_LOG_FORMAT") ?? "text"
        guard ["text", "json"].contains(format) else {
            throw StartFailure("there is no log format \"\(format)\"; the formats are text and json")
        }
        logsJSON = format == "json"
        let certificate = lookup.text(given.tlsCertificate, "ALLOT_TLS_CERTIFICATE")
        let key = lookup.text(given.tlsKey, "ALLOT_TLS_KEY")
        switch (certificate, key) {
        case (let certificate?, let key?): tls = (certificate, key)
        case (nil, nil): tls = nil
        default: throw StartFailure("TLS takes both, --tls-certificate and --tls-key; give the other one too")
        }
        tokens = try lookup.tokens(given.tokens)
        let isOpen = given.open || environment["ALLOT_OPEN"] == "1"
        guard tokens != nil || isOpen || Self.loopback.contains(hostname) else {
            throw StartFailure(
                "--hostname \(hostname) lets other machines connect, and there are no tokens; give --tokens FILE, or "
                    + "--open to serve everything to everyone")
        }
        guard tokens == nil || !isOpen else {
            throw StartFailure("--open and tokens exclude each other; give one of the two")
        }
    }

    func makeLogger() -> Logger {
        let format: ServerLogHandler.Format = logsJSON ? .json : .text
        let level = logLevel
        LoggingSystem.bootstrap { label in
            var handler = ServerLogHandler(label: label, format: format)
            handler.logLevel = level
            return handler
        }
        return Logger(label: "allot-server")
    }
}

/// Looks settings up in the environment where no flag gives them.
private struct Lookup {
    let environment: [String: String]

    func text(_ given: String?, _ variable: String) -> String? {
        given ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    func number(_ given: Int?, _ flag: String, _ variable: String, in range: ClosedRange<Int>) throws -> Int? {
        let limits = "\(range.lowerBound) to \(range.upperBound)"
        if let given {
            guard range.contains(given) else { throw StartFailure("\(flag) \(given) is not in \(limits)") }
            return given
        }
        guard let text = text(nil, variable) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw StartFailure("\(variable) is \"\(text)\", which is no whole number in \(limits)")
        }
        return number
    }

    func tokens(_ given: String?) throws -> AccessTokens? {
        let file = text(given, "ALLOT_TOKENS_FILE")
        let lines = text(nil, "ALLOT_TOKENS")
        do {
            switch (file, lines) {
            case (nil, nil): return nil
            case (let file?, nil): return try AccessTokens(parsing: TextFile.read(file), name: file)
            case (nil, let lines?): return try AccessTokens(parsing: lines, name: "ALLOT_TOKENS")
            default: throw StartFailure("there are tokens in a file and in ALLOT_TOKENS; keep one of the two")
            }
        } catch let error as AccessTokens.Failure {
            throw StartFailure(error.description)
        }
    }
}
