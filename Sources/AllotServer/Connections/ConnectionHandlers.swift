import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// The handlers that serve connections of HTTP/1 and streams of HTTP/2, and what all of them share. `Sendable`.
package struct ConnectionHandlers: Sendable {
    let limits: ConnectionLimits
    let connections: ConnectionCounter
    let refusals: RefusalLog
    let direct: DirectAnswers.Service

    /// The time limit of requests and of idle connections.
    package var timeout: TimeAmount { limits.timeout }

    /// A connection of HTTP/1 as Hummingbird sets it up, with the handlers of this server.
    package var http1: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionGuard(limits, connections: connections, refusals: refusals), direct.handler(),
            ],
            idleTimeout: limits.timeout,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: ConnectionLimits.fieldBytes, maxHeaderListSize: ConnectionLimits.fieldsBytes,
                maxHeaderFieldCount: ConnectionLimits.fieldCount))
    }

    /// Counts a connection unless it is counted already.
    package func adopt(_ connection: any Channel) {
        connections.adopt(connection)
    }

    /// Makes the handlers of a connection of HTTP/2 and its streams. Called on its event loop, before it has streams.
    package func streams(of connection: any Channel) -> StreamHandlers {
        StreamHandlers(self, of: connection)
    }
}

/// The handlers of the streams of one connection of HTTP/2, and what they share.
package final class StreamHandlers {
    private let handlers: ConnectionHandlers
    private let answers: StreamAnswers
    private let isReserved: Bool
    /// The handler of the connection itself, between the handler of frames and the multiplexer of streams.
    package let direct: any ChannelHandler

    fileprivate init(_ handlers: ConnectionHandlers, of connection: any Channel) {
        self.handlers = handlers
        answers = StreamAnswers(handlers.limits.turns.of(connection.eventLoop))
        isReserved = (try? connection.pipeline.syncOperations.handler(type: ReservedMark.self)) != nil
        direct = DirectFrames(
            handlers.direct, handlers.limits, refusals: handlers.refusals, answers: answers, isReserved: isReserved)
    }

    /// Adds the handlers of a stream that the multiplexer has made.
    ///
    /// - Parameter prepare: Adds the handlers of a request, before they get it.
    package func add(to stream: any Channel, handingOn prepare: @escaping (any Channel) throws -> Void) throws {
        let pipeline = stream.pipeline.syncOperations
        let limits = handlers.limits
        try pipeline.addHandler(
            ConnectionGuard(
                limits, connections: handlers.connections, refusals: handlers.refusals, answers: answers,
                isReserved: isReserved))
        try pipeline.addHandler(LateHandlers(prepare))
    }
}

/// Adds the handlers of a request's tasks when it is handed on: they would close a stream whose request waits, because
/// they have seen none.
private final class LateHandlers: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let prepare: (any Channel) throws -> Void

    init(_ prepare: @escaping (any Channel) throws -> Void) {
        self.prepare = prepare
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do { try prepare(context.channel) } catch { return context.close(promise: nil) }
        // They would take the channel for one that is writable.
        if !context.channel.isWritable { context.fireChannelWritabilityChanged() }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
