import AllotConfiguration

/// An answer to a request, in the types of no framework. `Sendable`.
public struct HTTPAnswer: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, without the length of the body.
    public var headers: [(name: String, value: String)]
    /// The bytes of the body; none with the status 304.
    public var body: [UInt8]

    /// Creates an answer.
    public init(status: Int = 200, headers: [(name: String, value: String)], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(_ failure: RequestFailure) {
        self.init(
            status: failure.code.rawValue,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + failure.headers,
            body: failure.json.canonicalBytes)
    }

    init(json: JSONValue) {
        self.init(
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")], body: json.canonicalBytes)
    }

    /// The answer that a body makes, or the one to the failure that it throws.
    init(catching body: () throws -> HTTPAnswer) {
        do {
            self = try body()
        } catch {
            self.init(RequestFailure(error))
        }
    }
}
