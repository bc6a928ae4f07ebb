import NIOCore
import NIOHTTPTypes

/// Closes connections of clients that take too long: to send a whole request, or to send anything at all.
///
/// An idle timeout alone lets a client send one byte a second for ever. And a request that was answered before its body
/// was read (one that is too large) ends the connection: nobody reads the rest.
public final class RequestDeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    public typealias InboundIn = HTTPRequestPart
    public typealias InboundOut = HTTPRequestPart
    public typealias OutboundIn = HTTPResponsePart
    public typealias OutboundOut = HTTPResponsePart

    private let headTimeout: TimeAmount
    private let bodyTimeout: TimeAmount
    /// When the client must have sent what is waited for; `nil` while it is the server's turn.
    private var deadline: NIODeadline?
    /// One timer looks at the deadline now and then: one for each request would cost more than the request's reading.
    private var timer: RepeatedTask?
    /// Requests whose head has been read, less those that were answered.
    private var unanswered = 0
    private var isReading = false

    /// - Parameters:
    ///   - headTimeout: how long a connection may be without a request: from its start, or the last answer, to the next
    ///     request's head.
    ///   - bodyTimeout: how long the body of a request may take from its head on.
    public init(headTimeout: TimeAmount, bodyTimeout: TimeAmount) {
        self.headTimeout = headTimeout
        self.bodyTimeout = bodyTimeout
    }

    public func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    public func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    public func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    public func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReading = true
            unanswered += 1
            deadline = .now() + bodyTimeout
        case .body: break
        case .end:
            isReading = false
            deadline = nil
        }
        context.fireChannelRead(data)
    }

    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        unanswered -= 1
        if unanswered == 0, isReading {
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
            return
        }
        if unanswered == 0 { deadline = .now() + headTimeout }
        context.write(data, promise: promise)
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        deadline = .now() + headTimeout
        let interval = TimeAmount.nanoseconds(max(min(headTimeout, bodyTimeout).nanoseconds / 4, 1_000_000))
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let channel = context.channel
        timer = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            if let deadline = handler.value.deadline, deadline <= .now() { channel.close(promise: nil) }
        }
    }

    private func end() {
        timer?.cancel()
        timer = nil
    }
}
