import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

@Suite(.mayHang) struct URLSessionExposureSenderTests {
    private static func send(_ response: String, token: AccessToken? = "secret") async throws
        -> (Result<ExposureAnswer, RequestError>, request: StubServer.Request?)
    {
        let server = try StubServer { _ in [.send(response), .close] }
        let sender = URLSessionExposureSender(server: try server.url("/base"), token: token)
        let result: Result<ExposureAnswer, RequestError>
        do throws(RequestError) {
            result = .success(try await sender.send([ExposureFixture.event("a")]))
        } catch { result = .failure(error) }
        return (result, server.requests.first)
    }

    private static func response(_ status: String, _ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)"
    }

    @Test("Events are posted and the answer is read")
    func sendsEventsAndReadsTheAnswer() async throws {
        let (result, request) = try await Self.send(
            Self.response(
                "200 OK",
                #"{"stored":1,"duplicates":2,"errors":[{"index":3,"error":"no"},"#
                    + #"{"index":0,"error":"never","retry":false},{"index":1,"error":"later","retry":true}]}"#,
                "Date: Sat, 21 Nov 2026 12:00:00 GMT\r\n"))
        #expect(
            try result.get()
                == ExposureAnswer(
                    stored: 1, duplicates: 2,
                    failures: [3: .postponed("no"), 0: .rejected("never"), 1: .postponed("later")],
                    serverTime: ExposureFixture.now))
        #expect(request?.method == "POST")
        #expect(request?.target == "/base/exposures")
        #expect(request?.header("authorization") == "Bearer secret")
        #expect(request?.header("content-type") == "application/json")
        let body = JSONValue.object(["exposures": [ExposureFixture.event("a").json]])
        #expect(request?.body == body.canonicalBytes)
    }

    @Test(
        "A body that is not an answer is an error",
        arguments: [
            ("<html>Welcome to our network</html>"), (""), ("{}"), (#"{"stored":1}"#),
            (#"{"stored":1,"duplicates":-1}"#),
            (#"{"stored":1,"duplicates":0,"errors":[{"error":"no"}]}"#), ("[]"), (#"{"stored":1,"duplic"#),
        ])
    func otherBodiesAreErrors(body: String) async throws {
        let (result, _) = try await Self.send(Self.response("200 OK", body))
        let error = #expect(throws: RequestError.self) { try result.get() }
        #expect(error?.kind == .malformed)
        #expect(error?.isTemporary == true)
    }

    /// The downloader's tests have all forms of errors.
    @Test("Another status is an error of the server, and a redirection is not followed")
    func statuses() async throws {
        for (status, headers, code, retryAfter) in [
            ("503 Service Unavailable", "Retry-After: 7\r\n", 503, 7),
            ("302 Found", "Location: http://127.0.0.1:1/\r\n", 302, nil),
        ] as [(String, String, Int, Double?)] {
            let (result, _) = try await Self.send(Self.response(status, "no", headers))
            let error = #expect(throws: RequestError.self) { try result.get() }
            #expect(error?.kind == .status(code))
            #expect(error?.retryAfter == retryAfter)
        }
    }

    /// Any success may have a long answer.
    @Test("Long answers are read completely", arguments: ["200 OK", "201 Created", "202 Accepted"])
    func longAnswersAreReadWhole(status: String) async throws {
        let failures = (0..<3000).map { #"{"index":\#($0),"error":"there is no such experiment"}"# }
        let body = #"{"stored":0,"duplicates":0,"errors":[\#(failures.joined(separator: ","))]}"#
        #expect(body.utf8.count > 100_000)
        let (result, _) = try await Self.send(Self.response(status, body))
        #expect(try result.get().failures.count == 3000)
    }
}
