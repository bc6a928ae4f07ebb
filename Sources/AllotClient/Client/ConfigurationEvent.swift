/// What happens in a client; see ``ConfigurationClient/events``. `Sendable`.
public enum ConfigurationEvent: Sendable {
    /// The server sent a configuration for the current user; the change compares it with the current one. It may not be
    /// active yet; reading it reports no exposures.
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
    /// A configuration is used although no pinned key has signed it, because ``ClientOptions/signatures`` allows it.
    case usedUnverified(ConfigurationUser, Rejection)
    /// A configuration became the current one; the change compares it with the one before.
    case activated(Configuration, ConfigurationChange)
    /// The connection to the server's events has ended. `retryIn` is the delay before the next one.
    case updatesEnded(RequestError?, retryIn: Duration)
    /// A record could not be read or written.
    case storeFailed(StoreError)
    /// The configuration that is bundled with the app cannot be used.
    case bootstrapFailed(String)
}
