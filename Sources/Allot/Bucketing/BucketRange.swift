import AllotConfiguration

/// Reading and arithmetic of half-open bucket ranges, `0..<200000` or `0%..<20%`.
public enum BucketRange {
    /// What a range looks like, for messages.
    package static let form = "a range is written 0..<200000 in buckets or 0%..<20% in percent, start below end"

    /// Reads a range. Both ends are in buckets, or both in percent.
    ///
    /// - Returns: `nil` if the text is no range, its end is beyond 1,000,000 (100%), or it is empty.
    public static func parse(_ text: String) -> Range<Int>? {
        let parts = text.split(separator: "..<", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        guard let start = bound(parts[0]), let end = bound(parts[1]), start.isPercent == end.isPercent,
            start.bucket < end.bucket
        else { return nil }
        return start.bucket..<end.bucket
    }

    /// A range as people write it in percent: `0%..<12.5%`.
    package static func percentText(_ range: Range<Int>) -> String {
        "\(Percentage.text(ofBuckets: range.lowerBound))..<\(Percentage.text(ofBuckets: range.upperBound))"
    }

    private static func bound(_ text: Substring) -> (bucket: Int, isPercent: Bool)? {
        if text.hasSuffix("%") { return Percentage.parse(String(text)).map { ($0, true) } }
        guard !text.isEmpty, text.utf8.count <= 7,
            text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            let bucket = Int(text), bucket <= Bucketing.bucketCount
        else { return nil }
        return (bucket, false)
    }

    /// Ranges in order, with those that touch joined. Complexity: O(*n* log *n*).
    package static func normalised(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, last.upperBound >= range.lowerBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// The first bucket that both lists hold; both normalised. Complexity: O(*n* + *m*).
    package static func firstOverlap(_ left: [Range<Int>], _ right: [Range<Int>]) -> Range<Int>? {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            let overlap = left[i].clamped(to: right[j])
            if !overlap.isEmpty { return overlap }
            if left[i].upperBound <= right[j].upperBound { i += 1 } else { j += 1 }
        }
        return nil
    }
}
