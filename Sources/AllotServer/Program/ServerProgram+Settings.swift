import AllotDefinitions

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

        /// The names and addresses on which other machines cannot connect. Web pages in a browser on this one can,
        /// under a name of their own.
        package static let ownNames: Set = ["127.0.0.1", "::1", "localhost"]

        /// The names for which requests are answered; `nil` for any.
        var hosts: Set<String>? { tokens == nil && !isOpen ? Self.ownNames.union(["[::1]"]) : nil }
    }
}

/// The place of the tokens.
package enum TokenSource {
    /// A file, which may be read again.
    case file(String)
    /// The environment itself.
    case list(AccessTokens)
}
