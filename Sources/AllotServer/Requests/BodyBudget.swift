import Synchronization

/// The total size of request bodies held in memory at a time, over all connections.
final class BodyBudget: Sendable {
    private let left: Mutex<Int>
    /// The bytes that are kept for small bodies, so that a few large ones do not cause small ones to be refused.
    private let reserve: Int

    /// The most bytes of a body that may take of the reserve.
    static let smallBody = 64 * 1024

    init(bytes: Int) {
        left = Mutex(bytes)
        reserve = bytes / 8
    }

    /// Takes room for a part of a body. Returns `false` if there is not enough now.
    ///
    /// - Parameter size: the size of the whole body, as far as it is known.
    func take(_ count: Int, of size: Int) -> Bool {
        left.withLock { left in
            guard count <= (size <= Self.smallBody ? left : left - reserve) else { return false }
            left -= count
            return true
        }
    }

    func giveBack(_ count: Int) {
        left.withLock { $0 += count }
    }
}
