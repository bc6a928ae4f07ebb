import Foundation
package import Testing

/// Runs tests that block on threads of their own: Swift's threads, of which there are few, are left to other tests.
package struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true
    private let threads: Threads

    private final class Threads: TaskExecutor {
        private let queue = OperationQueue()

        init(_ count: Int) {
            queue.maxConcurrentOperationCount = count
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    fileprivate static let many = BlockingTrait(threads: OperationQueue.defaultMaxConcurrentOperationCount)
    fileprivate static let few = BlockingTrait(threads: 4)

    /// A number of threads, which all tests with this value share.
    package init(threads count: Int) {
        threads = Threads(count)
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(threads) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// The test waits for a process or a database.
    package static var blocks: Self { .many }
    /// The test runs a server and waits for it; a few of them run at a time.
    package static var runsServer: Self { .few }
}
