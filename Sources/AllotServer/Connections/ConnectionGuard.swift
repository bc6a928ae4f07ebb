import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Refuses what is too large or too slow: bodies that are longer than any route accepts, or that do not get on, and
/// clients that do not read their answers.
///
/// A guard serves a connection of HTTP/1, one request after another, or a stream of HTTP/2.
package final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler, WaitingRequest {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// More of a body than this is not read to its end after an answer that did not need it.
    private static let discardedBytes = 64 * 1024
    /// The most bytes of parts that are joined.
    private static let joinedBytes = 16 * 1024

    private let limits: ConnectionLimits
    private let connections: ConnectionCounter
    private let refusals: RefusalLog
    private var context: ChannelHandlerContext?
    /// The answers of all streams of the connection, if this is a stream of HTTP/2.
    private let answers: StreamAnswers?
    /// The received parts of a request that waits until there is room for its answer; `nil` if it does not wait.
    private var held: [HTTPRequestPart]?
    /// Whether ``answers`` counts the request as one without an answer.
    private var isUnanswered = false
    /// Whether ``answers`` were asked for room.
    private var hasAsked = false
    /// Whether the handlers after this one do not know yet that the server ends.
    private var isEndHeld = false
    /// Whether a whole answer on a stream of HTTP/2 was written and has not left; a close waits for it.
    private var isLeaving = false
    private var waitingClose: EventLoopPromise<Void>?
    /// The end of the time in which the answer has to leave.
    private var leaveDeadline: Scheduled<Void>?
    /// Whether the connection is one of those that are kept for probes.
    private var isReserved: Bool
    /// Whether the end of the request was not received yet.
    private var isReading = false
    /// Whether the end of the answer was not written yet.
    private var isAnswering = false
    private var hasAnswerHead = false
    private var isRefused = false
    /// Whether the answer to the request has no body.
    private var isHead = false
    /// Whether the handlers after this one want to read.
    private var isReadWanted = false
    private var announcedBytes = 0
    /// Whether the length of the body is not announced.
    private var isChunked = false
    private var hosts: HostRule
    private var receivedBytes = 0
    /// The parts of the body that were received in this read, and are not handed on yet.
    private var joinedParts: ByteBuffer?
    /// When a body that takes several reads began.
    private var bodyStart: NIODeadline?
    /// Since when the client took too little of the answer, and what waited then.
    private var unread: (since: NIODeadline, bytes: Int)?
    /// The next look at the progress, while a body or an answer is on its way.
    private var check: Scheduled<Void>?

    /// - Parameters:
    ///   - answers: The answers of all streams of the connection; `nil` for one of HTTP/1.
    ///   - isReserved: Whether the connection of the stream is one of those that are kept for probes.
    init(
        _ limits: ConnectionLimits, connections: ConnectionCounter, refusals: RefusalLog,
        answers: StreamAnswers? = nil, isReserved: Bool = false
    ) {
        self.limits = limits
        self.connections = connections
        self.refusals = refusals
        self.answers = answers
        self.isReserved = isReserved
        hosts = HostRule(limits.hosts)
    }

    private var isHTTP1: Bool { answers == nil }

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guard isHTTP1 else { return }
        connections.adopt(context.channel)
        let pipeline = context.pipeline.syncOperations
        isReserved = (try? pipeline.handler(type: ReservedMark.self)) != nil
        // Cannot fail in a pipeline that has the codec; without it requests are only handed on as they come.
        guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
        try? RequestQueue(limits: limits).add(to: context, before: codec)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        leaveDeadline?.cancel()
        self.context = nil
        leaveAnswers()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        leaveAnswers()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            begin(head)
            if !isHTTP1, let refusal = StreamManners.refusal(of: head) { return refuse(refusal, context) }
            if let refusal = refusal(of: head) { return refuse(refusal, context) }
            if isReserved {
                guard ConnectionCounter.isForProbes(head.path) else { return refuse(connections.refusal, context) }
                context.triggerUserOutboundEvent(RequestQueue.Event.endAfterAnswer, promise: nil)
            }
        case .body(let part): receivedBytes += part.readableBytes
        case .end:
            handBodyOn(context)
            isReading = false
            bodyStart = nil
        }
        guard max(receivedBytes, announcedBytes) <= limits.bodyBytes else {
            return refuse(
                ConnectionRefusal(.bodySize, "the body has more than \(limits.bodyBytes) bytes; send less at once"),
                context)
        }
        if case .body(let part) = unwrapInboundIn(data) { join(part, context) } else { handOn(data, context) }
    }

    /// Keeps a part of a body until the end of the read, with those before it: a part takes longer than its bytes, and
    /// a client may send a byte at a time.
    private func join(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
        guard var joined = joinedParts, joined.readableBytes + part.readableBytes <= Self.joinedBytes else {
            handBodyOn(context)
            joinedParts = part
            return
        }
        // Else the bytes would be copied each time.
        joinedParts = nil
        joined.writeImmutableBuffer(part)
        joinedParts = joined
    }

    /// Hands on what was received of the body.
    private func handBodyOn(_ context: ChannelHandlerContext) {
        guard let part = joinedParts else { return }
        joinedParts = nil
        handOn(wrapInboundOut(.body(part)), context)
    }

    private func handOn(_ data: NIOAny, _ context: ChannelHandlerContext) {
        if let answers { handOn(unwrapInboundIn(data), answers, context) } else { context.fireChannelRead(data) }
    }

    /// The refusal of a request of any version. Returns `nil` if the request is accepted.
    private func refusal(of head: HTTPRequest) -> ConnectionRefusal? {
        if head.path?.utf8.contains(UInt8(ascii: "#")) ?? false {
            return ConnectionRefusal(.syntax, "the target contains a #, which browsers never send; write it as %23")
        }
        return hosts.refusal(of: head)
    }

    /// Hands on a part of a request, unless the request waits.
    ///
    /// A request waits before the part after which it can be answered: the head if it has no body, and else its end.
    private func handOn(_ part: HTTPRequestPart, _ answers: StreamAnswers, _ context: ChannelHandlerContext) {
        let isAnswerable =
            switch part {
            case .head(let head): head.method == .get || head.method == .head
            case .body: false
            case .end: true
            }
        if isAnswerable, !hasAsked {
            hasAsked = true
            if answers.admitsRequest() {
                isUnanswered = true
            } else {
                held = []
                answers.wait(self)
            }
        }
        if held != nil { held?.append(part) } else { context.fireChannelRead(wrapInboundOut(part)) }
    }

    /// Hands on the request that waited.
    func resume() {
        isUnanswered = true
        guard let context, let parts = held, context.channel.isActive else { return endWait() }
        held = nil
        if isReading { bodyStart = .now() }
        for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
        context.fireChannelReadComplete()
        if isEndHeld { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        if isReadWanted { context.read() }
    }

    /// Notes that the request has an answer, or never will.
    private func endWait() {
        guard isUnanswered else { return }
        isUnanswered = false
        answers?.answered()
    }

    private func leaveAnswers() {
        if held != nil { answers?.remove(self) }
        held = nil
        endWait()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        handBodyOn(context)
        // The handlers after this one would end a stream of which they have seen no request.
        if held != nil, event is ChannelShouldQuiesceEvent {
            isEndHeld = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        handBodyOn(context)
        isReadWanted = false
        if isReading, bodyStart == nil {
            bodyStart = .now()
            watch(context)
        }
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        isReadWanted = true
        // A request that waits takes no more memory.
        if held == nil { context.read() }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        unread = context.channel.isWritable ? nil : (.now(), unreadBytes(context))
        if unread != nil { watch(context) }
        context.fireChannelWritabilityChanged()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let refusal = error as? ConnectionRefusal else { return context.fireErrorCaught(error) }
        refuse(refusal, context)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isRefused else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        let part = unwrapOutboundIn(data)
        switch part {
        case .head:
            hasAnswerHead = true
            if isReading, isChunked || announcedBytes - receivedBytes > Self.discardedBytes {
                context.triggerUserOutboundEvent(RequestQueue.Event.endAfterAnswer, promise: nil)
            }
        case .body: break
        case .end:
            isAnswering = false
            hasAnswerHead = false
        }
        context.write(data, promise: answers.map { note(part, promise, $0, context) } ?? promise)
    }

    /// Notes a part of an answer on a stream of HTTP/2. Returns the promise of its writing.
    private func note(
        _ part: HTTPResponsePart, _ promise: EventLoopPromise<Void>?, _ answers: StreamAnswers,
        _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void>? {
        switch part {
        case .head(let head):
            // The first part of an answer without a length may come at any time.
            if head.headerFields[.contentLength] == nil { endWait() }
            return promise
        case .body(let part):
            guard part.readableBytes > 0 else { return promise }
            let hasLeft = promise ?? context.eventLoop.makePromise()
            answers.add(part.readableBytes, until: hasLeft)
            endWait()
            return hasLeft
        case .end:
            endWait()
            let hasLeft = promise ?? context.eventLoop.makePromise()
            awaitLeaving(hasLeft.futureResult, context)
            return hasLeft
        }
    }

    private func begin(_ head: HTTPRequest) {
        isReading = true
        isAnswering = true
        hasAnswerHead = false
        receivedBytes = 0
        // Most requests have no body; one that has counts as it arrives.
        announcedBytes = head.method == .get ? 0 : head.headerFields[.contentLength].map { Int($0) ?? .max } ?? 0
        isChunked = head.method != .get && head.headerFields.contains(.transferEncoding)
        isHead = head.method == .head
    }

    /// Answers with a refusal, if there is no answer yet, and ends the connection.
    private func refuse(_ refusal: ConnectionRefusal, _ context: ChannelHandlerContext) {
        guard !isRefused else { return }
        refusals.note(refusal)
        isRefused = true
        joinedParts = nil
        guard !hasAnswerHead, let answer = refusal.response else { return context.abort() }
        var head = answer.head
        head.headerFields[.date] = refusals.date.text(at: .now)
        guard !isReading || isAnswering else { return context.close(promise: nil) }
        context.triggerUserOutboundEvent(RequestQueue.Event.endAfterAnswer, promise: nil)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !(isReading ? isHead : refusal.isForHead) {
            context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        }
        let hasLeft = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: hasLeft)
        leaveAnswers()
        let isBodyComing = isReading
        // What waits for the rest of the body does not take it for the whole, and hears of nothing else before.
        if isBodyComing { context.fireErrorCaught(refusal) }
        guard !isHTTP1 else { return }
        awaitLeaving(hasLeft.futureResult, context) {
            if isBodyComing { context.triggerUserOutboundEvent(StreamEvent.stopBody, promise: nil) }
        }
    }

    /// Lets a close wait until a whole answer on a stream of HTTP/2 has left: the stream itself would drop the rest. A
    /// stream whose client does not take it is closed.
    private func awaitLeaving(
        _ hasLeft: EventLoopFuture<Void>, _ context: ChannelHandlerContext, then body: @escaping () -> Void = {}
    ) {
        isLeaving = true
        let time = limits.timeout + limits.timeout
        leaveDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            refusals.note(.unread)
            context.close(promise: waitingClose)
            waitingClose = nil
        }
        hasLeft.assumeIsolated().whenComplete { [self] _ in
            leaveDeadline?.cancel()
            isLeaving = false
            body()
            finishClose(context)
        }
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isLeaving, mode != .input else { return context.close(mode: mode, promise: promise) }
        if let waitingClose { return waitingClose.futureResult.cascade(to: promise) }
        let waiting = context.eventLoop.makePromise(of: Void.self)
        waitingClose = waiting
        waiting.futureResult.cascade(to: promise)
    }

    /// Closes a stream whose close has waited.
    private func finishClose(_ context: ChannelHandlerContext) {
        guard let waitingClose else { return }
        self.waitingClose = nil
        context.close(promise: waitingClose)
    }

    /// Looks at the progress after a while.
    private func watch(_ context: ChannelHandlerContext) {
        guard check == nil, context.channel.isActive else { return }
        check = context.eventLoop.assumeIsolated().scheduleTask(in: limits.window) { [self] in
            check = nil
            checkProgress(context)
        }
    }

    private func checkProgress(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if held != nil {
            watch(context)
        } else if isReading, let bodyStart, !isRefused {
            let time = now - bodyStart
            // What the server itself does not read is not the client's fault.
            let isTooSlow = isReadWanted && receivedBytes < limits.leastBytes(after: time)
            if isTooSlow || time >= limits.timeout {
                refuse(
                    ConnectionRefusal(
                        .bodyTime,
                        "the body came too slowly; send at least \(ConnectionLimits.bytesPerSecond) bytes a second, "
                            + "and all of it within \(limits.timeout.nanoseconds / 1_000_000_000) seconds"), context)
            } else {
                watch(context)
            }
        }
        guard let unread else { return }
        if now - unread.since >= limits.timeout {
            let bytes = unreadBytes(context)
            guard isHTTP1, unread.bytes - bytes >= limits.leastBytesTaken else {
                refusals.note(.unread)
                return context.abort()
            }
            self.unread = (now, bytes)
        }
        watch(context)
    }

    private func unreadBytes(_ context: ChannelHandlerContext) -> Int {
        isHTTP1 ? context.channel.unsentBytes : 0
    }
}
