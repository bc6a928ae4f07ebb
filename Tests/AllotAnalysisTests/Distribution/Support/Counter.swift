import Synchronization

/// Adds up what several threads say.
final class Counter: Sendable {
    private let total = Atomic<Int>(0)

    func add(_ number: Int) {
        total.add(number, ordering: .relaxed)
    }

    var sum: Int { total.load(ordering: .relaxed) }
}
