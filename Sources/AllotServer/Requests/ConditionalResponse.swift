import HTTPTypes
import Hummingbird
import NIOCore

/// JSON with an entity tag: 304 for a client that has it already, compressed for one that wants it so.
enum ConditionalResponse {
    static func make(_ request: Request, _ tag: EntityTag, _ body: () -> ByteBuffer) -> Response {
        let wantsGzip = ContentNegotiation.acceptsGzip(request.headers[.acceptEncoding])
        // The tag of the representation that the client has.
        if let known = request.headers[.ifNoneMatch] {
            for isCompressed in [false, true] where tag.matches(known, isCompressed: isCompressed) {
                return Response(status: .notModified, headers: headers(tag, isCompressed: isCompressed))
            }
        }
        let body = body()
        if wantsGzip, body.readableBytes >= GzipEncoder.minimumLength,
            let compressed = GzipEncoder.encode(Array(body.readableBytesView))
        {
            var response = Response(
                status: .ok, headers: headers(tag, isCompressed: true),
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: compressed)))
            response.headers[.contentEncoding] = "gzip"
            return response
        }
        return Response(
            status: .ok, headers: headers(tag, isCompressed: false),
            body: ResponseBody(byteBuffer: body))
    }

    private static func headers(_ tag: EntityTag, isCompressed: Bool) -> HTTPFields {
        var headers = constant
        headers.append(HTTPField(name: .eTag, value: tag.header(isCompressed: isCompressed)))
        return headers
    }

    private static let constant: HTTPFields = [
        .contentType: "application/json", .cacheControl: "private", .vary: "Accept-Encoding",
    ]
}
