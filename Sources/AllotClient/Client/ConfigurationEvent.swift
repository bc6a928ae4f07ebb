public import AllotConfiguration

/// An event of a client; see ``ConfigurationClient/events``. `Sendable`.
public enum ConfigurationEvent: Sendable {
    /// The server sent a configuration for the current user; the change compares it with the current one, and it may
    /// not be active yet. Reading it reports no exposures.
    case fetched(Configuration, ConfigurationChange)
    /// The server confirmed that the client has the latest configuration.
    case unchanged(ConfigurationUser)
    /// A response arrived for a former user; it is stored for when that user returns.
    case storedForOtherUser(ConfigurationUser)
    /// The response was discarded because the user's attributes changed while the request was in flight.
    case superseded(ConfigurationUser)
    /// The request failed. `retryIn` is the delay before it is repeated, `nil` if it is not repeated.
    case failed(ConfigurationUser, RequestError, retryIn: Duration?)
    /// The response was rejected.
    case rejected(ConfigurationUser, Rejection)
    /// A configuration is used although no pinned key has signed it, because ``ClientOptions/allowsInvalidSignatures``
    /// is set.
    case usedUnverified(ConfigurationUser, Rejection)
    /// A device token was applied although no pinned key has signed it, for the same reason.
    case appliedUnverified(SignatureError)
    /// A configuration became the current one; the change compares it with the former one.
    case activated(Configuration, ConfigurationChange)
    /// The connection to the server's events has ended. `retryIn` is the delay before the next one.
    case updatesEnded(RequestError?, retryIn: Duration)
    /// A record could not be read or written.
    case storeFailed(StoreError)
    /// The configuration that is bundled with the app cannot be used.
    case bootstrapFailed(String)
    /// The user was exposed to an experiment, and the client has no reporter. Sent once: at the first exposure, or to
    /// the first subscriber after it.
    case unreportedExposures(experiment: String)
}

extension ConfigurationEvent: CustomStringConvertible {
    /// The event on one line and, where something is wrong, the fix; without IDs and attributes of users.
    public var description: String { PrintableText(line: text).description }

    private static func words(_ duration: Duration) -> String {
        "\((duration / .seconds(1) * 10).rounded() / 10) seconds"
    }

    private var text: String {
        switch self {
        case .fetched(_, let change): "the server sent a configuration; changed: \(change)"
        case .unchanged: "the server confirmed the configuration"
        case .storedForOtherUser: "the server sent a configuration for a former user, which was stored"
        case .superseded: "a configuration was discarded, because the user's attributes changed; refresh again"
        case .failed(_, let error, let delay):
            "\(error); \(delay.map { "the next attempt is in \(Self.words($0))" } ?? "there is no other attempt")"
        case .rejected(_, let rejection): "\(RefreshError.rejected(rejection))"
        case .usedUnverified(_, let rejection): "a configuration is used that is not verified: \(rejection)"
        case .appliedUnverified(let error): "a device token was applied that is not verified: \(error)"
        case .activated(_, let change): "a configuration became the current one; changed: \(change)"
        case .updatesEnded(let error, let delay):
            "the connection to the server's events ended\(error.map { ": \($0)" } ?? ""); the next is made in "
                + Self.words(delay)
        case .storeFailed(let error): "\(error)"
        case .bootstrapFailed(let reason): "the bundled configuration is not used: \(reason)"
        case .unreportedExposures(let experiment):
            "exposures are not reported, such as one to \(PrintableText(experiment)); start the client with the "
                + "server's URL, or give it a reporter"
        }
    }
}
