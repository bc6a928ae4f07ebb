import Synchronization

/// The total size of request bodies held in memory at a time, over all connections.
package final class BodyBudget: Sendable {
    private let left: Mutex<Int>
    /// The bytes that are kept for small bodies, so that a few large ones do not cause small ones to be refused.
    private let reserve: Int
    /// The most bytes of a body that may take of the reserve.
    static let smallBody = 64 * 1024

    package init(bytes: Int) {
        left = Mutex(bytes)
        reserve = bytes / 8
    }

    /// Takes room for a part of a body of a size, as far as that is known. Returns `false` if there is not enough now.
    func take(_ count: Int, of size: Int) -> Bool {
        left.withLock { left in
            guard count <= (size <= Self.smallBody ? left : left - reserve) else { return false }
            left -= count
            return true
        }
    }

    func giveBack(_ count: Int) { left.withLock { $0 += count } }
}

/// The room of one body, which is given back with it. Only what has arrived takes room.
final class BodyRoom: Sendable {
    private let budget: BodyBudget
    private let taken = Atomic(0)
    init(_ budget: BodyBudget) { self.budget = budget }
    deinit { budget.giveBack(taken.load(ordering: .relaxed)) }

    func take(_ count: Int, of size: Int) -> Bool {
        guard budget.take(count, of: size) else { return false }
        taken.add(count, ordering: .relaxed)
        return true
    }
}
