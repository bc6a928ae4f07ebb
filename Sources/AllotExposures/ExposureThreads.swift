import Dispatch
import Synchronization

/// The threads on which the functions of an ``ExposureDatabase`` block: away from Swift's own, of which there are few.
final class ExposureThreads: Sendable {
    /// The work of a caller, who waits for its result.
    enum Work {
        /// Changes the database besides the writer, one at a time.
        case change
        /// Only reads, several at a time.
        case read
        /// Reads what takes next to no time, one at a time and never after a read that takes long.
        case glance
    }

    private let writer = DispatchQueue(label: "exposures.writer")
    private let changer = DispatchQueue(label: "exposures.changer")
    private let readers = (0..<4).map { DispatchQueue(label: "exposures.reader.\($0)") }
    private let glancer = DispatchQueue(label: "exposures.glancer")
    private let next = Atomic(0)

    func write(_ body: @escaping @Sendable () -> Void) { writer.async(execute: body) }

    func run<Value: Sendable>(_ work: Work, _ body: @escaping @Sendable () -> Value) async -> Value {
        switch work {
        case .change: return await Self.run(on: changer, body)
        case .glance: return await Self.run(on: glancer, body)
        case .read:
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            return await Self.run(on: readers[Int(UInt(bitPattern: index) % UInt(readers.count))], body)
        }
    }

    /// Returns when all that was started has ended.
    func finish() async {
        for queue in [writer, changer, glancer] + readers { await Self.run(on: queue) {} }
    }

    private static func run<Value: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
