public import AllotConfiguration
import Foundation

#if canImport(os)
    import os
#endif

/// How a client behaves.
///
/// ```swift
/// import AllotConfiguration
/// var options = ClientOptions(activation: .whenFetched, minimumInterval: .seconds(3600))
/// options.bootstrap = { try ConfigurationDocument(contentsOf: "Initial.json") }
/// ```
public struct ClientOptions: Sendable {
    /// When a fetched configuration becomes the current one.
    public enum Activation: Sendable, Hashable {
        /// When the client starts and when the user's ID changes. A running user interface does not change,
        /// unless ``ConfigurationClient/activate()`` or ``ConfigurationClient/fetchAndActivate()`` is called. A change
        /// of the user's attributes activates nothing.
        case atStart
        /// As soon as it is fetched.
        case whenFetched
        /// Only by ``ConfigurationClient/activate()``; when the app starts, the configuration that was active last is
        /// active.
        case byCall
    }

    /// Which configurations are trusted.
    public enum Signatures: Sendable {
        /// All that the server sends.
        case unchecked
        /// Configurations that a pinned key has signed; others are rejected.
        case required(any SignatureVerifier)
    }

    /// When a fetched configuration becomes the current one.
    public var activation: Activation
    /// The time within which ``ConfigurationClient/refresh()`` does not ask the server again; 12 hours by default. An
    /// interval that the server sets, of at most a week, replaces this one. A boundary, such as the start of an
    /// experiment, shortens it and never lengthens it. A minimum interval of 0, for development, turns all of that off.
    /// The interval begins when the server sends or confirms a configuration that the client accepts: after a failure
    /// or a rejected response, the next call asks again.
    public var minimumInterval: Duration
    /// How often and when a failed request is repeated.
    public var retry: RetryPolicy
    /// The time over which clients spread their requests after the server has announced a change to all of them. After
    /// a boundary, such as the start of an experiment, it is less than a second.
    public var updateSpread: Duration = .seconds(3)
    /// Which configurations are trusted.
    public var signatures: Signatures
    /// Whether configurations and device tokens are used that no pinned key has signed. For builds for development:
    /// each use is an event, ``ConfigurationEvent/usedUnverified(_:_:)`` or
    /// ``ConfigurationEvent/appliedUnverified(_:)``, which is logged by default.
    public var allowsInvalidSignatures = false
    /// The number of former users whose configurations are kept for their return; 5 by default, 0 for none. The least
    /// recent ones are removed first: when the user logs out (``ConfigurationClient/setUser(_:)`` without an ID), and
    /// when another user's configuration is fetched or used. See ``ConfigurationClient/forget(_:)`` for a user of whom
    /// nothing may stay.
    public var keptUsers = 5
    /// Returns the configuration that is bundled with the app, which is used until one is fetched. The closure must
    /// not use the client. Bundle what the server answers to `/activeconfig/user/(null)`: a unit's assignments and
    /// holdouts in `meta` are not used, since they are those of one user.
    public var bootstrap: (@Sendable () throws -> ConfigurationDocument)?
    /// Logs the client's events, also those of its start, one after another: `{ logger.info("\($0)") }`. By default
    /// only configurations, tokens and requests with a fault are logged; see ``logFault(_:)``.
    ///
    /// The closure is called on the thread on which an event occurs, must not use the client, and should return soon.
    public var log: @Sendable (ConfigurationEvent) -> Void = { ClientOptions.logFault($0) }

    package var clock = ClientClock()

    /// Creates options.
    public init(
        activation: Activation = .atStart, minimumInterval: Duration = .seconds(12 * 60 * 60),
        retry: RetryPolicy = RetryPolicy(), signatures: Signatures = .unchecked,
        bootstrap: (@Sendable () throws -> ConfigurationDocument)? = nil
    ) {
        (self.activation, self.minimumInterval, self.retry) = (activation, minimumInterval, retry)
        (self.signatures, self.bootstrap) = (signatures, bootstrap)
    }

    /// Options for development: each refresh asks the server, and its response takes effect at once.
    public static var development: ClientOptions {
        var options = ClientOptions(activation: .whenFetched, minimumInterval: .zero)
        options.updateSpread = .zero
        return options
    }
}

extension ClientOptions {
    /// Logs an event if a configuration or a device token has a fault: it is rejected, or it is used although no pinned
    /// key has signed it. A request that cannot be made is logged, too, such as one to a server's URL with a fault.
    /// Other events are ignored.
    ///
    /// The log is that of the system on Apple's platforms (subsystem `allot`), elsewhere the standard error.
    public static func logFault(_ event: ConfigurationEvent) {
        switch event {
        case .rejected, .bootstrapFailed, .usedUnverified, .appliedUnverified: break
        case .failed(_, let error, _) where error.kind == .invalidRequest: break
        case .fetched, .unchanged, .storedForOtherUser, .superseded, .failed, .activated, .updatesEnded, .storeFailed,
            .unreportedExposures:
            return
        }
        #if canImport(os)
            Logger(subsystem: "allot", category: "client").error("\(event.description, privacy: .public)")
        #else
            // A log that cannot be written must not end the app.
            try? FileHandle.standardError.write(contentsOf: Data("allot: \(event)\n".utf8))
        #endif
    }
}

/// Time and chance, which tests replace.
package struct ClientClock: Sendable {
    package var now: @Sendable () -> Date = { Date() }
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Returns a random number, 0 ..< 1, so that clients that failed together do not retry together.
    package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
}

extension ConfigurationDocument {
    /// Reads a file in the exchange format, such as the configuration that is bundled with an app; see
    /// ``ClientOptions/bootstrap``.
    public init(contentsOf path: String) throws {
        try self.init(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path))))
    }
}
