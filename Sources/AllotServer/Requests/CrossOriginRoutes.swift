import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird

/// Lets pages of allowed origins use the routes that apps use, and answers their preflight requests.
struct CrossOriginRoutes: Sendable {
    private let origins: AllowedOrigins

    /// The headers of answers that a page may read, next to those that every page may.
    private static let exposedHeaders = [
        "ETag", "Retry-After", DetachedSignature.headerName, ServiceHeader.boundary, ServiceHeader.unread,
    ].map { $0.lowercased() }.joined(separator: ", ")

    init(_ origins: AllowedOrigins) {
        self.origins = origins
    }

    /// Whether apps, which pages can be, use the routes of a scope.
    static func isForApps(_ scope: AccessScope?) -> Bool {
        scope == .configuration || scope == .exposures
    }

    /// The answer to a preflight request. Returns `nil` if a request is not one.
    func preflight(_ request: Request) throws(RequestFailure) -> Response? {
        guard request.headers[.accessControlRequestMethod] != nil else { return nil }
        guard let origin = request.headers[.origin], origins.contains(origin) else {
            throw RequestFailure(
                .forbidden, "pages of this origin are not let in; allow the origin in the settings of the server",
                headers: [("Vary", "Origin")])
        }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowOrigin: origin, .accessControlAllowMethods: "GET, POST",
                .accessControlAllowHeaders: "authorization, content-type, if-none-match, last-event-id, x-api-key",
                .accessControlMaxAge: "3600", .vary: "Origin",
            ])
    }

    /// Lets the page that sent a request read the answer, if its origin is allowed.
    func open(_ headers: inout HTTPFields, to head: HTTPRequest) {
        // Caches keep the answers for different origins apart, also those without any.
        headers.append(HTTPField(name: .vary, value: "Origin"))
        guard let origin = head.headerFields[.origin], origins.contains(origin) else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlExposeHeaders] = Self.exposedHeaders
    }
}
