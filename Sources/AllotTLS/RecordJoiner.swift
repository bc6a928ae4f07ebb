import NIOCore

/// Joins what is written to a connection between two flushes: TLS makes a record of each write, and an answer of HTTP/2
/// is several.
final class RecordJoiner: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The longest record of TLS.
    private static let recordLength = 16 * 1024

    private var joined = ByteBuffer()
    private var promises: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        if joined.readableBytes + bytes.readableBytes > Self.recordLength {
            writeJoined(context)
            // A copy would gain nothing.
            if bytes.readableBytes > Self.recordLength / 2 { return context.write(data, promise: promise) }
        }
        joined.writeImmutableBuffer(bytes)
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        writeJoined(context)
        context.flush()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // What is not flushed is lost when the connection closes.
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
    }

    private func writeJoined(_ context: ChannelHandlerContext) {
        guard joined.readableBytes > 0 || !promises.isEmpty else { return }
        context.write(wrapOutboundOut(joined), promise: joinedPromise(context.eventLoop))
        // An idle connection keeps no memory for it.
        joined = ByteBuffer()
    }

    /// A promise that completes all. Returns `nil` if there is none.
    private func joinedPromise(_ eventLoop: any EventLoop) -> EventLoopPromise<Void>? {
        guard let first = promises.first else { return nil }
        let all = promises
        promises.removeAll(keepingCapacity: true)
        guard all.count > 1 else { return first }
        let promise = eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { result in
            for promise in all { promise.completeWith(result) }
        }
        return promise
    }
}
