import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// A request that cannot be answered: the status, what is wrong, and how to put it right.
struct RequestFailure: Error, HTTPResponseError {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    /// What is wrong and how to put it right.
    let message: String
    private let json: JSONValue

    /// A failure with `{"error": …}` as its body.
    init(_ status: HTTPResponse.Status, _ message: String, headers: HTTPFields = [:]) {
        self.init(status, message: message, json: ["error": .string(message)], headers: headers)
    }

    /// A failure with a body of its own form.
    init(_ status: HTTPResponse.Status, message: String, json: JSONValue, headers: HTTPFields = [:]) {
        self.status = status
        self.message = message
        self.json = json
        self.headers = headers
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = Response.json(json.canonicalBytes, status: status)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension Response {
    /// A response of JSON.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "private"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension HTTPField.Name {
    static var xContentTypeOptions: Self { HTTPField.Name("X-Content-Type-Options") ?? .accept }
    static var contentSecurityPolicy: Self { HTTPField.Name("Content-Security-Policy") ?? .accept }
    static var jwsSignature: Self { HTTPField.Name(DetachedSignature.headerName) ?? .authenticationInfo }
    static var apiKey: Self { HTTPField.Name("X-API-Key") ?? .authorization }
}
