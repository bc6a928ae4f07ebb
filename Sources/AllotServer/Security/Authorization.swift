import HTTPTypes
import Hummingbird

/// Checks that the sender of a request may do what it requests.
struct Authorization: Sendable {
    /// `nil` if the application around the routes checks access itself.
    let tokens: AccessTokens?

    /// Throws 401 without a known token, 403 without the scope.
    func require(_ scope: AccessScope, _ request: Request) throws {
        guard let tokens else { return }
        guard let token = Self.token(request) else {
            throw Self.unauthorized("send a token, as \"Authorization: Bearer TOKEN\"")
        }
        guard let scopes = tokens.scopes(of: token) else {
            throw Self.unauthorized("the token is unknown")
        }
        guard scopes.contains(scope) else {
            throw RequestFailure(.forbidden, "the token does not have the scope \(scope.rawValue)")
        }
    }

    private static func token(_ request: Request) -> Substring? {
        if let key = request.headers[.apiKey] { return Substring(key) }
        guard let value = request.headers[.authorization] else { return nil }
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return words[1]
    }

    private static func unauthorized(_ message: String) -> RequestFailure {
        RequestFailure(.unauthorized, message, headers: [.wwwAuthenticate: "Bearer realm=\"allot\""])
    }
}
