import AllotFiles
import AllotServing
import NIOCore
import NIOHTTP1

/// A connection of HTTP/1: carries out what ``ConnectionState`` says.
final class HTTP1Handler: ConnectionDriver, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    var base: ConnectionBase
    var state: ConnectionState<ByteBufferView>
    fileprivate var gate: ByteGate?
    private var work: RequestWork?
    /// Whether the present request is for a head, and of an old client.
    private var (isHead, isOld) = (false, false)
    /// An answer that was made before the end of the body, until what was received is used: it may have the end.
    private var early: HTTPAnswer?

    init(_ handlers: ConnectionHandlers, on channel: any Channel) {
        base = ConnectionBase(handlers, on: channel)
        state = ConnectionState(handlers.limits, handlers.rules(of: channel), at: channel.eventLoop.moment)
    }

    private var unsentBytes: Int { base.context?.channel.unsentBytes ?? 0 }

    // MARK: Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): state.receive(.head(HTTP1Head(head)))
        case .body(let bytes): state.receive(.body(bytes.readableBytesView))
        case .end:
            gate?.lineLength = 0
            state.receive(.end)
        }
        run()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
        let isTargetTooLong = gate?.lineLength ?? 0 > ConnectionLimits.fieldBytes
        state.receive(.fault(ConnectionRefusal(error, isTargetTooLong: isTargetTooLong)))
        run()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        state.changeWritability(context.channel.isWritable, unsent: unsentBytes, at: now)
        run()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        state.quiesce(at: now)
        run()
    }

    // MARK: Actions

    func step(_ context: ChannelHandlerContext) -> Bool {
        if let action = state.next(at: now) {
            perform(action, context)
        } else if let answer = early {
            early = nil
            write(answer)
        } else {
            return false
        }
        return true
    }

    func rest(_ context: ChannelHandlerContext) {
        flush(context)
        gate?.resume()
    }

    func look() { state.look(at: now, unsent: unsentBytes) }

    func cancelWork() {
        work?.cancel()
        (work, early, gate) = (nil, nil, nil)
    }

    private func perform(_ action: ConnectionState<ByteBufferView>.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .decode(let count): gate?.decode(count)
        case .askTurn: askTurn()
        case .begin(let head): begin(head, context)
        case .body(let bytes): work?.receive(bytes)
        case .end: work?.end()
        case .refuse(let refusal, let isHead):
            base.handlers.refusals.note(refusal)
            work?.cancel(answeredWith: refusal.status ?? 400)
            (work, early) = (nil, nil)
            if let answer = refusal.answer { write(answer, isHead: isHead, isOld: false, connection: "close", context) }
        case .noteUnread: base.handlers.refusals.note(.unread)
        case .endStream: work?.endStream()
        case .awaitLeaving:
            state.noteUnsent(unsentBytes)
            let hasLeft = context.eventLoop.makePromise(of: Void.self)
            hasLeft.futureResult.assumeIsolated().whenComplete { [self] _ in
                state.left(at: now)
                run()
            }
            // Nothing, but it leaves after everything else.
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: hasLeft)
        case .closeOutput: context.close(mode: .output, promise: nil)
        case .close: context.close(promise: nil)
        case .reset: context.channel.reset()
        }
    }

    private func begin(_ head: HTTP1Head, _ context: ChannelHandlerContext) {
        if head.expectsContinue {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        (isHead, isOld) = (head.isHead, head.isOld)
        let work = RequestWork(
            head.request, announced: head.length, hasBody: head.hasBody, base.handlers.routes, on: context.eventLoop
        ) { [weak self] answer in
            if let self, self.base.isRunning { self.early = answer } else { self?.write(answer) }
        }
        self.work = work
        work.begin()
    }

    // MARK: Answers

    private func write(_ answer: HTTPAnswer) {
        var answer = answer
        if isHead { answer.stream = nil }
        let (isWanted, connection) = state.beginAnswer(
            hasLength: answer.stream == nil, isEndless: answer.stream?.isEndless ?? false)
        guard isWanted, let context = base.context else { return }
        write(answer, isHead: isHead, isOld: isOld, connection: connection, context)
        if let stream = answer.stream {
            work?.write(
                stream,
                { [weak self] part in
                    guard let self, let context = self.base.context else { return nil }
                    let hasLeft = context.eventLoop.makePromise(of: Void.self)
                    let bytes = ByteBuffer(bytes: part)
                    context.writeAndFlush(self.wrapOutboundOut(.body(.byteBuffer(bytes))), promise: hasLeft)
                    return hasLeft.futureResult
                },
                then: { [weak self] isWhole in
                    guard let self, let context = self.base.context else { return }
                    if isWhole { self.write(.end(nil), context) }
                    self.state.endAnswer(isWhole: isWhole, at: self.now)
                    self.run()
                })
        } else {
            state.endAnswer(at: now)
        }
        // An answer that was not made at once.
        run()
    }

    /// Writes the head of an answer, and the rest if the answer is whole.
    private func write(
        _ answer: HTTPAnswer, isHead: Bool, isOld: Bool, connection: String?, _ context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders(fields(of: answer))
        if let connection { headers.add(name: "connection", value: connection) }
        // The old version keeps the body from being sent in chunks.
        let head = HTTPResponseHead(
            version: isOld ? .http1_0 : .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
            headers: headers)
        write(.head(head), context)
        guard answer.stream == nil else { return }
        if !isHead, !answer.body.isEmpty {
            write(.body(.byteBuffer(context.channel.allocator.buffer(bytes: answer.body))), context)
        }
        write(.end(nil), context)
    }

    private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
        base.isFlushDue = true
        context.write(wrapOutboundOut(part), promise: nil)
    }
}

