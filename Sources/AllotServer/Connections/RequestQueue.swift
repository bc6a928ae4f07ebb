import AllotFiles
import NIOCore
import NIOHTTP1

/// Hands on the requests of a connection of HTTP/1 one after another, each when the one before it is answered and what
/// was answered is on its way, in turns with other connections; and keeps the manners of HTTP/1.
final class RequestQueue: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The requests that the handlers after this one make.
    enum Event {
        /// The connection ends after the present answer.
        case endAfterAnswer
        /// The next close does not wait until what was written has left.
        case abort
    }

    private enum Waiting {
        case part(HTTPServerRequestPart)
        case refusal(ConnectionRefusal)
    }

    /// How long what a client still sends is discarded after the last answer. If the connection were closed at once,
    /// the answer could be lost on the way.
    private static let lingering = TimeAmount.seconds(1)

    private let limits: ConnectionLimits
    private var context: ChannelHandlerContext?
    private var turns: ConnectionTurns?
    private var gate: ReadGate?
    private var waiting = CircularBuffer<Waiting>()
    private var isHandingOn = false
    private var manners = HTTP1Manners()
    /// Whether the end of the present request was not handed on yet.
    private var isReading = false
    /// Whether the end of the present answer was not written yet.
    private var isAnswering = false
    private var isHead = false
    private var isWritable = true
    private var isAborted = false
    /// Whether the connection closes when what was written has left.
    private var isLeaving = false
    private var isLingering = false
    /// The end of the time that the client has for the rest of its answers, and then of lingering.
    private var deadline: Scheduled<Void>?

    /// Whether nothing that is received now is used any more.
    private(set) var isEnding = false
    /// How many ends of requests were decoded.
    private(set) var decodedEnds = 0
    /// Whether the decoder is before the end of a head.
    private(set) var isDecodingHead = true
    /// The bytes of the present body that are announced and not received yet.
    private(set) var bodyLeft = 0

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// Puts its gate before the decoder of HTTP/1, and itself before the codec. Throws if there is no decoder.
    func add(to context: ChannelHandlerContext, before codec: any ChannelHandler) throws {
        let pipeline = context.pipeline.syncOperations
        let gate = ReadGate(self)
        try pipeline.addHandler(
            gate, position: .before(pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)))
        try pipeline.addHandler(self, position: .before(codec))
        self.gate = gate
        turns = ConnectionTurns(limits.turns.of(context.eventLoop)) { [weak self] in
            if let self, let context = self.context { self.goOn(context) }
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        self.context = nil
        gate = nil
        waiting.removeAll()
    }

    /// Whether a request was handed on that is not answered yet.
    var owesAnswer: Bool { isAnswering }

    /// Whether parts of requests wait for the answer of an earlier one.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Drops the requests that wait.
    func dropWaiting() {
        waiting.removeAll()
    }

    /// Notes that the client has sent something.
    func noteRead() {
        turns?.noteRead()
    }

    /// Whether more bytes may be decoded.
    var takesMore: Bool { !isEnding && waiting.isEmpty && (isReading || !isAnswering && isWritable) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding else { return }
        let part = unwrapInboundIn(data)
        switch part {
        case .head: isDecodingHead = false
        case .body: break
        case .end:
            isDecodingHead = true
            decodedEnds += 1
        }
        receive(.part(part), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        guard !isEnding else { return }
        receive(
            .refusal(ConnectionRefusal(error, isTargetTooLong: isDecodingHead && gate?.isTargetTooLong ?? false)),
            context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        context.fireChannelWritabilityChanged()
        if isWritable { goOn(context) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where !head.status.isInformational:
            if !isReading, !isHead, head.isOfEvents {
                // Otherwise the server would not notice that the client leaves.
                manners.end()
                dropRest()
            }
            if let adapted = manners.adapted(head) {
                return context.write(wrapOutboundOut(.head(adapted)), promise: promise)
            }
            context.write(data, promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            isAnswering = false
            if manners.isLast { leave(context, lingers: true) } else { goOn(context) }
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event as? Event {
        case .endAfterAnswer: manners.end()
        case .abort: isAborted = true
        case nil: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The server shuts down: the requests that wait are not begun any more.
        if event is ChannelShouldQuiesceEvent, isAnswering { manners.end() }
        context.fireUserInboundEventTriggered(event)
        if isLingering, event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // Otherwise the client would take the part of the answer for the whole.
        if isAnswering, manners.endsAnswerByClosing { return reset(context, promise) }
        guard mode != .input, !isAborted else { return context.close(mode: mode, promise: promise) }
        context.channel.closeFuture.cascade(to: promise)
        leave(context, lingers: mode == .output)
    }

    /// Ends the connection so that the client sees a failure.
    private func reset(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        isLeaving = true
        dropRest()
        context.channel.reset(promise: promise)
    }

    private func receive(_ item: Waiting, _ context: ChannelHandlerContext) {
        if waiting.isEmpty, mayHandOn(item) { handOn(item, context) } else { waiting.append(item) }
    }

    private func goOn(_ context: ChannelHandlerContext) {
        guard !isHandingOn else { return }
        isHandingOn = true
        let hasSome = !waiting.isEmpty
        while let next = waiting.first, mayHandOn(next) {
            waiting.removeFirst()
            handOn(next, context)
        }
        isHandingOn = false
        if hasSome { context.fireChannelReadComplete() }
        gate?.resume()
    }

    private func mayHandOn(_ item: Waiting) -> Bool {
        switch item {
        case .part(.head): !isReading && !isAnswering && isWritable && (turns?.take() ?? true)
        case .part: isReading
        // In the middle of a request it is about that one.
        case .refusal: isReading || !isAnswering
        }
    }

    private func handOn(_ item: Waiting, _ context: ChannelHandlerContext) {
        switch item {
        case .part(.head(let head)): begin(head, context)
        case .part(.body(let bytes)):
            bodyLeft -= bytes.readableBytes
            context.fireChannelRead(wrapInboundOut(.body(bytes)))
        case .part(.end(let trailers)):
            isReading = false
            bodyLeft = 0
            context.fireChannelRead(wrapInboundOut(.end(trailers)))
        case .refusal(let refusal): refuse(refusal, context)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        manners = HTTP1Manners(head)
        if let refusal = manners.refusal { return refuse(refusal, context) }
        // A client that learns now that the connection ends does not send a request into its end later.
        if limits.draining.isActive, !isWaiting { manners.end() }
        isReading = true
        isAnswering = true
        isHead = head.method == .HEAD
        bodyLeft = manners.length ?? 0
        // A body that is too long is refused instead.
        if manners.expectsContinue, bodyLeft <= limits.bodyBytes {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func refuse(_ refusal: ConnectionRefusal, _ context: ChannelHandlerContext) {
        isEnding = true
        waiting.removeAll()
        context.fireErrorCaught(refusal)
    }

    /// Drops what the client has sent after the present request, and reads on to drop the rest.
    private func dropRest() {
        isEnding = true
        waiting.removeAll()
        gate?.discard()
    }

    /// Closes the connection when what was written has left. The channel itself would drop the rest of the answers; if
    /// the client has closed its side, even when only the output is closed.
    private func leave(_ context: ChannelHandlerContext, lingers: Bool) {
        guard !isLeaving else { return }
        isLeaving = true
        dropRest()
        let hasLeft = context.eventLoop.makePromise(of: Void.self)
        hasLeft.futureResult.assumeIsolated().whenComplete { [self] _ in
            deadline?.cancel()
            guard lingers else { return context.close(promise: nil) }
            isLingering = true
            context.close(mode: .output, promise: nil)
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) {
                context.close(promise: nil)
            }
        }
        watch(context)
        // Nothing, but it leaves after everything else.
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: hasLeft)
    }

    /// Closes the connection anyway if the client takes too little.
    private func watch(_ context: ChannelHandlerContext) {
        let bytes = context.channel.unsentBytes
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limits.timeout) { [self] in
            guard bytes - context.channel.unsentBytes < limits.leastBytesTaken else { return watch(context) }
            context.fireErrorCaught(ConnectionRefusal.unread)
            context.close(promise: nil)
        }
    }
}

extension HTTPResponseHead {
    /// Whether the body is a stream of events, which only the end of the connection ends.
    fileprivate var isOfEvents: Bool {
        headers.contains { name, value in
            name.utf8.count == 12 && value.hasPrefix("text/event-stream") && name.lowercased() == "content-type"
        }
    }
}

extension Channel {
    /// The bytes of answers that wait to leave a connection; not for streams of HTTP/2, which do not know them.
    var unsentBytes: Int { (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    /// Breaks a connection off at once, so that its client sees a failure. Called on its event loop.
    func reset(promise: EventLoopPromise<Void>? = nil) {
        let provider = self as? any SocketOptionProvider
        let isSet = provider?.setSoLinger(linger(l_onoff: 1, l_linger: 0)) ?? eventLoop.makeSucceededVoidFuture()
        // Below TLS, which would say that the data end here.
        isSet.assumeIsolated().whenComplete { [self] _ in
            _channelCore.close0(error: ChannelError.eof, mode: .all, promise: promise)
        }
    }
}

extension ChannelOutboundInvoker {
    /// Closes a connection without waiting until what was written has left.
    func abort() {
        triggerUserOutboundEvent(RequestQueue.Event.abort, promise: nil)
        close(mode: .all, promise: nil)
    }
}
