/// What sends the requests of a route, which decides in what ways they can carry a token.
enum RouteCaller: Sendable {
    /// Programs set headers: `Authorization: Bearer`, or `X-API-Key`.
    case program
    /// Event sources of browsers cannot, and may have it in the query too: `access_token` (RFC 6750, section 2.3).
    case eventSource
    /// People in browsers type it in as a password, with any user name (RFC 7617).
    case person
}
