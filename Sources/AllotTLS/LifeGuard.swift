import NIOCore
import NIOHTTP2
import NIOSSL

/// Carries out what ``ConnectionLife`` decides for a connection of HTTP/2, right after TLS.
///
/// A stream has ended for NIO as soon as its last frame is in a buffer, and a channel that closes drops what waits for
/// its client. So a close waits here until that has left.
final class LifeGuard: ChannelDuplexHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Reports streams to the guard, right after the handler of frames.
    final class Streams: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias InboundOut = HTTP2Frame

        private let owner: LifeGuard
        private var open: Set<HTTP2StreamID> = []

        init(_ owner: LifeGuard) { self.owner = owner }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            switch event {
            case let event as NIOHTTP2StreamCreatedEvent:
                open.insert(event.streamID)
                owner.life.streamOpened()
                context.fireUserInboundEventTriggered(event)
            case let event as StreamClosedEvent:
                // A stream whose head is malformed ends without a beginning; the manager of connections stops at that.
                guard open.remove(event.streamID) != nil else { return }
                context.fireUserInboundEventTriggered(event)
                owner.carryOut(owner.life.streamClosed(at: owner.eventLoop.now))
            default: context.fireUserInboundEventTriggered(event)
            }
        }
    }

    private let eventLoop: any EventLoop
    /// The longest time in which what was written may leave.
    private let timeout: TimeAmount
    private var life: ConnectionLife
    private var context: ChannelHandlerContext?
    /// The next check, and its time.
    private var check: (at: NIODeadline, task: Scheduled<Void>)?
    /// Closes a connection that leaves for too long.
    private var leaveEnd: Scheduled<Void>?

    init(eventLoop: any EventLoop, timeout: TimeAmount) {
        (self.eventLoop, self.timeout) = (eventLoop, timeout)
        life = ConnectionLife(timeout: timeout, at: eventLoop.now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        carryOut(life.check(at: eventLoop.now))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        check?.task.cancel()
        leaveEnd?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if life.received(unwrapInboundIn(data).readableBytesView, at: eventLoop.now) { context.fireChannelRead(data) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // In HTTP/2 nothing is left to be said by, or to, a client that has closed its side.
        if event as? ChannelEvent == .inputClosed { return carryOut(life.close()) }
        context.fireUserInboundEventTriggered(event)
        if event is ChannelShouldQuiesceEvent { carryOut(life.leave(at: eventLoop.now)) }
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload else { return }
        carryOut(life.sentGoAway(isFault: code != .noError, at: eventLoop.now))
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all else { return context.close(mode: mode, promise: promise) }
        context.channel.closeFuture.cascade(to: promise)
        _ = life.close()
        leave(context)
    }

    /// Closes the connection when what was written has left.
    private func leave(_ context: ChannelHandlerContext) {
        guard leaveEnd == nil else { return }
        leaveEnd = eventLoop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
        let hasLeft = eventLoop.makePromise(of: Void.self)
        hasLeft.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        // Nothing, but it leaves after everything else. TLS would not let it wait.
        let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
        (tls ?? context).writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: hasLeft)
    }

    private func carryOut(_ action: ConnectionLife.Action) {
        guard let context else { return }
        switch action {
        case .none: break
        case .close:
            // What was written is flushed as soon as this returns.
            eventLoop.assumeIsolated().execute { context.close(promise: nil) }
        case .leave: leave(context)
        case .check(let time):
            if let check {
                guard time < check.at else { return }
                check.task.cancel()
            }
            let task = eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
                check = nil
                carryOut(life.check(at: eventLoop.now))
            }
            check = (time, task)
        }
    }
}
