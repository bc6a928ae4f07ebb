import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// The answer to a request that fails: the status, what is wrong, and how to fix it.
struct RequestFailure: Error, HTTPResponseError {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    /// What is wrong and how to fix it.
    let message: String
    private let json: JSONValue

    /// A failure with `{"error": …}` as its body.
    init(_ status: HTTPResponse.Status, _ message: String, headers: HTTPFields = [:]) {
        self.init(status, message: message, json: ["error": .string(message)], headers: headers)
    }

    /// A failure with a body of another form.
    init(_ status: HTTPResponse.Status, message: String, json: JSONValue, headers: HTTPFields = [:]) {
        self.status = status
        self.message = message
        self.json = json
        self.headers = headers
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = Response.json(json, status: status)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension Response {
    /// A response of JSON.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "private"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: value.canonicalBytes)))
    }
}

extension HTTPField.Name {
    static let jwsSignature = named(DetachedSignature.headerName)
    static let apiKey = named("X-API-Key")

    /// A name that is written in the source.
    private static func named(_ text: String) -> Self {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not the name of a header") }
        return name
    }
}
