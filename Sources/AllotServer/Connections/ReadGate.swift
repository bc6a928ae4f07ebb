import NIOCore

/// Hands received bytes to the decoder of HTTP/1 a little at a time, and stops reading while there are more.
///
/// A decoded request is some forty times as large as its bytes, and the decoder decodes all that it gets. So bytes wait
/// here, as bytes, while the requests before them are answered.
final class ReadGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// The most bytes that are decoded at once, but for bodies whose end is known.
    private static let slice = 2048
    /// The most bytes that wait. One read of the socket gives half of it; but what a client sent before it closed its
    /// side is read whole, which can be megabytes.
    private static let limit = 128 * 1024

    private let requests: RequestQueue
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    private var isFeeding = false
    private var isReadWanted = false
    /// Whether nothing more is received.
    private var hasInputClosed = false
    /// Whether the handlers after this one do not know it yet.
    private var isEndHeld = false
    /// The time for an answer after the client has closed its side.
    private var patience: Scheduled<Void>?
    /// The slice that is being decoded.
    private var current = ByteBuffer()
    /// The bytes of the request's first line before ``current``; `nil` if the line has ended.
    private var firstLine: Int? = 0

    init(_ requests: RequestQueue) {
        self.requests = requests
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // Else several reads follow one another before any can be stopped.
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        patience?.cancel()
        held = ByteBuffer()
    }

    /// Whether the request that cannot be decoded has a first line that is too long.
    var isTargetTooLong: Bool {
        let view = current.readableBytesView
        let end = view.firstIndex(of: UInt8(ascii: "\n")).map { $0 - view.startIndex } ?? view.count
        return firstLine.map { $0 + end > ConnectionLimits.fieldBytes } ?? false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !requests.isEnding, !hasInputClosed else { return }
        requests.noteRead()
        var bytes = unwrapInboundIn(data)
        if held.readableBytes == 0, !isFeeding, requests.takesMore, bytes.readableBytes <= length {
            isFeeding = true
            decode(bytes, context)
            isFeeding = false
            return
        }
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
        feed(context)
        guard held.readableBytes > Self.limit else { return }
        held.moveWriterIndex(to: held.readerIndex + Self.limit)
        closeInput()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // What the client still sends is discarded: if it stayed unread, the last answer could be lost.
        if requests.isEnding { context.read() }
    }

    func read(context: ChannelHandlerContext) {
        isReadWanted = held.readableBytes > 0 || requests.isWaiting
        if !isReadWanted { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            closeInput()
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Drops what waits, and whatever comes.
    func discard() {
        held = ByteBuffer()
        context?.read()
    }

    /// Goes on after an answer, or when there is room for one.
    func resume() {
        guard let context, !isFeeding else { return }
        if held.readableBytes > 0 {
            feed(context)
            context.fireChannelReadComplete()
        }
        guard held.readableBytes == 0, !requests.isWaiting else {
            if isEndHeld { limitAnswer(context) }
            return
        }
        if isEndHeld {
            isEndHeld = false
            patience?.cancel()
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadWanted {
            isReadWanted = false
            context.read()
        }
    }

    /// Ends the input when what came before is answered.
    private func closeInput() {
        guard !hasInputClosed else { return }
        hasInputClosed = true
        isEndHeld = true
        resume()
    }

    /// Drops the requests that wait if the present answer takes long, as a stream of events does.
    private func limitAnswer(_ context: ChannelHandlerContext) {
        patience?.cancel()
        patience = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [self] in
            // A client that reads slowly has more time.
            guard requests.owesAnswer else { return }
            held = ByteBuffer()
            requests.dropWaiting()
            resume()
        }
    }

    /// The most bytes that are decoded next.
    private var length: Int { max(Self.slice, requests.bodyLeft) }

    private func feed(_ context: ChannelHandlerContext) {
        guard !isFeeding else { return }
        isFeeding = true
        while requests.takesMore, held.readableBytes > 0,
            let bytes = held.readSlice(length: min(length, held.readableBytes))
        {
            decode(bytes, context)
        }
        // Lets the memory go, which the channel uses again.
        if requests.isEnding || held.readableBytes == 0 { held = ByteBuffer() }
        isFeeding = false
    }

    private func decode(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let ends = requests.decodedEnds
        current = bytes
        context.fireChannelRead(wrapInboundOut(bytes))
        current = ByteBuffer()
        note(bytes, endsRequest: requests.decodedEnds != ends)
    }

    /// Measures the first line of a request whose head takes several slices.
    private func note(_ slice: ByteBuffer, endsRequest: Bool) {
        if endsRequest {
            firstLine = 0
        } else if let length = firstLine, requests.isDecodingHead {
            let hasEnd = slice.readableBytesView.contains(UInt8(ascii: "\n"))
            firstLine = hasEnd ? nil : length + slice.readableBytes
        }
    }
}
