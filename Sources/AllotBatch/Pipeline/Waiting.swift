import Dispatch
import Synchronization

/// Runs asynchronous work from a synchronous command, or from a function that C code calls.
///
/// In a command, an asynchronous `main` would open descriptors before the command can check which of the standard
/// streams are closed.
package final class Waiting<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    /// The result of the work. The calling thread waits for it.
    package static func result(of work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let (waiting, end) = (Waiting(), DispatchSemaphore(value: 0))
        Task {
            defer { end.signal() }
            do {
                let value = try await work()
                waiting.result.withLock { $0 = .success(value) }
            } catch {
                waiting.result.withLock { $0 = .failure(error) }
            }
        }
        end.wait()
        guard let result = waiting.result.withLock({ $0 }) else { preconditionFailure("there is no result") }
        return try result.get()
    }
}
