import NIOCore
import Synchronization

/// Shares an event loop among the connections whose clients send many requests at once: NIO looks at its sockets only
/// when no task is ready, so a few requests that wait begin in turns, and no more until it has looked. The first
/// request after each read of a socket needs no turn, so that clients that wait for answers never wait for others.
final class LoopTurns {
    /// The most requests that begin between two looks at the sockets.
    static let count = 16
    /// The time until more may begin. A task that is not ready yet lets the event loop look, however short its time is.
    static let pause = TimeAmount.microseconds(50)
    private let eventLoop: any EventLoop
    private var left = LoopTurns.count
    private var waiting = CircularBuffer<() -> Bool>()
    private var isPausing = false
    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Whether a request may begin now. Otherwise `body` is called when it may; returns whether it has begun one.
    func take(orLater body: @escaping () -> Bool) -> Bool {
        guard left > 0, waiting.isEmpty else {
            waiting.append(body)
            return false
        }
        left -= 1
        if !isPausing { beginPause() }
        return true
    }

    private func beginPause() {
        isPausing = true
        eventLoop.assumeIsolated().scheduleTask(deadline: eventLoop.now + Self.pause) { [self] in goOn() }
    }

    private func goOn() {
        left = Self.count
        while left > 0, let body = waiting.popFirst() {
            left -= 1
            // The client may have gone.
            if !body() { left += 1 }
        }
        isPausing = false
        if left < Self.count { beginPause() }
    }
}

final class Turns: Sendable {
    private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<LoopTurns>]>([:])

    /// The turns of an event loop; called on it.
    func of(_ eventLoop: any EventLoop) -> LoopTurns {
        let turns = loops.withLock { loops in
            let known = loops[ObjectIdentifier(eventLoop)]
            let turns = known ?? NIOLoopBound(LoopTurns(eventLoop), eventLoop: eventLoop)
            loops[ObjectIdentifier(eventLoop)] = turns
            return turns
        }
        return turns.value
    }
}
