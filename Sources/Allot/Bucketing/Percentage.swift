import AllotConfiguration

/// Shares of units as text: a decimal number with at most 4 decimals and "%". One percent is exactly 10,000 buckets.
///
/// ```swift
/// let traffic = Percentage.parse("12.5%")  // 125000 buckets
/// let text = Percentage.text(ofBuckets: 125_000)  // "12.5%"
/// ```
public enum Percentage {
    /// The form of a percentage, for messages.
    package static let form = "a percentage is text from 0% to 100% with at most 4 decimals, such as 12.5%"

    /// Reads a percentage as a number of buckets, without floating point.
    ///
    /// Returns `nil` if the text is not a percentage.
    public static func parse(_ text: String) -> Int? {
        guard text.hasSuffix("%"), let number = JSONNumber(String(text.dropLast())),
            number.text.utf8.allSatisfy(isPlain)
        else { return nil }
        let decimals = number.text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .dropFirst().first
        guard (decimals?.count ?? 0) <= 4 else { return nil }
        return number.decimal.scaled(byPowerOfTen: 4, limit: UInt64(Bucketing.bucketCount)).map(Int.init)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A number of buckets as a percentage: 125000 becomes `12.5%`.
    public static func text(ofBuckets buckets: Int) -> String {
        let (whole, fraction) = buckets.quotientAndRemainder(dividingBy: 10_000)
        guard fraction > 0 else { return "\(whole)%" }
        var digits = String(String(10_000 + fraction).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)%"
    }
}
