import Synchronization

/// The bytes of bodies that are read at once, over all connections: many large ones must not fill the memory together.
final class BodyBudget: Sendable {
    private let left: Mutex<Int>

    /// - Parameter bytes: how many may be read at once.
    init(bytes: Int) {
        left = Mutex(bytes)
    }

    /// Takes room for a body; `false` if there is none now.
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
