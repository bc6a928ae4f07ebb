import AllotServing
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The handler that answers the frames of a connection of HTTP/2: it carries out what ``StreamsState`` says. A stream
/// has no channel of its own, which takes longer to make than most answers.
final class HTTP2Handler: ConnectionDriver {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame
    var base: ConnectionBase
    var state: StreamsState
    private var rules: HeadRules
    private var requests: [Int: (work: RequestWork, isHead: Bool)] = [:]
    private var isReading = false
    private var isRunDue = false
    private var isEnding = false

    init(_ handlers: ConnectionHandlers, on channel: any Channel) {
        base = ConnectionBase(handlers, on: channel)
        state = StreamsState(handlers.limits)
        rules = handlers.rules(of: channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        let frame = unwrapInboundIn(data)
        let stream = Int(frame.streamID)
        // The handlers after this one know the connection only.
        guard stream != 0 else { return context.fireChannelRead(data) }
        switch frame.payload {
        case .headers(let head) where !state.isOpen(stream): open(stream, head, context)
        // Trailers say nothing but that the body has ended.
        case .headers(let trailers): receive(ByteBuffer(), ends: trailers.endStream, on: stream)
        case .data(let data):
            if case .byteBuffer(let bytes) = data.data { receive(bytes, ends: data.endStream, on: stream) }
        default: return
        }
        run()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        state.noteRead()
        run()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as StreamClosedEvent: close(Int(event.streamID))
        case let event as NIOHTTP2WindowUpdatedEvent:
            let stream = Int(event.streamID)
            if let size = event.inboundWindowSize, let growth = state.growth(ofWindow: stream, size) {
                write(.windowUpdate(windowSizeIncrement: growth), stream, context)
            }
        case is ChannelShouldQuiesceEvent:
            isEnding = true
            for request in requests.values { request.work.endStream() }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
        run()
    }

    private func open(_ stream: Int, _ frame: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
        guard let head = HTTP2Head(frame.headers) else {
            write(.rstStream(.protocolError), stream, context)
            return
        }
        let (request, hasBody) = (head.request, !frame.endStream)
        var refusal = head.refusal ?? rules.refusal(of: request)
        if refusal == nil, hasBody, head.length ?? 0 > base.handlers.limits.bodyBytes {
            refusal = .largeBody(base.handlers.limits)
        }
        let work = RequestWork(
            request, announced: head.length, hasBody: hasBody, base.handlers.routes, on: context.eventLoop
        ) { [weak self] answer in self?.write(answer, to: stream) }
        let isHead = request.method == "HEAD"
        requests[stream] = (work: work, isHead: isHead)
        state.open(
            stream, announced: head.length, hasBody: hasBody, needsBody: !isHead && request.method != "GET",
            refusal: refusal, at: now)
    }

    private func receive(_ bytes: ByteBuffer, ends: Bool, on stream: Int) {
        guard state.receive(bytes.readableBytes, ends: ends, on: stream) else { return }
        requests[stream]?.work.receive(bytes.readableBytesView)
    }

    private func close(_ stream: Int) {
        state.close(stream)
        requests.removeValue(forKey: stream)?.work.cancel()
    }

    func cancelWork() {
        for request in requests.values { request.work.cancel() }
        requests = [:]
    }

    func step(_ context: ChannelHandlerContext) -> Bool {
        guard let action = state.next(at: now) else { return false }
        switch action {
        case .askTurn: askTurn()
        case .begin(let stream): requests[stream]?.work.begin()
        case .end(let stream): requests[stream]?.work.end()
        case .refuse(let stream, let refusal):
            base.handlers.refusals.note(refusal)
            requests[stream]?.work.cancel(answeredWith: refusal.status ?? 400)
            if let answer = refusal.answer { write(answer, to: stream) }
        case .reset(let stream, let reason):
            if reason == .unread { base.handlers.refusals.note(.unread) }
            write(.rstStream(reason.code), stream, context)
        }
        return true
    }

    func rest(_ context: ChannelHandlerContext) { if !isReading { flush(context) } }

    /// Runs when the present event is over: the handler of frames may be in the middle of a flush.
    private func runSoon(_ context: ChannelHandlerContext) {
        guard !isRunDue else { return }
        isRunDue = true
        context.eventLoop.assumeIsolated().execute { [self] in
            isRunDue = false
            run()
        }
    }

    func look() { state.look(at: now) }

    private func write(_ answer: HTTPAnswer, to stream: Int) {
        guard let context = base.context, let request = requests[stream], state.isOpen(stream) else { return }
        let head = head(of: answer)
        if !request.isHead, let parts = answer.stream {
            write(parts, of: stream, after: head, request.work, context)
        } else {
            let body = request.isHead ? [] : answer.body
            // Before the frames, which may end the stream at once.
            state.answer(stream, body.count, at: now)
            write(
                .headers(.init(headers: head, endStream: body.isEmpty)), stream, context,
                counting: body.isEmpty ? 0 : nil)
            if !body.isEmpty {
                let bytes = ByteBuffer(bytes: body)
                write(.data(.init(data: .byteBuffer(bytes), endStream: true)), stream, context, counting: body.count)
            }
        }
        run()
    }

    private func write(
        _ parts: AnswerStream, of stream: Int, after head: HPACKHeaders, _ work: RequestWork,
        _ context: ChannelHandlerContext
    ) {
        state.beginParts(stream)
        write(.headers(.init(headers: head, endStream: false)), stream, context)
        work.write(
            parts, { [weak self] part in self?.write(part, of: stream) },
            then: { [weak self] isWhole in self?.endParts(of: stream, isWhole: isWhole) })
        if isEnding { work.endStream() }
    }

    /// Writes a part of an answer. Completes when it has left; returns `nil` if the stream has ended.
    private func write(_ part: [UInt8], of stream: Int) -> EventLoopFuture<Void>? {
        guard let context = base.context, state.isOpen(stream) else { return nil }
        state.addPart(stream, part.count, at: now)
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer(bytes: part)), endStream: false)
        let hasLeft = write(.data(data), stream, context, counting: part.count)
        run()
        return hasLeft
    }

    private func endParts(of stream: Int, isWhole: Bool) {
        guard let context = base.context, state.isOpen(stream) else { return }
        if isWhole {
            state.answer(stream, 0, at: now)
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer()), endStream: true)
            write(.data(data), stream, context, counting: 0)
        } else {
            state.breakOff(stream)
        }
        run()
    }

    private func head(of answer: HTTPAnswer) -> HPACKHeaders {
        var head = HPACKHeaders()
        head.reserveCapacity(answer.headers.count + 3)
        head.add(name: ":status", value: String(answer.status))
        for (name, value) in fields(of: answer) { head.add(name: name.lowercased(), value: value) }
        return head
    }

    /// Writes a frame. Returns when it has left, if it has a count of bytes of the answer, whose leaving counts.
    @discardableResult
    private func write(
        _ payload: HTTP2Frame.FramePayload, _ stream: Int, _ context: ChannelHandlerContext, counting count: Int? = nil
    ) -> EventLoopFuture<Void>? {
        let hasLeft = count.map { _ in context.eventLoop.makePromise(of: Void.self) }
        hasLeft?.futureResult.assumeIsolated().whenComplete { [self] _ in
            state.left(count ?? 0, of: stream)
            if state.hasWork { runSoon(context) }
        }
        base.isFlushDue = true
        let frame = HTTP2Frame(streamID: HTTP2StreamID(stream), payload: payload)
        context.write(wrapOutboundOut(frame), promise: hasLeft)
        return hasLeft?.futureResult
    }
}

extension StreamsState.Reset {
    fileprivate var code: HTTP2ErrorCode {
        switch self {
        case .answered: .noError
        case .broken: .internalError
        case .unread: .cancel
        }
    }
}
