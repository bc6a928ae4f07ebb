import AllotConfiguration

/// Shares of units as text: a decimal number with at most 4 decimals and "%". One percent is exactly 10,000 buckets.
///
/// ```swift
/// let traffic = Percentage.parse("12.5%")  // 125000 buckets
/// let text = Percentage.text(ofBuckets: 125_000)  // "12.5%"
/// ```
public enum Percentage {
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

    /// The fix for a number or text that is not a percentage, for messages: the percentages that it may mean, or the
    /// form of what is expected. A number up to 1 is one in percent for some people and a share of 1 for others.
    package static func fix(for text: String, form: String = form) -> String {
        let readings = readings(of: text)
        guard let first = readings.first else { return form }
        if readings.count > 1 { return "write \(readings.joined(separator: " or ")), whichever is meant" }
        return text.hasSuffix("%") ? "write \(first)" : "write \(first) if that is meant, 100% being everyone"
    }

    /// The percentages that a number or text can stand for, the larger first.
    private static func readings(of text: String) -> [String] {
        var digits = text.filter { $0 != " " }
        let hasSign = digits.hasSuffix("%")
        if hasSign { digits.removeLast() }
        if digits.hasPrefix("+") { digits.removeFirst() }
        let parts = digits.split(separator: ",", omittingEmptySubsequences: false)
        // Three digits after a comma may be thousands.
        if parts.count == 2, parts[1].utf8.count != 3 { digits = parts.joined(separator: ".") }
        while digits.hasPrefix("0"), digits.utf8.dropFirst().first?.isDigit ?? false { digits.removeFirst() }
        if digits.hasPrefix(".") { digits = "0" + digits }
        guard let number = JSONNumber(digits), digits.utf8.allSatisfy(isPlain) else { return [] }
        let ofOne =
            hasSign ? nil : number.decimal.scaled(byPowerOfTen: 6, limit: UInt64(Bucketing.bucketCount)).map(Int.init)
        let percent = parse(digits + "%")
        return [ofOne == percent ? nil : ofOne, percent].compactMap { $0.map(Self.text(ofBuckets:)) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte.isDigit }

    /// A number of buckets as a percentage: 125000 becomes `12.5%`.
    public static func text(ofBuckets buckets: Int) -> String {
        let (whole, fraction) = buckets.quotientAndRemainder(dividingBy: 10_000)
        guard fraction > 0 else { return "\(whole)%" }
        var digits = String(String(10_000 + fraction).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)%"
    }
}
