import HummingbirdCore
import NIOCore

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

    /// Makes the handlers of the streams of a connection of HTTP/2. Called on its event loop, before it has streams.
    package func streams(of connection: any Channel) throws -> StreamHandlers {
        try StreamHandlers(self, of: connection)
    }
}

/// The handlers of the streams of one connection of HTTP/2, and what they share.
package final class StreamHandlers {
    private let handlers: ConnectionHandlers
    private let answers: StreamAnswers
    private let isReserved: Bool

    fileprivate init(_ handlers: ConnectionHandlers, of connection: any Channel) throws {
        let pipeline = connection.pipeline.syncOperations
        self.handlers = handlers
        answers = StreamAnswers(handlers.limits.turns.of(connection.eventLoop))
        isReserved = (try? pipeline.handler(type: ReservedMark.self)) != nil
        try pipeline.addHandler(answers)
    }

    /// Adds the handlers of a stream, which answer some requests themselves.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - prepare: Called before another request is passed on; adds the handlers that it is passed to.
    package func add(to stream: any Channel, passingOn prepare: @escaping (any Channel) throws -> Void) throws {
        let pipeline = stream.pipeline.syncOperations
        let limits = handlers.limits
        try pipeline.addHandler(
            ConnectionGuard(
                limits, connections: handlers.connections, refusals: handlers.refusals, answers: answers,
                isReserved: isReserved))
        try pipeline.addHandler(handlers.direct.handler(passingOn: prepare))
    }
}
