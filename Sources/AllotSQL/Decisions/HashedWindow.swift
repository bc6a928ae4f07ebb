import AllotConfiguration
import AllotCore

/// The window of a period in the hash of a unit, in the terms of an engine.
struct HashedWindow {
    /// The key of its columns: windows of one statement share it only if they hash the same number.
    let key: String
    /// The expressions that follow the unit ID in what is hashed.
    let suffix: [String]
    /// The expression whose distance from the second bucket is the bucket of the window: the last bucket where the
    /// window is a mirror image, else 0. `nil` if it never is.
    let mirror: String?

    /// The window of an instant. Before the first one, where no unit is enrolled, it is the first one.
    init(of period: Period, at instant: Instant, _ syntax: any SQLSyntax) throws(Unsupported) {
        let number = period.number(at: instant) ?? 0
        key = "\(period.hashedNumber(of: number))"
        suffix = [try syntax.literal("@\(key)")]
        mirror = period.isMirrored(number) ? Self.lastBucket : nil
    }

    /// The window whose number is in a column.
    init(of period: Period, column: String, _ syntax: any SQLSyntax) throws(Unsupported) {
        key = "\(period.lengthText) \(period.from)\(period.isBalanced ? " balanced" : "")"
        let isOdd = "MOD(\(column), 2)"
        suffix = [try syntax.literal("@"), syntax.asText(period.isBalanced ? "(\(column) - \(isOdd))" : column)]
        mirror = period.isBalanced ? "\(Self.lastBucket) * \(isOdd)" : nil
    }

    private static let lastBucket = "\(Bucketing.bucketCount - 1)"

    /// A second bucket, mirrored or as it is. `ABS` makes it unsigned in ClickHouse, where other buckets are.
    static func mirrored(_ bucket: String, _ mirror: String) -> String { "ABS(\(mirror) - (\(bucket)))" }
}

/// The time since an instant, as a whole number.
struct PassedTime {
    /// The number, as an expression. A fraction is cut off.
    let count: String
    /// The number of its units in a second.
    let perSecond: Int
}

extension SQLSyntax {
    /// The number of the window at a time, which is an expression and not before the first window.
    func window(of period: Period, at time: String) throws(Unsupported) -> String {
        let passed = try passed(since: period.from, to: time)
        // A window has at most 100 years, and fewer than 2^63 nanoseconds.
        return quotient(passed.count, Int(period.seconds) * passed.perSecond)
    }

    func passed(since instant: Instant, microseconds: String) -> PassedTime {
        PassedTime(count: "(\(microseconds) - \(InstantLiteral.microseconds(instant)))", perSecond: 1_000_000)
    }

    /// A time of an engine in which times can be infinite, in the calendar and not before an instant.
    func finite(_ time: String, since instant: Instant) -> String {
        "LEAST(GREATEST(\(time), \(literal(instant))), \(literal(instants.upperBound)))"
    }

    /// Rejects an instant that the engine does not read.
    func check(firstWindow instant: Instant) throws(Unsupported) {
        guard instant >= instants.lowerBound else {
            throw Unsupported(
                "the first window begins at \(instant.writtenText), and the instants of \(title) at "
                    + "\(instants.lowerBound.shortText); begin the period later")
        }
    }
}
