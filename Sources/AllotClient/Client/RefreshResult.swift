public import AllotConfiguration

public import struct Foundation.Date

/// The result of asking the server.
public struct RefreshResult: Sendable, Hashable {
    /// The outcome of asking the server.
    public enum Outcome: Sendable, Hashable {
        /// The server sent a configuration.
        case fetched
        /// The server confirmed that the client has the latest configuration.
        case unchanged
        /// The server was not asked, because it was asked recently.
        case notDue
    }

    /// The outcome.
    public let outcome: Outcome
    /// Whether the latest response differs, for an app, from the configuration that was current when it arrived: in a
    /// value, an assignment, or a member of `meta` other than its creation time and revision.
    public let isChanged: Bool
    /// The reason why the configuration could not be stored for the next start of the app; it is used nevertheless.
    public let storeError: StoreError?

    init(_ outcome: Outcome, isChanged: Bool, storeError: StoreError? = nil) {
        (self.outcome, self.isChanged, self.storeError) = (outcome, isChanged, storeError)
    }
}

extension RefreshResult: CustomStringConvertible {
    /// The result on one line.
    public var description: String {
        let change = isChanged ? "; the latest one differs from the current one" : ""
        return PrintableText(line: outcome.text + change + storeProblem).description
    }

    fileprivate var storeProblem: String { storeError.map { "; it is not stored: \($0)" } ?? "" }
}

extension RefreshResult.Outcome {
    fileprivate var text: String {
        switch self {
        case .fetched: "the server sent a configuration"
        case .unchanged: "the server confirmed the configuration"
        case .notDue: "the server was not asked, because it was asked recently"
        }
    }
}

/// The result of asking the server for a limited time; see ``ConfigurationClient/refresh(within:)``.
public enum TimedRefresh: Sendable, Hashable {
    /// The latest configuration is the current one: the server sent or confirmed it in time, or did so recently.
    case inTime(RefreshResult)
    /// The server did not answer in time, or the last attempt failed, by this error, and is repeated. The download
    /// continues, and the current configuration stays, which has this origin.
    case late(ConfigurationOrigin, after: RefreshError?)
    /// The request failed in time, or the caller's task was cancelled. The current configuration stays, which has this
    /// origin.
    case failed(RefreshError, ConfigurationOrigin)
}

extension TimedRefresh: CustomStringConvertible {
    /// The configuration with which the app starts, and why it is that one, on one line.
    public var description: String {
        switch self {
        case .inTime(let result): text("the latest configuration", "\(result.outcome.text)\(result.storeProblem)")
        case .late(let origin, nil): text(origin.text, "the server did not answer in time, and the download continues")
        case .late(let origin, let error?): text(origin.text, "the download continues after a failed attempt: \(error)")
        case .failed(let error, let origin): text(origin.text, "\(error)")
        }
    }

    private func text(_ configuration: String, _ reason: String) -> String {
        PrintableText(line: "the app starts with \(configuration): \(reason)").description
    }
}

extension ConfigurationOrigin {
    fileprivate var text: String {
        switch self {
        case .none: "the defaults in its code"
        case .bootstrap: "the configuration that was bundled with it"
        case .stored: "the stored configuration"
        case .remote: "the configuration that the server sent or confirmed last"
        }
    }
}

/// A failure to ask the server. The current configuration is unchanged.
public enum RefreshError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The request failed, including its repetitions.
    case failed(RequestError)
    /// The response was rejected.
    case rejected(Rejection)
    /// The server asked for a delay until then.
    case throttled(until: Date)
    /// The response was discarded because the user or the user's attributes changed while the request was in flight.
    case superseded
    /// The caller's task was cancelled, or ``ConfigurationClient/forget(_:)`` was called for the user. The request goes
    /// on as long as another caller waits for it.
    case cancelled

    /// The failure, and its remedy.
    public var description: String {
        switch self {
        case .failed(let error): "the configuration was not fetched: \(error)"
        case .rejected(let rejection): "the server's configuration was rejected: \(rejection)"
        case .throttled(let date): "the server asked for no requests until \(date)"
        case .superseded: "the user's attributes changed while the request was in flight; refresh again"
        case .cancelled: "the request was cancelled"
        }
    }
}

/// The reason why a response of the server is not used.
public enum Rejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// The response is not a configuration.
    case malformed(ConfigurationDocumentError)
    /// The configuration has no sections.
    case empty
    /// The response is not signed.
    case unsigned
    /// No pinned key has signed it.
    case signature(SignatureError)
    /// The configuration is to be bundled with an app, but these members of `meta` say what was decided for one user.
    case personal([String])

    /// The fault, and its remedy.
    public var description: String {
        switch self {
        case .malformed(let error): "\(error)"
        case .empty: "the configuration has no sections; check the server's URL"
        case .unsigned: "the configuration is not signed; sign configurations at the server, or allow unsigned ones"
        case .signature(let error): "\(error)"
        case .personal(let members):
            "its meta has \(members.joined(separator: " and ")) of one user; bundle what the server answers to "
                + "\(ServicePath.configuration)/\(ServicePath.noUser)"
        }
    }
}
