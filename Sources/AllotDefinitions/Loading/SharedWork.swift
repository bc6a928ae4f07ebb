import AllotCore
import AllotFiles
import Dispatch
import Synchronization

extension Workers {
    /// As many threads at a time as there are processors, if there is work for them: starting them takes longer than
    /// loading a small folder, and opens descriptors.
    static func forExperiments(_ count: Int) -> Workers {
        guard count > LoadCache.chunk else { return .none }
        let threadCount = Processors.availableCount
        return Workers { count, body in
            let work = SharedWork(count, body)
            withExtendedLifetime(work) { work.perform(on: min(count, threadCount)) }
        }
    }
}

/// Calls of one function, of which each thread takes the next when it has time. Unlike in
/// `DispatchQueue.concurrentPerform`, calls that are made within others have threads of their own, so that no processor
/// is idle while work is left.
private final class SharedWork: Sendable {
    private let count: Int
    private let body: @Sendable (Int) -> Void
    private let taken = Atomic(0)
    private let pending = DispatchGroup()

    init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) { (self.count, self.body) = (count, body) }

    func perform(on threadCount: Int) {
        for _ in 0..<count { pending.enter() }
        for _ in 1..<max(threadCount, 1) {
            // A queue of its own starts a thread, however many wait, and takes none of those that tasks run on. One
            // that starts too late finds nothing to do.
            DispatchQueue(label: "allot.work").async { [weak self] in self?.takeCalls() }
        }
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
