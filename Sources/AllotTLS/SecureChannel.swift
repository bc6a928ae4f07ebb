import AllotServer
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOSSL
import NIOTLS

/// Connections with TLS, of HTTP/2 or HTTP/1.1, as the client chooses from what is offered (ALPN).
struct SecureChannel: ServerChildChannel {
    let certificates: Certificates
    let handlers: ConnectionHandlers

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<ServedConnection> {
        channel.eventLoop.makeCompletedFuture {
            handlers.connections.adopt(channel)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificates.current))
            try pipeline.addHandler(HandshakeGuard(timeout: TimeAmount(handlers.limits.timeout)))
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Void> { protocolName in
                channel.eventLoop.makeCompletedFuture {
                    if case .negotiated("h2") = protocolName {
                        try addHTTP2(to: channel)
                    } else {
                        try handlers.addHTTP1(to: channel)
                    }
                }
            }
            try pipeline.addHandler(negotiation)
            negotiation.protocolNegotiationResult.whenFailure { error in
                logger.debug("a connection with TLS ended: \(error)")
                channel.close(promise: nil)
            }
            return ServedConnection(channel)
        }
    }

    /// Adds the handlers of HTTP/2. swift-nio-http2 itself refuses connections that reset or break many streams, or
    /// send many control frames, many CONTINUATION frames in a row, or empty frames; the guard of lives closes them.
    private func addHTTP2(to channel: any Channel) throws {
        let timeout = TimeAmount(handlers.limits.timeout)
        // Connections without streams end after the timeout; the guard of their lives does not wait for the client.
        let manager = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(
                maxIdleTime: timeout, maxAge: nil, maxGraceTime: nil,
                keepalive: .init(pingInterval: timeout, ackTimeout: min(timeout, .seconds(20)))))
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(parameter: .maxHeaderListSize, value: ConnectionLimits.fieldsBytes),
        ]
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(RecordJoiner())
        let life = LifeGuard(eventLoop: channel.eventLoop, timeout: timeout)
        try pipeline.addHandler(life)
        try pipeline.addHandler(
            NIOHTTP2Handler(
                mode: .server, frameDelegate: life, connectionConfiguration: configuration.connection,
                streamConfiguration: configuration.stream))
        try pipeline.addHandler(LifeGuard.Streams(life))
        try pipeline.addHandler(handlers.http2(of: channel))
        try pipeline.addHandler(manager)
        // The connection was active before the manager was there: its timers start now.
        try pipeline.context(handlerType: NIOHTTP2Handler.self).fireChannelActive()
    }
}

/// Closes a connection whose handshake takes too long, or is still going on when the server shuts down.
private final class HandshakeGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any

    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?

    init(timeout: TimeAmount) { self.timeout = timeout }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

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
