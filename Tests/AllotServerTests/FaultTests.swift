import AllotServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

/// Requests that cannot be answered: by whose fault.
struct FaultTests {
    private struct Fault: Error {}

    private func respond(
        _ method: HTTPRequest.Method, _ body: RequestBody, _ log: LogRecord,
        attributes: AttributeSource<BasicRequestContext>? = nil
    ) async throws -> Response {
        let router = Router()
        router.addAllot(try TestedRoutes().allot, attributes: attributes)
        let head = HTTPRequest(
            method: method, scheme: nil, authority: nil, path: "/activeconfig/user/a",
            headerFields: [.contentType: "application/json"])
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(
                channel: NIOAsyncTestingChannel(), logger: Logger(label: "request", factory: { _ in log })))
        return try await router.buildResponder().respond(to: Request(head: head, body: body), context: context)
    }

    @Test("A fault of the server is logged as an error, since its client learns nothing of it")
    func faultsAreLogged() async throws {
        let log = LogRecord(.trace)
        let response = try await respond(.get, RequestBody(buffer: ByteBuffer()), log) { _, _ in throw Fault() }
        #expect(response.status == .internalServerError)
        #expect(log.levels(of: "a request cannot be answered: Fault()") == [.error])
    }

    @Test("A body that breaks off is not a fault of the server, whatever breaks it off")
    func brokenBodiesAreNoFaults() async throws {
        let log = LogRecord(.trace)
        let body = AsyncThrowingStream<ByteBuffer, any Error> { $0.finish(throwing: Fault()) }
        await #expect(throws: Fault.self) { try await respond(.post, RequestBody(asyncSequence: body), log) }
        #expect(log.lines.isEmpty)
    }
}
