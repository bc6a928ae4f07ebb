import AllotCore

/// A unit's bucket in the columns of a statement: its number, or the digest's digits where the engine compares digests
/// faster. It is below B if its 40 bits are below B × 2^40 / 1,000,000, rounded up; digits have the order of bits.
struct BucketColumn {
    /// The compared expression, NULL without a unit.
    let compared: String
    let count: Int
    /// The number of the bucket, NULL without a unit.
    let number: String
    private let order: DigestOrder?

    init(number: String, count: Int) {
        compared = number
        self.count = count
        self.number = number
        order = nil
    }

    /// A column of digests, which begin with the digits of the first bucket, and then of the second one.
    init(digest: String, isSecond: Bool, _ order: DigestOrder, _ syntax: any SQLSyntax) {
        compared = isSecond ? order.second(digest) : digest
        count = Bucketing.bucketCount
        number = syntax.bucket(digest, offset: isSecond ? 5 : 0)
        self.order = order
    }

    func boundary(_ bucket: Int) -> String {
        guard let order else { return String(bucket) }
        return "\(order.literal(Self.digits(before: bucket))) /* \(bucket) */"
    }

    func isBelow(_ bucket: Int) -> SQLCondition {
        // Without a unit it is NULL, which is in no range, not even in the whole one.
        guard bucket > 0 else { return .never }
        guard bucket < count else { return .test("\(compared) IS NOT NULL", canBeUnknown: false) }
        return .test("\(compared) < \(boundary(bucket))")
    }

    func isIn(_ range: Range<Int>) -> SQLCondition {
        guard !range.isEmpty else { return .never }
        return .joined([
            range.lowerBound > 0 ? .test("\(compared) >= \(boundary(range.lowerBound))") : .always,
            range.upperBound < count || range.lowerBound == 0 ? isBelow(range.upperBound) : .always,
        ])
    }

    /// The ten digits of the least number whose bucket is not below `bucket`, or more than a digest has if none is.
    private static func digits(before bucket: Int) -> String {
        guard bucket < Bucketing.bucketCount else { return String(repeating: "f", count: 66) }
        let bits = (bucket << 40 + Bucketing.bucketCount - 1) / Bucketing.bucketCount
        return bits.zeroPadded(to: 10, radix: 16)
    }
}

/// How an engine compares digests as they are.
struct DigestOrder {
    /// The part of a digest that its two buckets are in, at least.
    let digest: (_ digest: String) -> String
    /// A digest without the digits of the first bucket.
    let second: (_ digest: String) -> String
    /// Hexadecimal digits as a literal that compares with digests.
    let literal: (_ digits: String) -> String
}
