import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// What a route answers, before it becomes a `Response` of the router or is written to a connection.
struct RouteAnswer {
    var status = HTTPResponse.Status.ok
    /// Without the length of the body.
    var headers: HTTPFields
    var body: ByteBuffer?

    init(status: HTTPResponse.Status = .ok, headers: HTTPFields, body: ByteBuffer? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The answer to a request that fails.
    init(_ failure: RequestFailure) {
        headers = [.contentType: "application/json", .cacheControl: "no-store"]
        status = failure.status
        body = ByteBuffer(bytes: failure.json.canonicalBytes)
        for field in failure.headers {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
    }

    /// The answer for the router.
    var response: Response {
        Response(status: status, headers: headers, body: body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody())
    }
}
