import AllotConfiguration

/// A dimension in which units are randomised: the first or the second bucket under one salt, or the number of another
/// system's hash, for one unit attribute.
package struct BucketDimension: Sendable, Hashable {
    package enum Half: Sendable, Hashable { case first, second }

    package let hash: UnitHash
    package let unit: UTF8Key
    /// The bucket of Allot's own hash; always the second for another system's, which gives one number.
    package let half: Half
    /// The windows in each of which units get another bucket, where the instant is not known; `nil` for one bucket.
    private let period: Period?
    /// The number that is hashed after the unit ID, of a known window: windows of two periods with the same number have
    /// the same buckets.
    private let number: Int64?
    /// Whether the bucket is the mirror image of what the hash gives, in the second window of a balanced pair.
    private var isMirrored: Bool

    /// - Parameter instant: The instant of evaluation, which matters to a draw with a period only; `nil` for any.
    package init(_ draw: UnitDraw, half: Half, at instant: Instant? = nil) {
        self.init(hash: draw.hash, unit: draw.unit, half: half, period: draw.period, at: instant)
    }

    package init(hash: UnitHash, unit: String, half: Half) {
        self.init(hash: hash, unit: unit, half: half, period: nil, at: nil)
    }

    private init(hash: UnitHash, unit: String, half: Half, period: Period?, at instant: Instant?) {
        self.hash = hash
        self.unit = UTF8Key(unit)
        self.half = hash.foreign == nil ? half : .second
        if let period, let window = instant.flatMap({ period.number(at: $0) }) {
            self.period = nil
            number = period.hashedNumber(of: window)
            isMirrored = half == .second && period.isMirrored(window)
        } else {
            self.period = period
            number = nil
            isMirrored = false
        }
    }

    /// The dimension at an instant: without a period the same.
    package func at(_ instant: Instant) -> BucketDimension {
        guard let period else { return self }
        return BucketDimension(hash: hash, unit: unit.text, half: half, period: period, at: instant)
    }

    /// The dimension whose buckets are the mirror images of these, so that the two are not independent; `nil` without a
    /// known window, and for first buckets, which no window mirrors.
    var mirror: BucketDimension? {
        guard number != nil, half == .second else { return nil }
        var mirror = self
        mirror.isMirrored.toggle()
        return mirror
    }

    package var resolution: Int { hash.resolution }

    /// The bucket of a unit ID; of a period whose window is not known, that in window 0.
    package func bucket(of id: String) -> Int {
        guard let window = period == nil ? number : 0, case .sha256(let salt) = hash else {
            let buckets = PreparedHash(hash).buckets(of: id)
            return half == .first ? buckets.first : buckets.second
        }
        let buckets = SaltedHash(salt).buckets(of: Array(id.utf8).span, window: window)
        if half == .first { return buckets.first }
        return isMirrored ? resolution - 1 - buckets.second : buckets.second
    }

    package var words: String {
        switch hash {
        case .sha256(let salt):
            "\(half) bucket of salt \(salt)\(number.map { " in window \(isMirrored ? $0 + 1 : $0)" } ?? "")"
        case .other(let hash): "bucket of \(hash.scheme.rawValue) with the salt \(QuotedText(hash.salt))"
        }
    }
}

extension BucketDimension: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.order.lexicographicallyPrecedes(right.order) }

    private var order: [UTF8Key] {
        var name = "\(hash.scheme.rawValue) \(resolution) \(half)"
        if let period { name += " \(period.seconds) \(period.from) \(period.isBalanced)" }
        if let number { name += " \(number) \(isMirrored)" }
        return [unit, UTF8Key(hash.salt), UTF8Key(name)]
    }

    package var canonicalText: String { JSONValue.array(order.map { .string($0.text) }).canonicalText }
}

extension HoldoutDefinition {
    package var dimension: BucketDimension { BucketDimension(hash: hash, unit: unit, half: .first) }

    package var freeBuckets: BucketSet { BucketSet([share..<hash.resolution]) }
}

extension LayerDefinition {
    package var dimension: BucketDimension { BucketDimension(hash: hash, unit: unit, half: .first) }
}

// MARK: One hash with two resolutions

extension BucketDimension {
    /// The dimension of which this one and another are coarser views: those of one hash with two resolutions, such as
    /// two rules of a flag with other weights, or under two names. They are not independent, so that shares of both
    /// must be taken in it. Returns `nil` if the two dimensions have nothing to do with each other or are the same, and
    /// where the common one would divide units into too many parts: no payload is known that does.
    func common(with other: BucketDimension) -> BucketDimension? {
        guard isOfOneNumber(with: other), case .other(let left) = hash, case .other(let right) = other.hash else {
            return nil
        }
        var (divisor, rest) = (left.resolution, right.resolution)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        let factors = (left.resolution / divisor, right.resolution / divisor)
        guard max(factors.0, factors.1) <= Self.mostParts,
            let finer = ForeignHash(left.scheme.number, salt: left.salt, resolution: left.resolution * factors.1)
        else { return nil }
        return BucketDimension(hash: .other(finer), unit: unit.text, half: half)
    }

    /// Whether this dimension and another are coarser views of one number, so that they are not independent.
    func isOfOneNumber(with other: BucketDimension) -> Bool {
        guard case .other(let left) = hash, case .other(let right) = other.hash else { return false }
        return left.scheme.number == right.scheme.number
            && (left.scheme != right.scheme || left.resolution != right.resolution) && unit == other.unit
            && UTF8Order.areEqual(left.salt, right.salt)
    }

    /// Whether two dimensions are of one number and have no common one, so that joint shares are not known.
    package static func areOpen(_ dimensions: some Sequence<BucketDimension>) -> Bool {
        let foreign = dimensions.filter { $0.hash.foreign != nil }
        return foreign.contains { left in
            foreign.contains { left.isOfOneNumber(with: $0) && left.common(with: $0) == nil }
        }
    }

    private static let mostParts = 100_000

    /// A set of buckets in the buckets of a finer dimension of the same hash, whose resolution is a multiple. Returns
    /// `nil` if it would have too many ranges.
    func lifted(_ set: BucketSet, to finer: BucketDimension) -> BucketSet? {
        let factor = finer.resolution / resolution
        guard factor > 1 else { return set }
        if hash.scheme.scalesNumbers {
            // The largest whole number below a product: each bucket is divided.
            return BucketSet(set.ranges.map { $0.lowerBound * factor..<$0.upperBound * factor })
        }
        guard set.ranges.count * factor <= Self.mostParts else { return nil }
        // The remainder of a remainder: the set again and again.
        return BucketSet(
            (0..<factor).flatMap { part in
                set.ranges.map { $0.lowerBound + part * resolution..<$0.upperBound + part * resolution }
            })
    }
}

extension HashScheme {
    /// The scheme that gives the same number: those of LaunchDarkly and PlanOut are one.
    fileprivate var number: HashScheme { self == .planout1 ? .launchdarkly1 : self }

    /// Whether the number is the hash multiplied by the resolution and cut off, and not the remainder of a division.
    fileprivate var scalesNumbers: Bool {
        switch self {
        case .sha256, .optimizely1, .flagd0, .flagd1, .flagdText1, .launchdarkly1, .planout1: true
        case .growthbook1, .growthbook2, .eppo1, .unleash1, .unleashVariants1, .statsig1, .firebase1: false
        }
    }
}
