import Allot

/// A share of units, exact: a product of numbers of buckets, each of 1,000,000, and sums of such products.
///
/// Kept as digits to the base 1,000,000, so that no product of gates, however long, is rounded.
///
/// ```swift
/// let enrolled = ExactShare(buckets: 400_000)
/// print(enrolled, enrolled.of(buckets: 500_000))  // 40% and half of it
/// ```
public struct ExactShare: Sendable, Hashable {
    /// The whole part, then millionths, millionths of millionths …; the last one is not 0, unless it is the whole part.
    private var digits: [Int]

    private static let base = Bucketing.bucketCount

    /// No unit.
    public static let none = ExactShare(digits: [0])
    /// Every unit.
    public static let all = ExactShare(digits: [1])

    /// A number of buckets, of 1,000,000.
    ///
    /// - Parameter buckets: 0 to 1,000,000.
    public init(buckets: Int) {
        self.init(digits: [buckets / Self.base, buckets % Self.base])
    }

    private init(digits: [Int]) {
        self.digits = digits
        while self.digits.count > 1, self.digits.last == 0 { self.digits.removeLast() }
    }

    /// This share of a number of buckets, of 1,000,000.
    public func of(buckets: Int) -> ExactShare {
        // One digit further right, times the buckets.
        var product = [0] + digits
        var carry = 0
        for index in product.indices.reversed() {
            let value = product[index] * buckets + carry
            product[index] = value % Self.base
            carry = value / Self.base
        }
        return ExactShare(digits: product)
    }

    /// The sum.
    public static func + (left: ExactShare, right: ExactShare) -> ExactShare {
        combined(left, right, sign: 1)
    }

    /// The difference; the right side is not above the left.
    public static func - (left: ExactShare, right: ExactShare) -> ExactShare {
        combined(left, right, sign: -1)
    }

    private static func combined(_ left: ExactShare, _ right: ExactShare, sign: Int) -> ExactShare {
        var sum = left.digits + Array(repeating: 0, count: max(0, right.digits.count - left.digits.count))
        for index in right.digits.indices { sum[index] += sign * right.digits[index] }
        for index in sum.indices.dropFirst().reversed() {
            if sum[index] < 0 {
                sum[index] += base
                sum[index - 1] -= 1
            } else if sum[index] >= base {
                sum[index] -= base
                sum[index - 1] += 1
            }
        }
        return ExactShare(digits: sum)
    }

    /// Whether it is 0.
    package var isNone: Bool { digits == [0] }

    /// The nearest number from 0 to 1.
    public var value: Double {
        digits.reversed().reduce(0) { $0 / Double(Self.base) + Double($1) }
    }

    /// The share as a decimal number with all its digits: `0.25`, `0.000000000001`.
    public var decimalText: String {
        let fraction = digits.dropFirst().map { String(String(Self.base + $0).dropFirst()) }.joined()
        var text = fraction
        while text.hasSuffix("0") { text.removeLast() }
        return text.isEmpty ? "\(digits[0])" : "\(digits[0]).\(text)"
    }
}

extension ExactShare: Comparable {
    /// Whether the left share is the smaller one.
    public static func < (left: ExactShare, right: ExactShare) -> Bool {
        left.digits.lexicographicallyPrecedes(right.digits)
    }
}

extension ExactShare: CustomStringConvertible {
    /// The share as a percentage: exact up to four decimals, else rounded to four, and `<0.0001%` for less.
    public var description: String {
        guard !isNone else { return "0%" }
        let buckets = digits[0] * Self.base + (digits.count > 1 ? digits[1] : 0)
        let isRoundedUp = digits.count > 2 && digits[2] * 2 >= Self.base
        let rounded = min(buckets + (isRoundedUp ? 1 : 0), Self.base)
        if rounded == 0 { return "<0.0001%" }
        if rounded == Self.base, self < .all { return ">99.9999%" }
        return Percentage.text(ofBuckets: rounded)
    }
}
