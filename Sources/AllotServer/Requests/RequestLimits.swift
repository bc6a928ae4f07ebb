import Synchronization

/// The limits of what one request may send. `Sendable`.
public struct RequestLimits: Sendable {
    /// The most bytes of a body with attributes.
    public var bodyBytes = 256 * 1024
    /// The most bytes of a batch of exposures.
    public var exposureBodyBytes = 4 * 1024 * 1024
    /// The most exposures of a batch.
    public var exposureCount = 10_000
    /// The most attributes of a subject.
    public var attributeCount = 256
    /// How far ahead of the server's clock an exposure may be, in seconds.
    package var clockTolerance: Int64 = 600

    /// The default limits.
    public init() {}
}

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
