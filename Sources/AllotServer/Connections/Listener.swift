import NIOCore
import NIOPosix
import Synchronization

/// The listening socket, which accepts nothing more before the server shuts down.
///
/// A connection that is accepted while Hummingbird's server ends would be handed to nobody: it would stay open until
/// the longest time of shutting down is over, or trap when its handlers are removed.
final class Listener: Sendable {
    private let channel = Mutex<(any Channel)?>(nil)

    /// More often than a connection goes from one event loop to another; a round takes microseconds.
    private static let rounds = 16

    /// Takes the socket, as soon as there is one.
    func open(_ channel: any Channel) {
        self.channel.withLock { $0 = channel }
    }

    /// Accepts nothing more, and returns when every connection that was accepted has been handed over.
    func stop() async {
        guard let channel = channel.withLock({ $0 }) else { return }
        try? await channel.setOption(.autoRead, value: false).get()
        // A connection is set up on its own event loop, and comes back to the one of the socket, several times: what
        // follows from a step there is done after what waits already.
        for _ in 0..<Self.rounds {
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
            try? await channel.eventLoop.submit {}.get()
        }
    }
}
