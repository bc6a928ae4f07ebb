/// What happens in a client; see ``ConfigurationClient/events``. `Sendable`.
public enum ConfigurationEvent: Sendable {
    /// The server sent a configuration for the user in force, and whether it differs from the one in force.
    case fetched(ConfigurationUser, isChanged: Bool)
    /// The server says that the client has the configuration already.
    case unchanged(ConfigurationUser)
    /// An answer came for a user who is no longer in force: it is kept for when that user comes back.
    case storedForOtherUser(ConfigurationUser)
    /// An answer is of no use, as more is known of the user than when it was asked for.
    case superseded(ConfigurationUser)
    /// There was no answer; in how many seconds it is asked again, `nil` for not.
    case failed(ConfigurationUser, RequestError, retryIn: Duration?)
    /// What the server sent is not used.
    case rejected(ConfigurationUser, Rejection)
    /// A configuration is used although no pinned key has signed it, as the client was told to.
    case usedUnverified(ConfigurationUser, Rejection)
    /// A configuration came into force, and in what it differs from the one before.
    case activated(Configuration, ConfigurationChange)
    /// The connection by which the server tells of changes has ended; in how many seconds it is made again.
    case updatesEnded(RequestError?, retryIn: Duration)
    /// A record could not be read or written.
    case storeFailed(StoreError)
    /// The configuration that the app is delivered with cannot be used.
    case bootstrapFailed(String)
}
