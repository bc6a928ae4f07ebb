/// GrowthBook's `hash(seed, value, version)`, by the hash version that an experiment names.
///
/// * Version 1, still the default where none is named: `fnv1a32(value + seed) % 1000`.
/// * Version 2: `fnv1a32(decimal(fnv1a32(seed + value))) % 10000`.
public struct GrowthBook: PeerSystem {
    /// 1 or 2.
    public enum HashVersion: Int, Sendable {
        case v1 = 1
        case v2 = 2
    }

    private let version: HashVersion

    /// Creates the function of a hash version.
    public init(_ version: HashVersion) {
        self.version = version
    }

    public var name: String { "GrowthBook v\(version.rawValue)" }
    public var source: String { "growthbook/growthbook packages/sdk-js/src/util.ts; growthbook 4.0.0 (PyPI) core.py" }
    public var bucketCount: Int { version == .v1 ? 1000 : 10_000 }

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(version == .v1 ? unitID : salt)
        message.append(version == .v1 ? salt : unitID)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        let hash = FNV1a.hash(utf8: message)
        return version == .v1 ? hash % 1000 : Self.hashOfDecimal(hash) % 10_000
    }

    /// The hash of a number's decimal digits.
    private static func hashOfDecimal(_ number: UInt32) -> UInt32 {
        var hash = FNV1a()
        var divisor: UInt32 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            hash.add(UInt16(UInt8(ascii: "0")) + UInt16(number / divisor % 10))
            divisor /= 10
        }
        return hash.value
    }
}
