import AllotConfiguration

/// The unit of a number that counts from 1970-01-01T00:00:00Z, without leap seconds.
enum EpochUnit: String, CaseIterable {
    case seconds, milliseconds

    /// The years in which an instant that was written as a number probably is.
    static let likely = Instant(seconds: 946_684_800)...Instant(seconds: 4_102_444_800)

    private var decimals: Int {
        switch self {
        case .seconds: 9
        case .milliseconds: 6
        }
    }

    func number(of instant: Instant) -> JSONNumber {
        let nanoseconds = Int128(instant.seconds) * 1_000_000_000 + Int128(instant.nanoseconds)
        let divisor: Int128 = self == .seconds ? 1_000_000_000 : 1_000_000
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
        var text = (nanoseconds < 0 ? "-" : "") + String(whole)
        if rest > 0 {
            text += "." + rest.zeroPadded(to: decimals)
            while text.hasSuffix("0") { text.removeLast() }
        }
        return JSONNumber(unchecked: text)
    }

    /// The instant of a number, to the second. Returns `nil` for a number without an instant that can be written.
    func instant(of number: Double) -> Instant? {
        let seconds = self == .seconds ? number : number / 1000
        guard abs(seconds) < 1e12 else { return nil }
        let instant = Instant(seconds: Int64(seconds))
        return Instant.writable.contains(instant) ? instant : nil
    }
}
