import AllotConfiguration

/// The windows of a switchback: time is divided into windows of one length, and each unit is randomised anew in each.
///
/// Window number *n* begins *n* × ``seconds`` after ``from``, and no unit is enrolled before window 0. The number is a
/// part of what is hashed, after the unit ID:
///
///     digest = SHA-256(salt ":" unitID "@" n)                 n in decimal digits
///
/// Both buckets of the experiment depend on it: enrolment and variant. A layer's slot and a holdout do not.
///
/// In a *balanced* period the windows 2*k* and 2*k* + 1 are a pair. Both hash the even number, and in window 2*k* + 1
/// the second bucket is 999,999 minus the pair's: with two variants of equal weight a unit gets both, in random order.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// for experiment in plan.experiments {
///     guard let window = experiment.window(at: .now) else { continue }  // It does not switch back.
///     print(experiment.key, window.number, window.since)
/// }
/// ```
public struct Period: Sendable, Hashable {
    /// The start of window 0.
    public let from: Instant
    /// The length of a window in seconds.
    public let seconds: Int64
    /// Whether the windows are balanced in pairs.
    public let isBalanced: Bool

    /// - Parameter seconds: the length of a window, above 0.
    package init(every seconds: Int64, from: Instant, isBalanced: Bool = false) {
        (self.from, self.seconds, self.isBalanced) = (from, seconds, isBalanced)
    }

    /// The number of the window that contains an instant. Returns `nil` before window 0.
    package func number(at instant: Instant) -> Int64? {
        guard instant >= from else { return nil }
        // As bits, because the difference of two instants may be beyond the largest number with a sign.
        let passed = UInt64(bitPattern: instant.seconds &- from.seconds)
        let whole = passed - (instant.nanoseconds < from.nanoseconds ? 1 : 0)
        return Int64(whole / UInt64(seconds))
    }

    /// The start of a window. Returns `nil` if it is beyond the year 9999.
    package func start(of number: Int64) -> Instant? {
        let (passed, overflows) = number.multipliedReportingOverflow(by: seconds)
        guard !overflows, passed <= Instant.writable.upperBound.seconds - from.seconds else { return nil }
        return from.adding(seconds: passed)
    }

    /// The window that contains an instant. Returns `nil` before window 0.
    package func window(at instant: Instant) -> Window? {
        number(at: instant).flatMap { number in
            start(of: number).map { Window(number: number, since: $0, until: start(of: number + 1)) }
        }
    }

    /// The number that is hashed in a window: the window's own, or the even one of its pair.
    package func hashedNumber(of window: Int64) -> Int64 { isBalanced ? window & ~1 : window }
    /// Whether the second bucket of a window is the mirror image of what the hash gives.
    package func isMirrored(_ window: Int64) -> Bool { isBalanced && window & 1 == 1 }

    /// The buckets of a unit at an instant; before window 0, where no unit is enrolled, those of window 0.
    func buckets(of unitID: Span<UInt8>, under salt: borrowing SaltedHash, at instant: Instant) -> BucketPair {
        buckets(of: unitID, under: salt, window: number(at: instant) ?? 0)
    }

    package func buckets(of unitID: Span<UInt8>, under salt: borrowing SaltedHash, window: Int64) -> BucketPair {
        let hashed = salt.buckets(of: unitID, window: hashedNumber(of: window))
        guard isMirrored(window) else { return hashed }
        return BucketPair(first: hashed.first, second: Bucketing.bucketCount - 1 - hashed.second)
    }

    /// The text that is hashed for a unit in a window.
    package func input(salt: String, unitID: String, window: Int64) -> String {
        "\(salt):\(unitID)@\(hashedNumber(of: window))"
    }

    /// The length of a window as definitions write it, in the largest unit that divides it: `1h`, `2w`.
    package var lengthText: String { TimeSpan.text(ofSeconds: seconds) }
    /// The period in words: `every 1h from 2026-12-01T00:00Z, balanced`.
    package var text: String { "every \(lengthText) from \(from.shortText)\(isBalanced ? ", balanced" : "")" }
}

/// A window of a switchback. `Sendable`.
public struct Window: Sendable, Hashable {
    /// The number, counted from 0.
    public let number: Int64
    /// The start.
    public let since: Instant
    /// The start of the next one; `nil` if that is beyond the year 9999.
    public let until: Instant?
}

/// The windows of a running experiment within its schedule: each begins at a boundary.
struct LiveWindows: Sendable {
    let period: Period
    let schedule: Schedule

    /// The start of the next window after an instant. Returns `nil` if none begins while the experiment is live.
    func next(after instant: Instant) -> Instant? {
        // The schedule's own boundaries come before and after.
        guard schedule.reason(at: instant) == nil, let number = period.number(at: instant),
            let next = period.start(of: number + 1), schedule.reason(at: next) == nil
        else { return nil }
        return next
    }

    /// The start of the window that contains an instant. Returns `nil` while the experiment is not live.
    func last(at instant: Instant) -> Instant? {
        guard schedule.reason(at: instant) == nil else { return nil }
        return period.number(at: instant).flatMap(period.start(of:))
    }
}

extension SaltedHash {
    /// The buckets of a unit ID, followed by "@" and a number. Complexity: one SHA-256 compression if all have at most
    /// 55 bytes together. Never allocates.
    func buckets(of unitID: Span<UInt8>, window number: Int64) -> BucketPair {
        // The digits of the largest number, and "@".
        var suffix = InlineArray<20, UInt8>(repeating: UInt8(ascii: "@"))
        var start = 20
        var rest = number
        repeat {
            start -= 1
            suffix[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        return buckets(of: unitID, followedBy: suffix.span.extracting(start - 1..<20))
    }
}
