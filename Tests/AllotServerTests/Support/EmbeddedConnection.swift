import AllotServing
import Logging
import NIOCore
import NIOEmbedded

@testable import AllotServer

/// A connection of HTTP/1 in memory, whose requests for configurations are answered as soon as they have ended.
final class EmbeddedConnection {
    let channel = EmbeddedChannel()
    private var received = ""

    init(_ limits: ConnectionLimits = .testing()) throws {
        let log = LogRecord(.critical)
        let handlers = ConnectionHandlers(
            limits: limits, connections: ConnectionCounter(maximum: 10, ofClient: 10),
            refusals: RefusalLog(logger: Logger(label: "test", factory: { _ in log })),
            routes: AllotRoutes(try TestedRoutes().allot))
        try handlers.addHTTP1(to: channel)
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
}

extension ConnectionLimits {
    /// Limits for tests in memory.
    static func testing(bodyBytes: Int = 1_000_000) -> ConnectionLimits {
        ConnectionLimits(timeout: .seconds(60), bodyBytes: bodyBytes, hosts: nil, draining: Draining())
    }
}
