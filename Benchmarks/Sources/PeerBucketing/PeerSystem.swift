import Allot
import AllotAnalysis

/// Another system's way from a salt and a unit ID to a bucket.
///
/// Tests compare it with the system's own package.
public protocol PeerSystem: BucketingFunction {
    /// Where the algorithm is published: project, version and file.
    var source: String { get }

    /// The bucket of one unit ID under any salt, also one that Allot would not take.
    func bucket(of unitID: String, under salt: String) -> UInt32
}

extension PeerSystem {
    /// The variant alone; who is enrolled these systems decide elsewhere, or with the same bucket.
    public var hasEnrolmentBucket: Bool { false }
}
