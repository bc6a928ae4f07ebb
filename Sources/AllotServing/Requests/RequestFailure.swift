import AllotConfiguration

/// The answer to a request that fails: the status, what is wrong, and how to fix it.
package struct RequestFailure: Error {
    package enum Code: Int, Sendable {
        case badRequest = 400
        case unauthorized = 401
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case conflict = 409
        case contentTooLarge = 413
        case unsupportedMediaType = 415
        case internalServerError = 500
        case notImplemented = 501
        case serviceUnavailable = 503
    }

    package var code: Code
    package var headers: [(name: String, value: String)]
    package let message: String
    package var json: JSONValue

    /// A failure with `{"error": …}` as its body.
    package init(_ code: Code, _ message: String, headers: [(name: String, value: String)] = []) {
        (self.code, self.message, self.headers) = (code, message, headers)
        json = ["error": .string(message)]
    }

    package init(_ error: any Error) {
        self =
            error as? Self
            ?? Self(.internalServerError, "the request cannot be answered; this is a fault of the server")
    }

    /// The failure of a request whose body is longer than its route accepts.
    package static func largeBody(_ limit: Int) -> RequestFailure {
        RequestFailure(.contentTooLarge, "the body has more than \(limit) bytes; send less at once")
    }
}
