import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes connections of clients that take too long to send a request's body, send too much of one, or do not read the
/// answer.
///
/// An idle timeout alone lets a client send one byte a second for ever; and the rest of a body that was refused would
/// be read to its end, so that the next request can follow.
package final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    /// Parts of requests.
    package typealias InboundIn = HTTPRequestPart
    /// The same parts.
    package typealias InboundOut = HTTPRequestPart

    private let timeout: TimeAmount
    private let limit: Int
    private var count = 0
    private var deadline: Scheduled<Void>?
    private var readDeadline: Scheduled<Void>?

    /// Creates the guard of one connection.
    ///
    /// - Parameters:
    ///   - timeout: the longest time from a request's head to the end of its body, and without reading an answer.
    ///   - limit: the most bytes that are read of a body; more than any route accepts.
    package init(timeout: TimeAmount, limit: Int) {
        self.timeout = timeout
        self.limit = limit
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        stop()
        readDeadline?.cancel()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        handlerRemoved(context: context)
        context.fireChannelInactive()
    }

    /// Counts the bytes of a body and its time.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            count = 0
            if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length > limit {
                // Larger than any route accepts, so it is refused before it is read.
                try? context.pipeline.syncOperations.addHandler(ClosingHandler(), position: .after(self))
            }
            // Most requests have no body; a body that arrives all the same starts the clock.
            if head.method != .get { start(context) }
        case .body(let part):
            count += part.readableBytes
            guard count <= limit else { return context.close(promise: nil) }
            start(context)
        case .end: stop()
        }
        context.fireChannelRead(data)
    }

    /// Closes the connection if it stays unwritable.
    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        readDeadline?.cancel()
        readDeadline = nil
        if !context.channel.isWritable { readDeadline = closing(context.channel) }
        context.fireChannelWritabilityChanged()
    }

    private func start(_ context: ChannelHandlerContext) {
        if deadline == nil { deadline = closing(context.channel) }
    }

    private func closing(_ channel: any Channel) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    private func stop() {
        deadline?.cancel()
        deadline = nil
    }
}

/// Closes the connection when the next answer is written.
private final class ClosingHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        context.writeAndFlush(data, promise: promise)
        context.close(promise: nil)
    }
}
