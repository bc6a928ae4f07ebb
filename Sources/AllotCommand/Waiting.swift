import Dispatch
import Synchronization

/// Runs asynchronous work from a synchronous command.
///
/// An asynchronous `main` would open descriptors before the command can check which of the standard streams are closed.
enum Waiting {
    /// The result of the work. The calling thread waits for it.
    static func result<Value: Sendable>(of work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let box = Box<Value>()
        let end = DispatchSemaphore(value: 0)
        Task {
            do {
                let value = try await work()
                box.result.withLock { $0 = .success(value) }
            } catch {
                box.result.withLock { $0 = .failure(error) }
            }
            end.signal()
        }
        end.wait()
        guard let result = box.result.withLock({ $0 }) else { preconditionFailure("the work ended without a result") }
        return try result.get()
    }

    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }
}
