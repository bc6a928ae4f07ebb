import Foundation
package import Testing

/// A number of threads apart from Swift's own, for tests that wait.
private final class Threads: TaskExecutor {
    private let queue = OperationQueue()

    init(_ count: Int) {
        queue.maxConcurrentOperationCount = count
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// For processes and databases, which take the time of a processor themselves.
    static let many = Threads(max(4, 2 * ProcessInfo.processInfo.activeProcessorCount))
    /// For servers.
    static let few = Threads(4)
}

/// Runs tests that block on threads of their own: Swift's threads, of which there are few, are left to other tests.
package struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true
    private let threads: Threads

    private init(_ threads: Threads) {
        self.threads = threads
    }

    fileprivate static let many = BlockingTrait(.many)
    fileprivate static let few = BlockingTrait(.few)

    /// A number of threads, which all tests with this value share.
    package init(threads count: Int) {
        threads = Threads(count)
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(threads) { try await function() }
    }

    /// Fails the test that waits on one of Swift's own threads.
    package static func expectOwnThread() {
        guard Test.current != nil, withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor == nil }) else { return }
        Issue.record("this test keeps one of Swift's few threads waiting; add the trait .blocks or .runsServer")
    }
}

/// Ends tests whose failure is to hang.
///
/// The time counts in turns of Swift's own threads and of those that the test runs on: it stands still while other
/// tests keep either busy. So the trait stands after `.blocks` and `.runsServer`. No machine is too slow for it.
package struct HangingTrait: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup { group in
                group.addTask { try await function() }
                group.addTask {
                    for _ in 0..<300 {
                        try await withTaskExecutorPreference(globalConcurrentExecutor) {
                            try await Task.sleep(for: .seconds(1))
                        }
                    }
                    Issue.record("the test hangs")
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }
}

extension Trait where Self == BlockingTrait {
    /// The test waits for a process or a database.
    package static var blocks: Self { .many }
    /// The test runs a server and waits for it; a few of them run at a time.
    package static var runsServer: Self { .few }
}

extension Trait where Self == HangingTrait {
    /// The test hangs if it fails.
    package static var mayHang: Self { Self() }
}
