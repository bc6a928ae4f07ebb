import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@testable import AllotTLS

/// The end of connections of HTTP/2 whose clients are slow to take what was written.
struct LifeGuardTests {
    /// A client that takes what is written when a test says so.
    private final class SlowClient: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var waiting: [EventLoopPromise<Void>?] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            waiting.append(promise)
        }

        func take() {
            for promise in waiting { promise?.succeed() }
            waiting = []
        }
    }

    private let client = SlowClient()
    private let channel: EmbeddedChannel
    private let life: LifeGuard

    init() throws {
        let loop = EmbeddedEventLoop()
        life = LifeGuard(eventLoop: loop, timeout: .seconds(10))
        channel = EmbeddedChannel(handlers: [client, life], loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        channel.writeAndFlush(ByteBuffer(string: "the end of an answer"), promise: nil)
    }

    private enum End: CaseIterable {
        /// Of the handlers that manage the connection, or of the server.
        case close
        /// After the server has said that it ends, without streams.
        case goAway
        /// Without streams.
        case idle
    }

    private func begin(_ end: End) {
        switch end {
        case .close: channel.close(promise: nil)
        case .goAway:
            life.wroteFrame(
                NIOHTTP2.HTTP2Frame(
                    streamID: .rootStream,
                    payload: .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)))
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        case .idle: channel.embeddedEventLoop.advanceTime(by: .seconds(11))
        }
    }

    @Test("A connection that ends is closed when its client has taken what was written", arguments: End.allCases)
    private func answersLeave(end: End) {
        begin(end)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        client.take()
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }

    @Test("A client that takes nothing is not waited for longer than the timeout", arguments: End.allCases)
    private func waitsAreBounded(end: End) {
        begin(end)
        // Again, which changes nothing.
        channel.close(promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(!channel.isActive)
        client.take()
    }

    @Test("A client that has broken the rules, or is gone, is not waited for")
    func faults() throws {
        life.wroteFrame(
            NIOHTTP2.HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(lastStreamID: .maxID, errorCode: .protocolError, opaqueData: nil)))
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        client.take()
    }
}
