import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Answers requests for configurations on a connection of HTTP/2 itself. The frames of all other streams are for the
/// multiplexer, which makes a channel of each stream: that takes longer than an answer.
///
/// A request that is refused, malformed, or waits for a body is for the multiplexer too, so that each has one way. The
/// memory that answers take is bounded by ``StreamAnswers``, whether the connection is writable or not; answers without
/// a body are bounded by the number of streams that may be open.
final class DirectFrames: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The state of an open stream whose request is answered here.
    private enum Stream {
        case waiting(HeldRequest)
        /// The answer was written, and has to leave before the deadline.
        case leaving(deadline: NIODeadline)
        /// The stream was reset.
        case reset

        /// The end of the time in which an answer that was written has to leave.
        var deadline: NIODeadline? {
            if case .leaving(let deadline) = self { deadline } else { nil }
        }
    }

    private struct Request {
        let stream: HTTP2StreamID
        let head: HTTPRequest
        let place: ConfigurationAnswers.Place
    }

    /// A request that waits until there is room for its answer.
    private final class HeldRequest: WaitingRequest {
        let request: Request
        private weak var frames: DirectFrames?

        init(_ request: Request, _ frames: DirectFrames) {
            self.request = request
            self.frames = frames
        }

        func resume() {
            frames?.resume(request)
        }
    }

    private let service: DirectAnswers.Service
    private let refusals: RefusalLog
    private let answers: StreamAnswers
    private let isReserved: Bool
    /// The time in which an answer has to leave.
    private let leaveTime: TimeAmount
    private var hosts: HostRule
    private var context: ChannelHandlerContext?
    private var streams: [HTTP2StreamID: Stream] = [:]
    private var isFlushDue = false
    /// The next look for answers that have not left, while there are any.
    private var check: Scheduled<Void>?

    /// - Parameter isReserved: Whether the connection is one of those that are kept for probes.
    init(
        _ service: DirectAnswers.Service, _ limits: ConnectionLimits, refusals: RefusalLog, answers: StreamAnswers,
        isReserved: Bool
    ) {
        self.service = service
        self.refusals = refusals
        self.answers = answers
        self.isReserved = isReserved
        leaveTime = limits.timeout + limits.timeout
        hosts = HostRule(limits.hosts)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        forgetStreams()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        forgetStreams()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        // The handler of frames has done all that a later frame asks, and the multiplexer does not know the stream.
        if streams[frame.streamID] != nil { return }
        guard let request = directRequest(in: frame) else { return context.fireChannelRead(data) }
        if answers.admitsRequest() {
            answer(request, context)
        } else {
            let held = HeldRequest(request, self)
            streams[request.stream] = .waiting(held)
            answers.wait(held)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        answers.noteRead()
        flush(context)
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? StreamClosedEvent,
            case .waiting(let held)? = streams.removeValue(forKey: event.streamID)
        {
            answers.remove(held)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// The request of a frame that opens a stream. Returns `nil` if the frame is for the multiplexer.
    private func directRequest(in frame: HTTP2Frame) -> Request? {
        // Trailers end a stream as well; they do not have a method.
        guard !isReserved, case .headers(let headers) = frame.payload, headers.endStream,
            let head = HTTPRequest(headers.headers), let place = service.place(of: head),
            StreamManners.refusal(of: head) == nil, hosts.refusal(of: head) == nil
        else { return nil }
        return Request(stream: frame.streamID, head: head, place: place)
    }

    /// Answers a request that waited.
    private func resume(_ request: Request) {
        guard let context, case .waiting? = streams[request.stream] else { return answers.answered() }
        answer(request, context)
        flush(context)
    }

    private func answer(_ request: Request, _ context: ChannelHandlerContext) {
        let answer = service.answer(request.head, at: request.place)
        let body = request.head.method == .head ? nil : answer.body
        // Before the frames, which may end the stream at once.
        let deadline = context.eventLoop.now + leaveTime
        streams[request.stream] = .leaving(deadline: deadline)
        watch(until: deadline, context)
        let head = HTTP2Frame.FramePayload.Headers(headers: HPACKHeaders(answer), endStream: body == nil)
        write(.headers(head), request.stream, context)
        if let body {
            let hasLeft = context.eventLoop.makePromise(of: Void.self)
            answers.add(body.readableBytes, until: hasLeft)
            write(.data(.init(data: .byteBuffer(body), endStream: true)), request.stream, context, hasLeft)
        }
        answers.answered()
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload, _ stream: HTTP2StreamID, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>? = nil
    ) {
        isFlushDue = true
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: promise)
    }

    private func flush(_ context: ChannelHandlerContext) {
        guard isFlushDue else { return }
        isFlushDue = false
        context.flush()
    }

    /// Looks at a time for answers that have not left, unless another look comes earlier.
    private func watch(until deadline: NIODeadline, _ context: ChannelHandlerContext) {
        guard check == nil else { return }
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            // Answers that are written meanwhile need no look of their own.
            resetLateStreams(context)
            check = nil
            if let next = streams.values.compactMap(\.deadline).min() { watch(until: next, context) }
        }
    }

    /// Resets the streams whose answers have not left in time.
    private func resetLateStreams(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        for stream in Array(streams.keys) {
            guard let deadline = streams[stream]?.deadline, deadline <= now else { continue }
            streams[stream] = .reset
            refusals.note(.unread)
            write(.rstStream(.cancel), stream, context)
        }
        flush(context)
    }

    private func forgetStreams() {
        check?.cancel()
        check = nil
        for case .waiting(let held) in streams.values { answers.remove(held) }
        streams = [:]
    }
}

extension HTTPRequest {
    /// The head that a block of fields holds, as the codec of streams reads it. Returns `nil` if it is malformed.
    fileprivate init?(_ block: HPACKHeaders) {
        var (method, scheme, authority, path): (String?, String?, String?, String?) = (nil, nil, nil, nil)
        var fields = HTTPFields()
        for (name, value, _) in block {
            if name.utf8.first == UInt8(ascii: ":") {
                guard fields.isEmpty else { return nil }
                switch name {
                case ":method" where method == nil: method = value
                case ":scheme" where scheme == nil: scheme = value
                case ":authority" where authority == nil: authority = value
                case ":path" where path == nil: path = value
                default: return nil
                }
            } else if let name = HTTPField.Name(name) {
                fields.append(HTTPField(name: name, value: value))
            }
        }
        guard let verb = method.flatMap({ HTTPRequest.Method($0) }) else { return nil }
        self.init(method: verb, scheme: scheme, authority: authority, path: path, headerFields: fields)
    }
}

extension HPACKHeaders {
    /// The head of an answer, as the codec of streams writes it.
    fileprivate init(_ answer: RouteAnswer) {
        self.init()
        reserveCapacity(answer.headers.count + 1)
        add(name: ":status", value: String(answer.status.code))
        for field in answer.headers { add(name: field.name.canonicalName, value: field.value) }
    }
}
