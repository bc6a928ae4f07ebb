import Dispatch
import Testing

/// Runs tests that block on threads of their own: Swift's threads, of which there are few, are left to other tests.
struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true

    private final class Threads: TaskExecutor {
        static let shared = Threads()

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Threads.shared) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// The test waits for a process or a database.
    static var blocks: Self { BlockingTrait() }
}
