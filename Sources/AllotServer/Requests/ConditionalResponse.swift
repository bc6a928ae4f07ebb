import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// Makes responses of JSON with an entity tag: 304 if the client already has the body; compressed if it accepts that.
struct ConditionalResponse: Sendable {
    /// The headers of all responses.
    private let constant: HTTPFields

    /// - Parameter maximumAge: how long a client may use a response before it fetches again, in whole seconds; `nil` or
    ///   a negative one is not sent.
    init(maximumAge: Duration? = nil) {
        let age = maximumAge.flatMap { $0 < .zero ? nil : ", max-age=\($0.components.seconds)" } ?? ""
        constant = [.contentType: "application/json", .cacheControl: "private\(age)", .vary: "Accept-Encoding"]
    }

    /// - Parameter signature: signs the body before it is compressed.
    func make(
        _ request: Request, _ tag: EntityTag, signature: ((ByteBuffer) throws -> String)? = nil,
        _ body: () -> ByteBuffer
    ) throws -> Response {
        let wantsGzip = ContentNegotiation.acceptsGzip(request.headers[.acceptEncoding])
        // The tag of the representation that the client has.
        if let known = request.headers[.ifNoneMatch] {
            for isCompressed in [false, true] where tag.matches(known, isCompressed: isCompressed) {
                return Response(status: .notModified, headers: headers(tag, isCompressed: isCompressed))
            }
        }
        let body = body()
        let compressed =
            wantsGzip && body.readableBytes >= GzipEncoder.minimumLength ? GzipEncoder.encode(body) : nil
        var response = Response(
            status: .ok, headers: headers(tag, isCompressed: compressed != nil),
            body: ResponseBody(byteBuffer: compressed ?? body))
        if compressed != nil { response.headers[.contentEncoding] = "gzip" }
        if let signature { response.headers[.jwsSignature] = try signature(body) }
        return response
    }

    private func headers(_ tag: EntityTag, isCompressed: Bool) -> HTTPFields {
        var headers = constant
        headers.append(HTTPField(name: .eTag, value: tag.header(isCompressed: isCompressed)))
        return headers
    }
}
