/// PlanOut's random operators: the first 15 hexadecimal digits of `SHA-1(experiment.parameter.unit)`, divided by
/// 0xFFFFFFFFFFFFFFF. PlanOut takes ASCII alone; here any UTF-8.
public struct PlanOut: PeerSystem {
    public let name = "PlanOut"
    public let source = "PlanOut 0.6.0 (PyPI) planout/ops/random.py"
    public let bucketCount = Scaling.fineBucketCount

    /// Creates the function; the experiment's name is the salt, and the parameter is called `variant`.
    public init() {}

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(salt)
        message.append(".variant.")
        message.append(unitID)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        Scaling.bucket(of: Self.uniform(message), count: bucketCount)
    }

    /// `getUniform(0, 1)` of a message: from 0 to 1, both included.
    public static func uniform(_ message: Span<UInt8>) -> Double {
        Scaling.fraction(ofDigest: LibraryHashes.sha1(message))
    }

    /// `WeightedChoice`: the index of the first weight whose running sum is not below the uniform number; `nil` without
    /// weights.
    public static func weightedChoice(_ message: Span<UInt8>, weights: [Double]) -> Int? {
        let stop = uniform(message) * weights.reduce(0, +)
        var sum = 0.0
        return weights.firstIndex { weight in
            sum += weight
            return stop <= sum
        }
    }
}
