import HTTPTypes
public import NIOCore
public import NIOHTTPTypes

/// Closes connections of clients that take too long to send a request's body, send too much of one, or do not read what
/// they asked for.
///
/// An idle timeout alone lets a client send one byte a second for ever; and the rest of a body that was refused would be
/// read to its end, for the sake of the next request.
public final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    public typealias InboundIn = HTTPRequestPart
    public typealias InboundOut = HTTPRequestPart

    private let timeout: TimeAmount
    private let limit: Int
    private var count = 0
    private var deadline: Scheduled<Void>?
    private var readDeadline: Scheduled<Void>?

    /// - Parameters:
    ///   - timeout: how long a body may take from the request's head on, and how long a client may read nothing.
    ///   - limit: the most bytes that are read of a body, beyond what any route takes.
    public init(timeout: TimeAmount, limit: Int) {
        self.timeout = timeout
        self.limit = limit
    }

    public func handlerRemoved(context: ChannelHandlerContext) {
        stop()
        readDeadline?.cancel()
    }

    public func channelInactive(context: ChannelHandlerContext) {
        stop()
        readDeadline?.cancel()
        context.fireChannelInactive()
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            count = 0
            if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length > limit {
                closeAfterAnswer(context)
            }
            // Most requests have no body; a body that comes all the same starts the clock when it does.
            if head.method != .get { start(context) }
        case .body(let part):
            count += part.readableBytes
            guard count <= limit else { return context.close(promise: nil) }
            start(context)
        case .end: stop()
        }
        context.fireChannelRead(data)
    }

    public func channelWritabilityChanged(context: ChannelHandlerContext) {
        readDeadline?.cancel()
        readDeadline = nil
        if !context.channel.isWritable {
            let channel = context.channel
            readDeadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    /// No route takes such a body: nobody shall have to read it.
    private func closeAfterAnswer(_ context: ChannelHandlerContext) {
        try? context.pipeline.syncOperations.addHandler(ClosingHandler(), position: .after(self))
    }

    private func start(_ context: ChannelHandlerContext) {
        guard deadline == nil else { return }
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    private func stop() {
        deadline?.cancel()
        deadline = nil
    }
}
