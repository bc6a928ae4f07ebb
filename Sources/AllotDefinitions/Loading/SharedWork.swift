import Allot
import AllotFiles
import Dispatch
import Synchronization

extension Workers {
    /// The threads of Dispatch, as many at a time as there are processors, if there is work for them: starting them
    /// takes longer than loading a small folder, and opens descriptors.
    static func forExperiments(_ count: Int) -> Workers {
        guard count > ExperimentCache.chunk else { return .none }
        let threadCount = Processors.availableCount
        return Workers { count, body in SharedWork(count, body).perform(on: min(count, threadCount)) }
    }
}

/// Calls of one function, of which each thread takes the next when it has time.
///
/// Unlike in `DispatchQueue.concurrentPerform`, threads without work also help with calls that are made within others.
private final class SharedWork: Sendable {
    private let count: Int
    private let body: @Sendable (Int) -> Void
    /// The number of calls that have been taken.
    private let taken = Atomic(0)
    /// The calls that have not returned.
    private let pending = DispatchGroup()

    init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        (self.count, self.body) = (count, body)
    }

    /// Makes all calls, and returns when they have returned.
    func perform(on threadCount: Int) {
        for _ in 0..<count { pending.enter() }
        for _ in 1..<max(threadCount, 1) { DispatchQueue.global().async { self.takeCalls() } }
        // The caller needs no other thread: those that come too late find nothing to do.
        takeCalls()
        pending.wait()
    }

    private func takeCalls() {
        while true {
            let number = taken.add(1, ordering: .relaxed).oldValue
            guard number < count else { return }
            body(number)
            pending.leave()
        }
    }
}
