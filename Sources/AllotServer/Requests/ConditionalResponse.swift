import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// Makes responses with an entity tag: 304 if the client already has the body; compressed if it accepts that.
package struct ConditionalResponse: Sendable {
    /// The headers of most responses.
    private let usual: HTTPFields

    /// - Parameters:
    ///   - contentType: the type of all bodies.
    ///   - cacheControl: the header of most responses.
    package init(contentType: String = "application/json", cacheControl: String = "private") {
        usual = [.contentType: contentType, .cacheControl: cacheControl, .vary: "Accept-Encoding"]
    }

    /// - Parameters:
    ///   - cacheControl: the header of this response if it is not the usual one.
    ///   - boundary: the header `ServiceHeader.boundary`, if there is one.
    ///   - signature: signs the body before it is compressed.
    package func make(
        _ head: HTTPRequest, _ tag: EntityTag, cacheControl: String? = nil, boundary: String? = nil,
        signature: ((ByteBuffer) throws -> String?)? = nil, _ body: () -> ByteBuffer
    ) throws -> RouteAnswer {
        var headers = HTTPFields()
        // The most that a configuration's answer has, with those that are added later.
        headers.reserveCapacity(11)
        headers.append(contentsOf: usual)
        if let cacheControl { headers[.cacheControl] = cacheControl }
        if let boundary { headers.append(HTTPField(name: .allotBoundary, value: boundary)) }
        // The tag of the representation that the client has.
        if let known = head.headerFields[.ifNoneMatch] {
            for isCompressed in [false, true] where tag.matches(known, isCompressed: isCompressed) {
                headers.append(HTTPField(name: .eTag, value: tag.header(isCompressed: isCompressed)))
                return RouteAnswer(status: .notModified, headers: headers)
            }
        }
        let body = body()
        let accepted = ContentNegotiation.codings(head.headerFields[.acceptEncoding])
        let isWorthwhile = body.readableBytes >= GzipEncoder.minimumLength || !accepted.identity
        let compressed = accepted.gzip && isWorthwhile ? GzipEncoder.encode(body) : nil
        headers.append(HTTPField(name: .eTag, value: tag.header(isCompressed: compressed != nil)))
        if compressed != nil { headers.append(HTTPField(name: .contentEncoding, value: "gzip")) }
        if let signature = try signature?(body) { headers.append(HTTPField(name: .jwsSignature, value: signature)) }
        return RouteAnswer(headers: headers, body: compressed ?? body)
    }
}

extension GzipEncoder {
    /// Compresses a body.
    static func encode(_ body: ByteBuffer) -> ByteBuffer {
        var output = ByteBuffer()
        body.withUnsafeReadableBytes { input in
            encode(input) { bound, fill in
                _ = output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound, fill)
            }
        }
        return output
    }
}
