import AllotDefinitions
import AllotServer
import Foundation
import Logging

/// The settings of the server: each is its flag, else its environment variable, else its default.
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
    let logFormat: ServerLogHandler.Format
    let maximumConnections: Int
    let requestTimeout: Int

    init(_ given: ServerSettings, environment: [String: String]) throws {
        let lookup = Lookup(environment: environment)
        var limits = DefinitionLimits()
        let counts = 1...1_000_000_000
        limits.settings = try lookup.number(given.maxSettings, "ALLOT_MAX_SETTINGS", counts) ?? limits.settings
        limits.valueBytes = try lookup.number(given.maxValueBytes, "ALLOT_MAX_VALUE_BYTES", counts) ?? limits.valueBytes
        self.limits = limits
        definitions = lookup.text(given.definitions, "ALLOT_DEFINITIONS") ?? "Experiments"
        hostname = lookup.text(given.hostname, "ALLOT_HOSTNAME") ?? "127.0.0.1"
        port = try lookup.number(given.port, "ALLOT_PORT", 0...65535) ?? 8080
        exposures = lookup.text(given.exposures, "ALLOT_EXPOSURES") ?? "allot.sqlite"
        signingKey = lookup.text(given.signingKey, "ALLOT_SIGNING_KEY")
        fetchInterval = try lookup.number(given.fetchInterval, "ALLOT_FETCH_INTERVAL", 0...31_536_000)
            .map { .seconds($0) }
        maximumConnections =
            try lookup.number(given.maxConnections, "ALLOT_MAX_CONNECTIONS", 1...1_000_000) ?? 10_000
        requestTimeout = try lookup.number(given.requestTimeout, "ALLOT_REQUEST_TIMEOUT", 1...3600) ?? 60
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
        // Other machines cannot connect to these.
        guard tokens != nil || isOpen || ["127.0.0.1", "::1", "localhost"].contains(hostname) else {
            throw StartFailure(
                "--hostname \(hostname) lets other machines connect, and there are no tokens; add --tokens FILE, or "
                    + "--open to serve everything without tokens")
        }
        guard tokens == nil || !isOpen else {
            throw StartFailure("--open and tokens exclude each other; use one of them")
        }
    }
}

/// Looks up settings in the environment that no flag gives.
private struct Lookup {
    let environment: [String: String]

    func text(_ given: String?, _ variable: String) -> String? {
        given ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    func number(_ given: Int?, _ variable: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = text(given.map(String.init), variable) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            // ALLOT_LOG_LEVEL is --log-level.
            let flag = "--" + variable.dropFirst("ALLOT_".count).lowercased().replacing("_", with: "-")
            throw StartFailure(
                "\(given == nil ? variable : flag) \(text) is not a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return number
    }

    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ given: String?, _ variable: String, _ noun: String
    ) throws -> Value? {
        guard let text = text(given, variable) else { return nil }
        guard let value = Value(rawValue: text) else {
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw StartFailure("there is no log \(noun) \"\(text)\"; the \(noun)s are \(all)")
        }
        return value
    }

    func tokens(_ given: String?) throws -> AccessTokens? {
        switch (text(given, "ALLOT_TOKENS_FILE"), text(nil, "ALLOT_TOKENS")) {
        case (nil, nil): return nil
        case (let file?, nil): return try AccessTokens(contentsOf: file)
        case (nil, let lines?): return try AccessTokens(parsing: lines, name: "ALLOT_TOKENS")
        default: throw StartFailure("there are tokens in a file and in ALLOT_TOKENS; keep one of them")
        }
    }
}
