import AllotExposures
import AllotServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TestSupport
import Testing

/// Exports that break off.
struct ExportEndTests {
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
        let response = try await routes.respond(
            to: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/exposures"), log: LogRecord(.trace))
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
