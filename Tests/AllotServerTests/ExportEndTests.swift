import AllotExposures
import AllotServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

/// Exports that break off.
struct ExportEndTests {
    /// Keeps the levels of what is logged about exports.
    private final class Log: LogHandler, Sendable {
        private let noted = Mutex<[Logger.Level]>([])

        var levels: [Logger.Level] { noted.withLock { $0 } }

        func log(event: LogEvent) {
            guard "\(event.message)".contains("an export of exposures broke off") else { return }
            noted.withLock { $0.append(event.level) }
        }

        subscript(metadataKey _: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .trace }
            set {}
        }
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
        let log = Log()
        let exposures = ExposureService(
            store, plans: routes.allot.plans, logger: Logger(label: "test", factory: { _ in log }))
        routes.allot.exposures = exposures
        let router = Router()
        router.addAllot(routes.allot)
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/exposures"),
            body: RequestBody(buffer: ByteBuffer()))
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(
                channel: NIOAsyncTestingChannel(), logger: Logger(label: "request")))
        let response = try await router.buildResponder().respond(to: request, context: context)
        #expect(response.status == .ok)
        await #expect(throws: ChannelError.ioOnClosedChannel) {
            try await response.body.write(ClosedConnection())
        }
        #expect(log.levels == [.debug])
        exposures.noteBrokenExport(ExposureStoreError.closed, isSending: false)
        #expect(log.levels == [.debug, .error])
        await store.shutdown()
    }
}
