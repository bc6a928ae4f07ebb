import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

extension RequestFailure: HTTPResponseError {
    package var status: HTTPResponse.Status { HTTPResponse.Status(code: code.rawValue) }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        RouteAnswer(self).response
    }

    /// The failure that a fault of the server is, which is logged.
    init(faultOf error: any Error, _ logger: Logger) {
        logger.error("a request cannot be answered: \(error)")
        self.init(error)
    }
}

extension Response {
    /// A response of JSON.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: value.canonicalBytes)))
    }
}

extension HTTPField.Name {
    static let jwsSignature = named(DetachedSignature.headerName)
    /// The seconds until the next boundary.
    static let allotBoundary = named(ServiceHeader.boundary)
    static let allotUnread = named(ServiceHeader.unread)
    static let apiKey = named("X-API-Key")
    package static let referrerPolicy = named("Referrer-Policy")
    /// Only requests of HTTP/2 have it: that of HTTP/1 is the authority.
    static let hostField = named("Host")
    /// The cursor of an export, after which the next one begins.
    static let allotCursor = named("Allot-Cursor")

    /// A name that is written in the source.
    private static func named(_ text: String) -> Self {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not the name of a header") }
        return name
    }
}
