import Dispatch
import Synchronization

/// Runs asynchronous work from a synchronous command or a function that C code calls: an asynchronous `main` would open
/// descriptors before the command can check which of the standard streams are closed.
package final class Waiting<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    /// The result of the work, for which the calling thread waits, or which it does with all tasks that the work
    /// starts: a process that was forked has no other threads.
    package static func result(
        onThisThread isOnThisThread: Bool = false, of work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let (waiting, end) = (Waiting(), DispatchSemaphore(value: 0))
        let thread = isOnThisThread ? WaitingThread() : nil
        Task(executorPreference: thread) {
            defer {
                end.signal()
                thread?.end()
            }
            do {
                let value = try await work()
                waiting.result.withLock { $0 = .success(value) }
            } catch {
                waiting.result.withLock { $0 = .failure(error) }
            }
        }
        thread?.run()
        end.wait()
        guard let result = waiting.result.withLock({ $0 }) else { preconditionFailure("there is no result") }
        return try result.get()
    }
}

/// A thread that does the tasks it waits for, one after another.
private final class WaitingThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isEnded = false
    }

    private let state = Mutex(State())
    private let changes = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        changes.signal()
    }

    /// Lets ``run()`` return after the present job.
    func end() {
        state.withLock { $0.isEnded = true }
        changes.signal()
    }

    func run() {
        while true {
            changes.wait()
            let (jobs, isEnded) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isEnded)
            }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            if isEnded { return }
        }
    }
}
