import AllotConfiguration
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

extension TestClientProtocol {
    func get(_ uri: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await executeRequest(uri: uri, method: .get, headers: headers, body: nil)
    }

    /// The value of a metric, by its name and labels as they are written; 0 if there is none.
    func metric(_ series: String) async throws -> Int {
        let line = try await get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line.flatMap { Int($0.dropFirst(series.count + 1)) } ?? 0
    }

    /// Sends a request without a body.
    func send(_ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await executeRequest(uri: uri, method: method, headers: headers, body: nil)
    }

    /// Posts JSON, unless the headers say what else it is.
    func post(_ uri: String, _ body: [UInt8], _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = headers[.contentType] ?? "application/json"
        return try await executeRequest(uri: uri, method: .post, headers: headers, body: ByteBuffer(bytes: body))
    }

    /// Posts a form of a page, as browsers do, and asks for a page.
    func postForm(_ uri: String, _ form: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.accept] = "text/html"
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await post(uri, form, headers)
    }

    func post(_ uri: String, _ body: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await post(uri, Array(body.utf8), headers)
    }

    /// Posts JSON if there is a body, and gets otherwise.
    func send(_ uri: String, _ body: String?, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        guard let body else { return try await get(uri, headers) }
        return try await post(uri, body, headers)
    }
}

extension TestResponse {
    var bytes: [UInt8] { Array(body.readableBytesView) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body as JSON.
    func json() throws -> JSONValue { try JSONValue(parsing: bytes) }

    /// The message of a failure, which is `{"error": …}`.
    func message() throws -> String? { try json()["error"]?.text }

    /// Expects a failure that says what is wrong.
    func expectFailure(
        _ expected: HTTPResponse.Status, _ part: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(status == expected, sourceLocation: location)
        let message = try #require(try message(), sourceLocation: location)
        #expect(message.contains(part), "\(message)", sourceLocation: location)
    }
}

extension JSONValue {
    /// A member of an object.
    subscript(key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }

    /// An element of an array.
    subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value of a setting in a configuration.
    func setting(_ section: String, _ name: String) -> JSONValue? {
        self["config_sections"]?[section]?["settings"]?[name]?["value"]
    }
}
