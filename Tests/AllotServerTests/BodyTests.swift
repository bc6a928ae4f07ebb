import AllotConfiguration
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

/// The types and codings of the body of a request.
struct BodyTests {
    /// The routes that take a body, and a body that each accepts.
    static let routes = [
        ("/activeconfig/user/a", #"{"attributes": {"seats": 3}}"#),
        ("/ofrep/v1/evaluate/flags", #"{"context": {"targetingKey": "a"}}"#),
        ("/ofrep/v1/evaluate/flags/Page.Color", #"{"context": {"targetingKey": "a"}}"#),
        ("/exposures", #"{"exposures": []}"#),
    ]

    private func post(
        _ client: any TestClientProtocol, _ uri: String, _ body: String, _ headers: HTTPFields
    ) async throws -> TestResponse {
        try await client.executeRequest(uri: uri, method: .post, headers: headers, body: ByteBuffer(string: body))
    }

    @Test("A body that is compressed, or is not JSON by its type, is refused", arguments: routes)
    func otherTypesAreRefused(uri: String, body: String) async throws {
        try await TestedRoutes.testExposures { client, _ in
            // Among them are those that a page of another origin may send without a preflight request.
            for type in [
                "application/x-www-form-urlencoded", "text/plain", "text/plain; charset=application/json",
                "multipart/form-data; boundary=application/json", "application/json2", "text/json", "", nil,
            ] {
                var headers = HTTPFields()
                headers[.contentType] = type
                let answer = try await post(client, uri, body, headers)
                try answer.expectFailure(.unsupportedMediaType, "send the body with it")
                #expect(answer.headers[.accept] == "application/json")
            }
            for coding in ["gzip", "br", "identity, gzip", "x"] {
                let answer = try await client.post(uri, "\u{1F}\u{8B}", [.contentEncoding: coding])
                try answer.expectFailure(.unsupportedMediaType, "send it as it is")
                #expect(answer.headers[.acceptEncoding] == "identity")
            }
            for type in ["application/json", "Application/JSON ; charset=utf-8"] {
                let headers: HTTPFields = [.contentType: type, .contentEncoding: "Identity"]
                #expect(try await post(client, uri, body, headers).status == .ok)
            }
        }
    }

    @Test("A body before a stream of events is refused with JSON if it is long")
    func bodiesBeforeEvents() async throws {
        try await TestedRoutes.testExposures { client, _ in
            let body = ByteBuffer(repeating: UInt8(ascii: " "), count: 1025)
            let answer = try await client.executeRequest(uri: "/events", method: .get, headers: [:], body: body)
            try answer.expectFailure(.contentTooLarge, "the body has more than 1024 bytes")
        }
    }

    @Test("No body needs no type")
    func noBodyNeedsNoType() async throws {
        try await TestedRoutes.testExposures { client, _ in
            #expect(try await post(client, "/activeconfig/user/a", "", [:]).status == .ok)
            try await post(client, "/exposures", "", [:]).expectFailure(.badRequest, "there is no body")
        }
    }
}
