/// The buckets of a hash: how many there are, and which border a percentage is.
package struct BucketScale: Sendable, Hashable {
    package let scheme: HashScheme
    package let count: Int

    package init(_ scheme: HashScheme, count: Int) { (self.scheme, self.count) = (scheme, count) }

    package static let own = BucketScale(.sha256, count: Bucketing.bucketCount)

    /// The number of buckets below a share in millionths: of 1%, 10,000. Where the other system compares floating-point
    /// numbers, this is the border that its comparison has; there is one for every share. Elsewhere it is exact: `nil`
    /// if the border falls within a bucket.
    package func border(ofMillionths share: Int) -> Int? {
        if share == 0 { return 0 }
        if share == Bucketing.bucketCount { return count }
        let fraction = Double(share) / Double(Bucketing.bucketCount)
        switch scheme {
        case .launchdarkly1: return scheme.border(below: fraction)
        case .planout1: return scheme.border(atMost: fraction)
        case .sha256, .growthbook1, .growthbook2, .optimizely1, .eppo1, .unleash1, .unleashVariants1, .statsig1,
            .flagd0, .flagd1, .flagdText1, .firebase1:
            let (border, rest) = (Int128(share) * Int128(count)).quotientAndRemainder(
                dividingBy: Int128(Bucketing.bucketCount))
            return rest == 0 ? Int(border) : nil
        }
    }

    /// A number of buckets as a percentage, `25%`; after "about" where four decimals cannot say it.
    package func percentage(of buckets: Int) -> String {
        let millionths = Int128(buckets) * Int128(Bucketing.bucketCount)
        let rounded = (millionths + Int128(count) / 2) / Int128(count)
        let text = Percentage.text(ofBuckets: Int(rounded))
        return rounded * Int128(count) == millionths ? text : "about \(text)"
    }
}
