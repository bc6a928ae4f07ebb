import AllotExposures
import AllotServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TestSupport
import Testing

/// Requests that cannot be answered, and exports that break off: by whose fault.
struct FaultTests {
    private struct Fault: Error {}

    private func request(_ method: HTTPRequest.Method, _ path: String = "/activeconfig/user/a") -> HTTPRequest {
        HTTPRequest(
            method: method, scheme: nil, authority: nil, path: path, headerFields: [.contentType: "application/json"])
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

    /// The connection of a client that has left.
    private struct ClosedConnection: ResponseBodyWriter {
        mutating func write(_ buffer: ByteBuffer) async throws {
            throw ChannelError.ioOnClosedChannel
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    @Test("An export whose client leaves is not an error, and one that cannot be read to its end is")
    func levels() async throws {
        let folder = try TemporaryFolder()
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        var routes = try TestedRoutes()
        let log = LogRecord(.trace)
        let exposures = ExposureService(
            store, plans: routes.allot.plans, logger: Logger(label: "test", factory: { _ in log }))
        routes.allot.exposures = exposures
        let response = try await routes.respond(to: request(.get, "/exposures"), log: LogRecord(.trace))
        #expect(response.status == .ok)
        await #expect(throws: ChannelError.ioOnClosedChannel) {
            try await response.body.write(ClosedConnection())
        }
        #expect(log.levels(of: "an export of exposures broke off") == [.debug])
        exposures.noteBrokenExport(ExposureStoreError.closed, isSending: false)
        #expect(log.levels(of: "an export of exposures broke off") == [.debug, .error])
        await store.shutdown()
    }
}
