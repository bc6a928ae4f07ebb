import AllotServer
import NIOCore
import NIOHTTP2

/// Ends a stream with the last frame that says something, and not with an empty one after it; and tells the client to
/// send no more of a body whose request is answered (RFC 9113, section 8.1).
final class LastFrame: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// A frame that may be the last one, until the next write or flush.
    private var held: (frame: HTTP2Frame.FramePayload, promise: EventLoopPromise<Void>?)?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        if frame.isOnlyEnd, let (last, earlier) = held {
            held = nil
            if let promise, let earlier { promise.futureResult.cascade(to: earlier) }
            return context.write(wrapOutboundOut(last.ended), promise: promise ?? earlier)
        }
        writeHeld(context)
        if frame.canEnd { held = (frame, promise) } else { context.write(data, promise: promise) }
    }

    func flush(context: ChannelHandlerContext) {
        writeHeld(context)
        context.flush()
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard case .stopBody? = event as? StreamEvent else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        writeHeld(context)
        context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // What is not flushed is lost when the stream closes.
        held?.promise?.fail(ChannelError.ioOnClosedChannel)
        held = nil
    }

    private func writeHeld(_ context: ChannelHandlerContext) {
        guard let (frame, promise) = held else { return }
        held = nil
        context.write(wrapOutboundOut(frame), promise: promise)
    }
}

extension HTTP2Frame.FramePayload {
    /// Whether the frame says nothing but that the stream ends.
    fileprivate var isOnlyEnd: Bool {
        if case .data(let data) = self { data.endStream && data.data.readableBytes == 0 } else { false }
    }

    /// Whether the frame could be the last one of its stream, and is not.
    fileprivate var canEnd: Bool {
        switch self {
        case .data(let data): !data.endStream
        case .headers(let headers): !headers.endStream
        default: false
        }
    }

    /// The frame as the last one of its stream.
    fileprivate var ended: HTTP2Frame.FramePayload {
        switch self {
        case .data(var data):
            data.endStream = true
            return .data(data)
        case .headers(var headers):
            headers.endStream = true
            return .headers(headers)
        default: return self
        }
    }
}
