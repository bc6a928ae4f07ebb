/// Unleash's normalised hash of `groupId:stickiness`, with MurmurHash3. Unleash counts its buckets from 1, here they
/// count from 0.
///
/// A gradual rollout has 100 buckets and seed 0. Variants have as many as the sum of their weights, 1000, and since
/// October 2023 the seed 86028157: with one seed for both, a rollout to 20 % saw the first variants only.
public struct Unleash: PeerSystem {
    /// What is decided.
    public enum Decision: String, Sendable {
        case rollout, variants
    }

    private let decision: Decision

    /// Creates the function of a decision.
    public init(_ decision: Decision) {
        self.decision = decision
    }

    public var name: String { "Unleash \(decision.rawValue)" }
    public var source: String { "UnleashClient 6.9.1 (PyPI) utils.py; yggdrasil-engine 2.0.0 (PyPI)" }
    public var bucketCount: Int { decision == .rollout ? 100 : 1000 }

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(salt)
        message.append(":")
        message.append(unitID)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        decision == .rollout
            ? MurmurHash3.hash(message, seed: 0) % 100 : MurmurHash3.hash(message, seed: 86_028_157) % 1000
    }
}
