/// Statsig's user hash: the first 8 bytes of SHA-256.
///
/// A gate's or experiment's pass percentage takes `salt.ruleSalt.unit` modulo 10,000, the split between groups takes
/// `salt.unit` modulo 1,000.
public struct Statsig: PeerSystem {
    /// What is decided.
    public enum Decision: String, Sendable {
        case passPercentage = "pass percentage"
        case userBucket = "user bucket"
    }

    private let decision: Decision

    /// Creates the function of a decision; with a pass percentage, salt and rule's salt together are the salt.
    public init(_ decision: Decision) {
        self.decision = decision
    }

    public var name: String { "Statsig \(decision.rawValue)" }
    public var source: String { "statsig 0.72.1 (PyPI) statsig/evaluator.py" }
    public var bucketCount: Int { decision == .passPercentage ? 10_000 : 1000 }

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(salt)
        message.append(".")
        message.append(unitID)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: LibraryHashes.sha256(message) % UInt64(bucketCount))
    }
}
