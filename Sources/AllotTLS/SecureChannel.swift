import AllotServer
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOSSL
import NIOTLS

/// Connections with TLS, of HTTP/2 or HTTP/1.1, as the client chooses from what is offered (ALPN).
struct SecureChannel: ServerChildChannel {
    typealias Exchange = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    enum Connection: Sendable {
        case http1(Exchange)
        case http2(NIOHTTP2Handler.AsyncStreamMultiplexer<Exchange>)
    }

    struct Value: ServerChildChannelValue {
        /// Known after the handshake.
        let connection: EventLoopFuture<Connection>
        let channel: any Channel
    }

    let certificates: Certificates
    /// Answers on connections of HTTP/1.1 and on streams of HTTP/2.
    let http1: HTTP1Channel

    private static let defaultTimeout = TimeAmount.seconds(60)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificates.current))
            try pipeline.addHandler(HandshakeGuard(timeout: timeout))
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Connection> { protocolName in
                guard case .negotiated("h2") = protocolName else {
                    return http1.setup(channel: channel, logger: logger).map { .http1($0) }
                }
                return channel.eventLoop.makeCompletedFuture {
                    .http2(try addHTTP2(to: channel, logger))
                }
            }
            try pipeline.addHandler(negotiation)
            return Value(connection: negotiation.protocolNegotiationResult, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.connection.get() {
            case .http1(let exchange): await http1.handle(value: exchange, logger: logger)
            case .http2(let connection):
                try await withThrowingDiscardingTaskGroup { group in
                    for try await stream in connection.inbound {
                        group.addTask { await http1.handle(value: stream, logger: logger) }
                    }
                }
            }
        } catch {
            logger.debug("a connection with TLS ended: \(error)")
        }
    }

    private var timeout: TimeAmount { http1.configuration.idleTimeout ?? Self.defaultTimeout }

    /// swift-nio-http2 itself refuses connections that reset or break many streams, or send many control frames (200 in
    /// 30 seconds each), more than 5 CONTINUATION frames in a row, or empty frames; the guard of rules closes them.
    private func addHTTP2(
        to channel: any Channel, _ logger: Logger
    ) throws -> NIOHTTP2Handler.AsyncStreamMultiplexer<Exchange> {
        // Connections without streams are closed after the timeout. A client that does not even answer pings is left to
        // the guard, because the manager waits for it.
        let manager = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(
                maxIdleTime: timeout, maxAge: nil, maxGraceTime: .seconds(10),
                keepalive: .init(pingInterval: timeout, ackTimeout: min(timeout, .seconds(20)))))
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(parameter: .maxHeaderListSize, value: http1.configuration.httpDecoder.maxHeaderListSize),
        ]
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(SilenceGuard(timeout: timeout + timeout + .seconds(1)))
        let rules = RuleGuard()
        try pipeline.addHandler(rules)
        let count = StreamCount(of: channel, manager.http2StreamDelegate)
        try pipeline.addHandler(StreamCount.End(count))
        let multiplexer = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server, streamDelegate: count, frameDelegate: rules,
            configuration: configuration
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try addExchange(to: stream, logger)
            }
        }
        try pipeline.addHandler(manager)
        // The connection was active before the manager was there: its timers start now.
        try pipeline.context(handlerType: NIOHTTP2Handler.self).fireChannelActive()
        return multiplexer
    }

    /// The same handlers as for connections of HTTP/1.1. The last closes a stream that takes nothing of its answer for
    /// the timeout.
    private func addExchange(to stream: any Channel, _ logger: Logger) throws -> Exchange {
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(BodyEnd())
        try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        try pipeline.addHandlers(http1.configuration.additionalChannelHandlers())
        try pipeline.addHandler(
            HTTPConnectionStateHandler(idleTimeout: .nanoseconds(timeout.nanoseconds), logger: logger))
        return try Exchange(wrappingChannelSynchronously: stream)
    }
}

/// Closes a connection whose handshake takes too long, or is still going on when the server shuts down.
private final class HandshakeGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any

    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?

    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted:
            context.fireUserInboundEventTriggered(event)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        case is ChannelShouldQuiesceEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}

/// Closes a connection whose client has left, or from which nothing comes for a while, not even answers to pings.
private final class SilenceGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let timeout: TimeAmount
    private var lastRead = NIODeadline.now()
    private var check: Scheduled<Void>?

    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = .now()
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // In HTTP/2 nothing is left to be said by, or to, a client that has closed its side.
        if event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func watch(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: lastRead + timeout) { [self] in
            if lastRead + timeout <= .now() { context.close(promise: nil) } else { watch(context) }
        }
    }
}

/// Tells the client of a stream to send no more of a body whose request is answered (RFC 9113, section 8.1).
private final class BodyEnd: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard case .stopBody? = event as? StreamEvent else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: promise)
    }
}

/// Counts the streams of a connection, so that one without any ends with the server.
///
/// The manager of connections ends it when the client has answered a ping, which an idle client need not do soon.
private final class StreamCount: NIOHTTP2StreamDelegate {
    /// Hears that the server ends.
    final class End: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let count: StreamCount

        init(_ count: StreamCount) {
            self.count = count
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            context.fireUserInboundEventTriggered(event)
            if event is ChannelShouldQuiesceEvent { count.end() }
        }
    }

    private struct State {
        var streams = 0
        var isEnding = false
        var close: Scheduled<Void>?
    }

    /// The time for what was written, and for a request that is on its way.
    private static let grace = TimeAmount.seconds(1)

    private let channel: any Channel
    private let manager: NIOHTTP2ServerConnectionManagementHandler.HTTP2StreamDelegate
    private let state: NIOLoopBoundBox<State>

    init(of channel: any Channel, _ manager: NIOHTTP2ServerConnectionManagementHandler.HTTP2StreamDelegate) {
        self.channel = channel
        self.manager = manager
        state = NIOLoopBoundBox(State(), eventLoop: channel.eventLoop)
    }

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
        state.value.streams += 1
        state.value.close?.cancel()
        manager.streamCreated(id, channel: channel)
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        state.value.streams -= 1
        manager.streamClosed(id, channel: channel)
        if state.value.isEnding { closeIfIdle() }
    }

    private func end() {
        state.value.isEnding = true
        closeIfIdle()
    }

    private func closeIfIdle() {
        guard state.value.streams == 0 else { return }
        state.value.close?.cancel()
        state.value.close = channel.eventLoop.assumeIsolated().scheduleTask(in: Self.grace) { [self] in
            channel.close(promise: nil)
        }
    }
}
