import AllotConfiguration

/// The bearer token that requests to a server carry: one that stays, or one that a closure returns for each request.
///
/// ```swift
/// func makeToken(_ renew: @escaping @Sendable () async throws -> String) -> AccessToken {
///     AccessToken { try await renew() }  // the token of the session, which expires
/// }
/// let token: AccessToken = "app-token"
/// ```
public struct AccessToken: Sendable {
    private let make: @Sendable () async throws -> String

    /// A token that stays.
    public init(_ token: String) { make = { token } }

    /// A token that is asked for before each request, and each connection to the server's events.
    ///
    /// - Parameter token: returns the token; called from any thread, and often, so keep one that is still valid. A
    ///   request waits for it without a limit. An error that is not a ``RequestError`` counts as temporary: the request
    ///   is repeated. Events contain the text of an error, so it should name no user.
    public init(_ token: @escaping @Sendable () async throws -> String) { make = token }

    func text() async throws(RequestError) -> String {
        do {
            return try await make()
        } catch {
            // The closure may also report a cancellation of its own, such as one of a sign-in.
            if Task.isCancelled { throw RequestError(.cancelled, "the request was cancelled") }
            if let error = error as? RequestError, error.kind != .cancelled { throw error }
            throw RequestError(
                .unreachable, "there is no token for the request: \(PrintableText("\(error)")); ask again later")
        }
    }
}

extension AccessToken: ExpressibleByStringLiteral {
    /// `"app-token"`
    public init(stringLiteral value: String) { self.init(value) }
}
