import HTTPTypes
import Hummingbird
import NIOCore
import Testing

/// Requests that cannot be answered: by whose fault.
struct FaultTests {
    private struct Fault: Error {}

    private func request(_ method: HTTPRequest.Method) -> HTTPRequest {
        HTTPRequest(
            method: method, scheme: nil, authority: nil, path: "/activeconfig/user/a",
            headerFields: [.contentType: "application/json"])
    }

    @Test("A fault of the server is logged as an error, since its client learns nothing of it")
    func faultsAreLogged() async throws {
        let log = LogRecord(.trace)
        let response = try await TestedRoutes().respond(to: request(.get), log: log) { _, _ in throw Fault() }
        #expect(response.status == .internalServerError)
        #expect(log.levels(of: "a request cannot be answered: Fault()") == [.error])
    }

    @Test("A body that breaks off is not a fault of the server, whatever breaks it off")
    func brokenBodiesAreNoFaults() async throws {
        let log = LogRecord(.trace)
        let body = AsyncThrowingStream<ByteBuffer, any Error> { $0.finish(throwing: Fault()) }
        await #expect(throws: Fault.self) {
            try await TestedRoutes().respond(to: request(.post), RequestBody(asyncSequence: body), log: log)
        }
        #expect(log.lines.isEmpty)
    }
}
