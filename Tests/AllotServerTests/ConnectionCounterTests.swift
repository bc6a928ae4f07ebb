import NIOCore
import NIOEmbedded
import Testing

@testable import AllotServer

struct ConnectionCounterTests {
    /// An open connection.
    private func connection() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        return channel
    }

    @Test("Connections above the most are for probes, and those above the reserve are refused")
    func room() throws {
        let counter = ConnectionCounter(maximum: 2, ofClient: 2)
        let channels = try (0..<(3 + ConnectionCounter.reserve)).map { _ in try connection() }
        let expected = (0..<35).map { number -> ConnectionCounter.Room in
            number < 2 ? .usual : number < 34 ? .reserved : .none(.connections)
        }
        #expect(channels.map { counter.open($0, of: nil) } == expected)
        // The last one does not count.
        counter.close(channels[34])
        #expect(counter.open(channels[34], of: nil) == .none(.connections))
        counter.close(channels[5])
        #expect(counter.open(channels[34], of: nil) == .reserved)
        for channel in channels[3...] { counter.close(channel) }
        counter.close(channels[0])
        counter.close(channels[1])
        #expect(counter.open(channels[0], of: nil) == .usual)
    }

    @Test("One client has a limit of its own, and cannot take the reserve from the probes of others")
    func clients() throws {
        let counter = ConnectionCounter(maximum: 10, ofClient: 6)
        let (first, second) = (ClientNetwork(bytes: [192, 0, 2, 1]), ClientNetwork(bytes: [0x20, 1]))
        var open: [EmbeddedChannel] = []
        func rooms(_ count: Int, of client: ClientNetwork?) throws -> [ConnectionCounter.Room] {
            try (0..<count).map { _ in
                let channel = try connection()
                open.append(channel)
                return counter.open(channel, of: client)
            }
        }
        #expect(try rooms(7, of: first) == Array(repeating: .usual, count: 6) + [.none(.address)])
        // This machine has no limit, and fills the server.
        #expect(try rooms(5, of: nil) == Array(repeating: .usual, count: 4) + [.reserved])
        #expect(try rooms(7, of: second) == Array(repeating: .reserved, count: 6) + [.none(.address)])
        // Of a client that has room for more, only its share of the reserve.
        let large = ConnectionCounter(maximum: 1, ofClient: 100)
        let channels = try (0..<11).map { _ in try connection() }
        let share = ConnectionCounter.reserveOfClient
        #expect(large.open(channels[0], of: first) == .usual)
        for channel in channels[1...share] { #expect(large.open(channel, of: first) == .reserved) }
        #expect(large.open(channels[share + 1], of: first) == .none(.address))
        #expect(large.open(channels[share + 1], of: second) == .reserved)
        // What is closed is free again.
        large.close(channels[1])
        #expect(large.open(channels[share + 2], of: first) == .reserved)
        counter.close(open[0])
        #expect(counter.open(open[6], of: first) == .reserved)
    }

    @Test("A client is an IPv4 address or a /64 network of IPv6, and not of this machine")
    func networks() throws {
        func client(_ address: String) throws -> ClientNetwork? {
            ClientNetwork(try SocketAddress(ipAddress: address, port: 1))
        }
        let pairs = [
            ("192.0.2.1", "192.0.2.1", true), ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("2001:db8::1", "2001:db8:0:0:ffff::2", true), ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8::1", "2001:db8:0:1::1", false), ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
            ("128.0.0.1", "2001:db8::1", false),
        ]
        for (left, right, isSame) in pairs {
            let (network, other) = (try #require(try client(left)), try client(right))
            #expect((network == other) == isSame, "\(left) \(right)")
        }
        for address in ["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"] {
            #expect(try client(address) == nil, "\(address)")
        }
        #expect(ClientNetwork(try SocketAddress(unixDomainSocketPath: "/tmp/socket")) == nil)
    }

    @Test("All connections are broken off, even those whose handlers do not let them close")
    func abort() throws {
        /// Never closes, as one that waits for its client.
        final class Waiting: ChannelOutboundHandler, Sendable {
            typealias OutboundIn = Any
            func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {}
        }
        let counter = ConnectionCounter(maximum: 2, ofClient: 2)
        let (first, second, closed) = try (connection(), connection(), connection())
        for channel in [first, closed] { _ = counter.open(channel, of: nil) }
        // Accepted before connections were counted; another one is counted once.
        counter.adopt(second)
        counter.adopt(first)
        try first.pipeline.syncOperations.addHandler(Waiting())
        counter.close(closed)
        #expect(counter.abortAll() == 2)
        for channel in [first, second, closed] { channel.embeddedEventLoop.run() }
        #expect(!first.isActive)
        #expect(!second.isActive)
        #expect(closed.isActive)
        #expect(counter.abortAll() == 0)
    }
}
