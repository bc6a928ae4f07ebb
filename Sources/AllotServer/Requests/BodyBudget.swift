import Synchronization

/// The total size of request bodies held in memory at a time, over all connections.
final class BodyBudget: Sendable {
    private let left: Mutex<Int>

    init(bytes: Int) {
        left = Mutex(bytes)
    }

    /// Takes room for a body. Returns `false` if there is not enough now.
    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard count <= left else { return false }
            left -= count
            return true
        }
    }

    func giveBack(_ count: Int) {
        left.withLock { $0 += count }
    }
}
