import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The answer of a route, before it becomes a `Response` of the router or is written to a connection.
package struct RouteAnswer {
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
    package var response: Response {
        Response(status: status, headers: headers, body: body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody())
    }
}

/// The header `Date`, written once a second. `Sendable`.
final class DateHeader: Sendable {
    private let last = Mutex((seconds: Int64.min, text: ""))

    /// `Sun, 22 Nov 2026 11:02:01 GMT`
    func text(at now: Instant) -> String {
        last.withLock { last in
            if last.seconds != now.seconds { last = (now.seconds, HTTPDate.text(now)) }
            return last.text
        }
    }
}
