import NIOCore
import NIOHTTP2

/// Closes a connection of HTTP/2 whose client breaks the rules or floods the server.
///
/// swift-nio-http2 answers such a client with `GOAWAY`, and goes on reading what it sends: the connection is for others
/// to close (RFC 9113, section 5.4.1).
final class RuleGuard: ChannelInboundHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private var isEnding = false

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isEnding { context.fireChannelRead(data) }
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload, code != .noError, !isEnding, let context else { return }
        isEnding = true
        // The frame is flushed as soon as this returns.
        context.eventLoop.assumeIsolated().execute { context.close(promise: nil) }
    }
}
