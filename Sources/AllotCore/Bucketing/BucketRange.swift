import AllotConfiguration

/// Half-open ranges of buckets as text: `0..<200000`, or `0%..<20%`.
///
/// ```swift
/// let fifth = BucketRange.parse("0%..<20%")  // 0..<200000
/// ```
public enum BucketRange {
    package static let form = "a range is written 0..<200000 in buckets or 0%..<20% in percent, start below end"

    /// Reads a range whose bounds are both in buckets or both in percent.
    ///
    /// - Returns: `nil` if the text does not have this form, if a bound is above 1,000,000 (100%), or if the range is
    ///   empty.
    public static func parse(_ text: String) -> Range<Int>? { parse(text, of: .own) }

    /// Reads a range in the buckets of a hash. Returns `nil` also if a percentage is not the border of a bucket.
    package static func parse(_ text: String, of scale: BucketScale) -> Range<Int>? {
        let parts = text.split(separator: "..<", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        guard let start = bound(parts[0], scale), let end = bound(parts[1], scale), start.isPercent == end.isPercent,
            start.bucket < end.bucket
        else { return nil }
        return start.bucket..<end.bucket
    }

    package static func percentText(_ range: Range<Int>) -> String {
        "\(Percentage.text(ofBuckets: range.lowerBound))..<\(Percentage.text(ofBuckets: range.upperBound))"
    }

    private static func bound(_ text: Substring, _ scale: BucketScale) -> (bucket: Int, isPercent: Bool)? {
        if text.hasSuffix("%") {
            return Percentage.parse(String(text)).flatMap(scale.border(ofMillionths:)).map { ($0, true) }
        }
        guard !text.isEmpty, text.utf8.count <= String(scale.count).utf8.count,
            text.utf8.allSatisfy(\.isDigit), let bucket = Int(text), bucket <= scale.count
        else { return nil }
        return (bucket, false)
    }
}
