public import AllotConfiguration
public import Foundation

/// How a client behaves.
public struct ClientOptions: Sendable {
    /// When a configuration that was fetched comes into force.
    public enum Activation: Sendable, Hashable {
        /// When the client starts, and when the user changes: what was fetched last. Nothing changes under a running user
        /// interface, unless ``ConfigurationClient/activate()`` is called.
        case atStart
        /// As soon as it is fetched.
        case whenFetched
        /// Only by ``ConfigurationClient/activate()``; a start of the app brings back what was in force before.
        case byCall
    }

    /// Which configurations are believed.
    public enum Signatures: Sendable {
        /// Any that the server sends.
        case unchecked
        /// Those that a pinned key has signed; others are refused.
        case required(any SignatureVerifier)
        /// Any, but those that no pinned key has signed are reported: for development.
        case reported(any SignatureVerifier)
    }

    /// When a fetched configuration comes into force.
    public var activation: Activation
    /// How long ``ConfigurationClient/refresh()`` does not ask the server again, where the server names no interval itself,
    /// of a week at most: 12 hours. 0, for development, also where the server names one.
    public var minimumInterval: Duration
    /// How often and when a failed request is made again.
    public var retry: RetryPolicy
    /// Over how long the requests are spread that many clients make when the server tells all of them of a change.
    public var updateSpread: Duration = .seconds(3)
    /// Which configurations are believed.
    public var signatures: Signatures
    /// The configuration that the app is delivered with, in force until one is fetched. It is asked for when it is needed,
    /// and must not use the client.
    public var bootstrap: (@Sendable () throws -> ConfigurationDocument)?

    /// The time. Tests set it.
    public var now: @Sendable () -> Date = { Date() }
    /// Waits. Tests set it.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// A number at random, 0 ..< 1. Tests set it.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Describes how a client behaves.
    public init(
        activation: Activation = .atStart, minimumInterval: Duration = .seconds(12 * 60 * 60),
        retry: RetryPolicy = RetryPolicy(), signatures: Signatures = .unchecked,
        bootstrap: (@Sendable () throws -> ConfigurationDocument)? = nil
    ) {
        self.activation = activation
        self.minimumInterval = minimumInterval
        self.retry = retry
        self.signatures = signatures
        self.bootstrap = bootstrap
    }

    /// For development: the server is asked at each call, and what it says is in force at once.
    public static var development: ClientOptions {
        var options = ClientOptions(activation: .whenFetched, minimumInterval: .zero)
        options.updateSpread = .zero
        return options
    }
}

extension ConfigurationDocument {
    /// Reads a file in the exchange format, such as the configuration that an app is delivered with:
    ///
    ///     var options = ClientOptions()
    ///     options.bootstrap = { try ConfigurationDocument(contentsOf: "Initial.json") }
    ///
    /// - Throws: Foundation's error for a file that cannot be read, ``AllotConfiguration/ConfigurationDocumentError`` for one
    ///   that is no configuration.
    public init(contentsOf path: String) throws {
        try self.init(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path))))
    }
}
