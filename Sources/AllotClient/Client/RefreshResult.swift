public import AllotConfiguration

public import struct Foundation.Date

/// What asking the server has brought.
public struct RefreshResult: Sendable, Hashable {
    /// What happened.
    public enum Outcome: Sendable, Hashable {
        /// The server sent a configuration.
        case fetched
        /// The server says that the client has it already.
        case unchanged
        /// The server was not asked: it was, not long ago.
        case notDue
    }

    /// What happened.
    public let outcome: Outcome
    /// Whether what was fetched last differs, for an app, from what was in force when it was asked for: a value, an
    /// assignment, or another member of `meta` than when and from what the configuration was made.
    public let isChanged: Bool
    /// Why the configuration could not be kept for the next start of the app; it is used nevertheless.
    public let storeError: StoreError?

    init(_ outcome: Outcome, isChanged: Bool, storeError: StoreError? = nil) {
        self.outcome = outcome
        self.isChanged = isChanged
        self.storeError = storeError
    }
}

/// Why asking the server has brought nothing. What was in force stays in force.
public enum RefreshError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There was no answer, also not after asking again.
    case failed(RequestError)
    /// What the server sent is not used.
    case rejected(Rejection)
    /// The server asked to be left alone until then.
    case throttled(until: Date)
    /// The user was changed, or is known better now, and the answer is of no use.
    case superseded
    /// Nobody waits for the answer any more.
    case cancelled

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .failed(let error): "the configuration was not fetched: \(error)"
        case .rejected(let rejection): "the server's configuration is not used: \(rejection)"
        case .throttled(let date): "the server asked not to be asked until \(date)"
        case .superseded: "what is known of the user has changed meanwhile; ask again"
        case .cancelled: "the request was cancelled"
        }
    }
}

/// Why a configuration that the server sent is not used.
public enum Rejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is no configuration.
    case malformed(ConfigurationDocumentError)
    /// It has no section.
    case empty
    /// It is not signed.
    case unsigned
    /// No pinned key has signed it.
    case signature(SignatureError)

    /// What is wrong.
    public var description: String {
        switch self {
        case .malformed(let error): "\(error)"
        case .empty: "it has no section; is it the right address?"
        case .unsigned: "it is not signed; sign it at the server, or allow unsigned ones"
        case .signature(let error): "\(error)"
        }
    }
}
