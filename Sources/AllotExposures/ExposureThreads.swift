import Dispatch
import Synchronization

/// The threads on which the functions of an ``ExposureDatabase`` block: away from Swift's own, of which there are few.
final class ExposureThreads: Sendable {
    private let writer = DispatchQueue(label: "exposures.writer")
    private let maintainer = DispatchQueue(label: "exposures.maintainer")
    private let readers = (0..<4).map { DispatchQueue(label: "exposures.reader.\($0)") }
    /// Never waits for a read that takes long.
    private let glancer = DispatchQueue(label: "exposures.glancer")
    private let next = Atomic(0)

    /// Runs the writer, one at a time.
    func write(_ body: @escaping @Sendable () -> Void) {
        writer.async(execute: body)
    }

    /// Runs what changes the database besides the writer, one at a time.
    func maintain<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await Self.run(on: maintainer, body)
    }

    /// Runs what only reads; several at a time.
    func read<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return await Self.run(on: readers[Int(UInt(bitPattern: index) % UInt(readers.count))], body)
    }

    /// Runs what reads and takes next to no time, one at a time.
    func glance<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await Self.run(on: glancer, body)
    }

    /// Returns when all that was started has ended.
    func finish() async {
        for queue in [writer, maintainer, glancer] + readers { await Self.run(on: queue) {} }
    }

    private static func run<Value: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
