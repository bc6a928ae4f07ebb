import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// Makes responses of JSON with an entity tag: 304 if the client already has the body; compressed if it accepts that.
struct ConditionalResponse: Sendable {
    /// The headers of most responses.
    private let usual: HTTPFields

    /// - Parameter cacheControl: the header of most responses.
    init(cacheControl: String = "private") {
        usual = [.contentType: "application/json", .cacheControl: cacheControl, .vary: "Accept-Encoding"]
    }

    /// - Parameters:
    ///   - cacheControl: the header of this response if it is not the usual one.
    ///   - signature: signs the body before it is compressed.
    func make(
        _ request: Request, _ tag: EntityTag, cacheControl: String? = nil,
        signature: ((ByteBuffer) throws -> String?)? = nil, _ body: () -> ByteBuffer
    ) throws -> Response {
        var headers = usual
        if let cacheControl { headers[.cacheControl] = cacheControl }
        let wantsGzip = ContentNegotiation.acceptsGzip(request.headers[.acceptEncoding])
        // The tag of the representation that the client has.
        if let known = request.headers[.ifNoneMatch] {
            for isCompressed in [false, true] where tag.matches(known, isCompressed: isCompressed) {
                headers.append(HTTPField(name: .eTag, value: tag.header(isCompressed: isCompressed)))
                return Response(status: .notModified, headers: headers)
            }
        }
        let body = body()
        let compressed =
            wantsGzip && body.readableBytes >= GzipEncoder.minimumLength ? GzipEncoder.encode(body) : nil
        headers.append(HTTPField(name: .eTag, value: tag.header(isCompressed: compressed != nil)))
        if compressed != nil { headers[.contentEncoding] = "gzip" }
        if let signature = try signature?(body) { headers[.jwsSignature] = signature }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed ?? body))
    }
}
