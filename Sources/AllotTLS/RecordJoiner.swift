import NIOCore

/// Joins what is written between two flushes: TLS makes a record of each write, and an answer of HTTP/2 is several.
final class RecordJoiner: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The longest record of TLS.
    private static let recordLength = 16 * 1024
    private var joined = ByteBuffer()
    /// Completes when what was joined has left; `nil` if no writer waits for that.
    private var promise: EventLoopPromise<Void>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        if joined.readableBytes + bytes.readableBytes > Self.recordLength {
            writeJoined(context)
            // A copy would gain nothing.
            if bytes.readableBytes > Self.recordLength / 2 { return context.write(data, promise: promise) }
        }
        joined.writeImmutableBuffer(bytes)
        if let promise {
            if let kept = self.promise { kept.futureResult.cascade(to: promise) } else { self.promise = promise }
        }
    }

    func flush(context: ChannelHandlerContext) {
        writeJoined(context)
        context.flush()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // What is not flushed is lost when the connection closes.
        promise?.fail(ChannelError.ioOnClosedChannel)
        promise = nil
    }

    private func writeJoined(_ context: ChannelHandlerContext) {
        guard joined.readableBytes > 0 || promise != nil else { return }
        let bytes = wrapOutboundOut(joined)
        let written = promise
        // An idle connection keeps no memory for it. What the promise calls may write at once.
        (joined, promise) = (ByteBuffer(), nil)
        context.write(bytes, promise: written)
    }
}
