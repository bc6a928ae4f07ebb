import AllotConfiguration
import AllotCore

extension UnitHash {
    /// The hash for people: `salt checkout`, or `eppo/1 of 10000 buckets, salt "allocation-1"`.
    package var words: String {
        switch self {
        case .sha256(let salt): return "salt \(salt)"
        case .other(let hash):
            let size = hash.scheme.takesResolution ? " of \(hash.resolution) buckets" : ""
            return "\(hash.scheme.rawValue)\(size), salt \(QuotedText(hash.salt))"
        }
    }

    /// The name of the hash and the salt, for a change of hashes: `sha256/1, salt checkout`.
    var text: String { foreign == nil ? "\(scheme.rawValue), \(words)" : words }
    /// A number of buckets as a percentage of all: `25%`, or `about 33.3333%`.
    package func percentage(of buckets: Int) -> String { scale.percentage(of: buckets) }
    /// A range as definitions write it: in percent, or in the buckets of another system's hash.
    package func text(_ range: Range<Int>) -> String { foreign == nil ? BucketRange.percentText(range) : "\(range)" }
    package func text(_ ranges: [Range<Int>]) -> String { ranges.map(text).joined(separator: " ") }

    /// The number of buckets that a share of 1,000,000 is; throws if it is not a whole number.
    func buckets(ofShare share: Int) throws(AnalysisError) -> Int {
        let product = Int128(share) * Int128(resolution)
        guard product % Int128(Bucketing.bucketCount) == 0 else {
            throw AnalysisError(
                "\(Percentage.text(ofBuckets: share)) is not a whole number of the \(resolution) buckets of "
                    + "\(scheme.rawValue); choose a share that is")
        }
        return Int(product / Int128(Bucketing.bucketCount))
    }
}