extension ConnectionHandlers {
    /// Adds the handlers of a connection of HTTP/1. Called on its event loop.
    package func addHTTP1(to channel: any Channel) throws {
        let handler = HTTP1Handler(self, on: channel)
        let gate = ByteGate(handler)
        // Else several reads follow one another before any can be stopped.
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(gate)
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = ConnectionLimits.fieldBytes
        limits.maxHeaderListSize = ConnectionLimits.fieldsBytes
        limits.maxHeaderFieldCount = ConnectionLimits.fieldCount
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: true,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(handler)
        // The two keep each other until the connection ends, so it has to have begun.
        handler.gate = gate
    }
}

/// Hands received bytes to the decoder of HTTP/1 a little at a time, and stops reading while there are more.
private final class ByteGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = Never
    private let connection: HTTP1Handler
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    private var isReadWanted = false
    /// The decoded bytes of a request's first line: a target that is too long has a status of its own; `nil` after it.
    var lineLength: Int? = 0
    init(_ connection: HTTP1Handler) { self.connection = connection }
    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        connection.state.receive(bytes.readableBytes, at: connection.now)
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
        connection.run()
    }

    func read(context: ChannelHandlerContext) {
        isReadWanted = !connection.state.isReading
        if !isReadWanted { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        connection.state.closeInput(at: connection.now)
        connection.run()
    }

    func decode(_ count: Int) {
        guard let context else { return }
        let bytes: ByteBuffer
        if count < held.readableBytes, let slice = held.readSlice(length: count) {
            bytes = slice
        } else {
            // Lets the memory go, which the channel uses again.
            bytes = held
            held = ByteBuffer()
        }
        var lineEnds = false
        if let length = lineLength {
            let view = bytes.readableBytesView
            let end = view.firstIndex(of: UInt8(ascii: "\n"))
            lineLength = length + (end ?? view.endIndex) - view.startIndex
            lineEnds = end != nil
        }
        context.fireChannelRead(wrapInboundOut(bytes))
        // Zero after the end of a request.
        if lineEnds, lineLength != 0 { lineLength = nil }
    }

    /// Forgets the bytes that are not wanted, and reads on if a read waits and need not any more.
    func resume() {
        let count = connection.state.heldBytes
        if count == 0 { held = ByteBuffer() } else { held.moveWriterIndex(to: held.readerIndex + count) }
        guard isReadWanted, connection.state.isReading else { return }
        isReadWanted = false
        context?.read()
    }
}

extension HTTP1Head {
    fileprivate init(_ head: HTTPRequestHead) {
        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(head.headers.count)
        for (name, value) in head.headers { headers.append((name, value)) }
        self.init(
            ServiceRequest(method: head.method.rawValue, target: head.uri, headers: headers),
            isOld: head.version.minor == 0, isKept: head.isKeepAlive)
    }
}

extension ConnectionRefusal {
    /// The refusal of what is not HTTP/1, or too long.
    fileprivate init(_ error: HTTPParserError, isTargetTooLong: Bool) {
        switch error {
        case .headerOverflow: self = isTargetTooLong ? .longTarget : .largeHead
        case .unknown: self.init(.syntax, "the request is not valid HTTP/1.1")
        default: self.init(.syntax, "the request is not valid HTTP/1.1: \(error)")
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
