import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import AllotServer

/// The listening socket of a server that ends.
@Suite(.mayHang) struct ListenerTests {
    /// A server accepts connections from the instant at which it has bound its address.
    @Test("A server that has to end before it has its socket waits for it, and accepts nothing more")
    func stopsOnceItIsOpen() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let listener = Listener(longestStart: .seconds(600))
        async let stopped: Void = listener.stop()
        // Until that task waits, or would have returned.
        for _ in 0..<1000 { await Task.yield() }
        #expect(try await channel.getOption(.autoRead).get())
        listener.open(channel)
        await stopped
        #expect(try await !channel.getOption(.autoRead).get())
        try await channel.close()
    }

    @Test("A server that never gets a socket ends when its task is cancelled, or after the longest time of starting")
    func endsWithoutSocket() async {
        let listener = Listener(longestStart: .seconds(600))
        let stopping = Task { await listener.stop() }
        stopping.cancel()
        await stopping.value
        await Listener(longestStart: .zero).stop()
    }
}
