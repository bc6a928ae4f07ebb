import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

@testable import AllotServer

/// A connection of HTTP/1 in memory, whose requests are all answered with 200 as soon as they have ended.
final class EmbeddedConnection {
    let channel = EmbeddedChannel()
    /// The parts of bodies as they were handed on.
    var bodies: [ByteBuffer] { answerer.bodies }

    private let answerer = Answerer()
    private var received = ""

    init(_ limits: ConnectionLimits) throws {
        let connections = ConnectionCounter(maximum: 10, ofClient: 10)
        let log = LogRecord(.critical)
        let refusals = RefusalLog(logger: Logger(label: "test", factory: { _ in log }))
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes)))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(ConnectionGuard(limits, connections: connections, refusals: refusals))
        try pipeline.addHandler(answerer)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    }

    /// Receives what a client sends, in one read.
    func receive(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    /// The statuses of the answers so far.
    func statuses() throws -> [Int] {
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { received += String(buffer: buffer) }
        return received.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundOut = HTTPResponsePart

        private(set) var bodies: [ByteBuffer] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: break
            case .body(let part): bodies.append(part)
            case .end:
                let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        /// A refusal, of which a handler that waits for the rest of a body hears.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}

extension ConnectionLimits {
    /// Limits for tests in memory.
    static func testing(bodyBytes: Int = 1_000_000) -> ConnectionLimits {
        ConnectionLimits(timeout: .seconds(60), bodyBytes: bodyBytes, hosts: nil, draining: Draining())
    }
}
