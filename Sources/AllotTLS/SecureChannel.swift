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
        /// The streams whose requests are passed on to Hummingbird.
        case http2(AsyncStream<Exchange>)
    }

    struct Value: ServerChildChannelValue {
        /// Known after the handshake.
        let connection: EventLoopFuture<Connection>
        let channel: any Channel
    }

    let certificates: Certificates
    let handlers: ConnectionHandlers
    /// Answers on connections of HTTP/1.1 and on streams of HTTP/2.
    let http1: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            handlers.adopt(channel)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificates.current))
            try pipeline.addHandler(HandshakeGuard(timeout: handlers.timeout))
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
            case .http2(let exchanges):
                await withDiscardingTaskGroup { group in
                    for await exchange in exchanges {
                        group.addTask { await http1.handle(value: exchange, logger: logger) }
                    }
                }
                // Another service has failed: exchanges that came meanwhile trap unless they are ended.
                if Task.isCancelled { Task { for await exchange in exchanges { await exchange.end() } } }
            }
        } catch {
            logger.debug("a connection with TLS ended: \(error)")
        }
    }

    /// Adds the handlers of HTTP/2. Returns the streams whose requests are passed on, until the connection closes.
    ///
    /// swift-nio-http2 itself refuses connections that reset or break many streams, or send many control frames (200 in
    /// 30 seconds each), more than 5 CONTINUATION frames in a row, or empty frames; the guard of lives closes them.
    private func addHTTP2(to channel: any Channel, _ logger: Logger) throws -> AsyncStream<Exchange> {
        let timeout = handlers.timeout
        // Connections without streams end after the timeout; the guard of their lives does not wait for the client.
        let manager = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(
                maxIdleTime: timeout, maxAge: nil, maxGraceTime: nil,
                keepalive: .init(pingInterval: timeout, ackTimeout: min(timeout, .seconds(20)))))
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(parameter: .maxHeaderListSize, value: http1.configuration.httpDecoder.maxHeaderListSize),
        ]
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(RecordJoiner())
        let life = LifeGuard(eventLoop: channel.eventLoop, timeout: timeout)
        try pipeline.addHandler(life)
        try pipeline.addHandler(
            NIOHTTP2Handler(
                mode: .server, frameDelegate: life, connectionConfiguration: configuration.connection,
                streamConfiguration: configuration.stream))
        try pipeline.addHandler(life.streams())
        let streams = NIOLoopBound(handlers.streams(of: channel), eventLoop: channel.eventLoop)
        try pipeline.addHandler(streams.value.direct)
        let (exchanges, passedOn) = AsyncStream.makeStream(of: Exchange.self)
        channel.closeFuture.whenComplete { _ in passedOn.finish() }
        try pipeline.addHandler(
            HTTP2StreamMultiplexer(
                mode: .server, channel: channel, targetWindowSize: configuration.stream.targetWindowSize,
                outboundBufferSizeHighWatermark: configuration.stream.outboundBufferSizeHighWatermark,
                outboundBufferSizeLowWatermark: configuration.stream.outboundBufferSizeLowWatermark,
                inboundStreamInitializer: { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try addHandlers(of: streams.value, to: stream, passedOn, logger)
                    }
                }))
        // The multiplexer hands on the events of streams.
        try pipeline.addHandler(manager)
        // The connection was active before the manager was there: its timers start now.
        try pipeline.context(handlerType: NIOHTTP2Handler.self).fireChannelActive()
        return exchanges
    }

    /// Adds the handlers of a stream, and those that its request is passed to once it is passed on to a task.
    private func addHandlers(
        of streams: StreamHandlers, to stream: any Channel, _ passedOn: AsyncStream<Exchange>.Continuation,
        _ logger: Logger
    ) throws {
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(LastFrame())
        try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        let timeout = handlers.timeout
        try streams.add(to: stream) { stream in
            try stream.pipeline.syncOperations.addHandler(
                HTTPConnectionStateHandler(idleTimeout: .nanoseconds(timeout.nanoseconds), logger: logger))
            let exchange = try Exchange(wrappingChannelSynchronously: stream)
            // The server has ended, and takes no more.
            if case .terminated = passedOn.yield(exchange) { Task { await exchange.end() } }
        }
    }
}

extension SecureChannel.Exchange {
    /// Closes the stream without an answer.
    fileprivate func end() async {
        try? await executeThenClose { _, _ in }
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
