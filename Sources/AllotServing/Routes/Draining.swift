import Synchronization

/// Whether the server is about to end: load balancers learn from `/health/ready` that they have to send requests
/// elsewhere. `Sendable`.
package final class Draining: Sendable {
    private let flag = Atomic(false)

    package init() {}

    /// Whether the server still serves, and should get no more requests.
    package var isActive: Bool { flag.load(ordering: .relaxed) }

    package func begin() { flag.store(true, ordering: .relaxed) }
}
