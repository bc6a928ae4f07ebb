import NIOCore
import NIOPosix

/// The listening socket, which accepts nothing more before the server shuts down: a connection that is accepted while
/// Hummingbird's server ends would never be served, or trap.
final class Listener: Sendable {
    private let openings: AsyncStream<any Channel>
    private let opening: AsyncStream<any Channel>.Continuation
    /// More often than a connection goes from one event loop to another; a round takes microseconds.
    private static let rounds = 16
    /// How long ``stop()`` waits for the socket of a server that is still starting.
    private let longestStart: Duration

    init(longestStart: Duration = .seconds(5)) {
        self.longestStart = longestStart
        (openings, opening) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    func open(_ channel: any Channel) { opening.yield(channel) }

    /// Accepts nothing more, and returns when Hummingbird has every accepted connection. Called once. The socket of a
    /// server that is starting is waited for, unless the task is cancelled.
    func stop() async {
        let end = Task { [opening, longestStart] in
            try await Task.sleep(for: longestStart)
            opening.finish()
        }
        defer { end.cancel() }
        guard let channel = await openings.first(where: { _ in true }) else { return }
        try? await channel.setOption(.autoRead, value: false).get()
        // A connection is set up on its own event loop, and comes back to the one of the socket, several times: what
        // follows from a step there is done after what waits already.
        for _ in 0..<Self.rounds {
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
            try? await channel.eventLoop.submit {}.get()
        }
    }
}
