/// A share of units, exact: a product of numbers of buckets, each of 1,000,000 or of another number of equal shares,
/// and sums of such products.
///
/// Kept as a fraction of whole numbers in its lowest terms, so that no product of gates, however long, is rounded.
///
/// ```swift
/// let enrolled = ExactShare(buckets: 400_000)
/// print(enrolled, enrolled.of(buckets: 500_000))  // 40% and half of it
/// print(enrolled.of(buckets: 1, resolution: 3))  // a third of it, with a hash of another system
/// ```
public struct ExactShare: Sendable, Hashable {
    private let numerator: Natural
    /// Not zero, and without a common divisor with the numerator.
    private let denominator: Natural
    /// No unit.
    public static let none = ExactShare(buckets: 0)
    /// Every unit.
    public static let all = ExactShare(buckets: 1, resolution: 1)

    /// A number of buckets.
    public init(buckets: Int, resolution: Int = Bucketing.bucketCount) {
        self.init(Natural(UInt64(buckets)), Natural(UInt64(resolution)))
    }

    private init(_ numerator: Natural, _ denominator: Natural) {
        let common = Natural.greatestCommonDivisor(denominator, numerator)
        guard common != .one else {
            (self.numerator, self.denominator) = (numerator, denominator)
            return
        }
        self.numerator = numerator.quotientAndRemainder(dividingBy: common).quotient
        self.denominator = denominator.quotientAndRemainder(dividingBy: common).quotient
    }

    /// This share of a number of buckets.
    public func of(buckets: Int, resolution: Int = Bucketing.bucketCount) -> ExactShare {
        ExactShare(numerator * Natural(UInt64(buckets)), denominator * Natural(UInt64(resolution)))
    }

    /// The sum.
    public static func + (left: ExactShare, right: ExactShare) -> ExactShare { combined(left, right, +) }
    /// The difference; the right side is not above the left.
    public static func - (left: ExactShare, right: ExactShare) -> ExactShare { combined(left, right, -) }

    /// The part that the left share is of the right one, which is not none.
    package static func / (left: ExactShare, right: ExactShare) -> ExactShare {
        ExactShare(left.numerator * right.denominator, left.denominator * right.numerator)
    }

    private static func combined(
        _ left: ExactShare, _ right: ExactShare, _ operation: (Natural, Natural) -> Natural
    ) -> ExactShare {
        if left.denominator == right.denominator {
            return ExactShare(operation(left.numerator, right.numerator), left.denominator)
        }
        return ExactShare(
            operation(left.numerator * right.denominator, right.numerator * left.denominator),
            left.denominator * right.denominator)
    }

    package var isNone: Bool { numerator.isZero }
    /// The nearest number from 0 to 1, to within two units in the last place.
    public var value: Double { Double(numerator, over: denominator) }

    /// The share as a decimal number with all its digits: `0.25`, `0.000000000001`. A share whose digits never end,
    /// such as a third, is cut off after 40 decimals.
    package var decimalText: String {
        let ten = Natural(10)
        var (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        var text = "\(whole.word ?? 0)"
        guard !rest.isZero else { return text }
        text += "."
        var left = hasFiniteDecimals ? Int.max : Self.decimalsOfEndlessShare
        while !rest.isZero, left > 0 {
            (whole, rest) = (rest * ten).quotientAndRemainder(dividingBy: denominator)
            text += "\(whole.word ?? 0)"
            left -= 1
        }
        return text
    }

    /// Whether the digits of the share end: its denominator then has no divisor but 2 and 5.
    private var hasFiniteDecimals: Bool {
        let ten = Natural(10)
        var rest = denominator
        while rest != .one {
            let common = Natural.greatestCommonDivisor(rest, ten)
            guard common != .one else { return false }
            rest = rest.quotientAndRemainder(dividingBy: common).quotient
        }
        return true
    }

    private static let decimalsOfEndlessShare = 40
}

extension ExactShare: Comparable {
    /// Whether the left share is the smaller one.
    public static func < (left: ExactShare, right: ExactShare) -> Bool {
        left.numerator * right.denominator < right.numerator * left.denominator
    }
}

extension ExactShare: CustomStringConvertible {
    /// The share as a percentage: exact up to four decimals, else rounded to four, and `<0.0001%` for less.
    public var description: String {
        guard !isNone else { return "0%" }
        let millionths = numerator * Natural(UInt64(Bucketing.bucketCount))
        let (buckets, rest) = millionths.quotientAndRemainder(dividingBy: denominator)
        let isRoundedUp = rest + rest >= denominator
        let rounded = min(Int(buckets.word ?? 0) + (isRoundedUp ? 1 : 0), Bucketing.bucketCount)
        if rounded == 0 { return "<0.0001%" }
        if rounded == Bucketing.bucketCount, self < .all { return ">99.9999%" }
        return Percentage.text(ofBuckets: rounded)
    }
}
