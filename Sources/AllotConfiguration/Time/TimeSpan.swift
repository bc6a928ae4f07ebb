/// A length of time, written as `7d`, `12h`, `30m`, `90s` or `2w`.
package struct TimeSpan: Sendable {
    package let seconds: Int64

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    /// The longest span, a century: more is a mistake, and sums do not overflow.
    private static let limit: Int64 = 36_525 * 86_400

    package var days: Double { Double(seconds) / 86_400 }

    /// A number of seconds in the largest unit that divides it: `1h`, `90s`, `2w`.
    package static func text(ofSeconds seconds: Int64) -> String {
        let fitting = units.filter { seconds % $0.value == 0 }.max { $0.value < $1.value }
        return fitting.map { "\(seconds / $0.value)\($0.key)" } ?? "\(seconds)s"
    }

    package init?(_ text: String, allowsNone: Bool = false) {
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ Self.units[$0] }), digits.allSatisfy({ "0"..."9" ~= $0 }),
            let count = Int64(digits), ((allowsNone ? 0 : 1)...Self.limit / unit).contains(count)
        else { return nil }
        seconds = count * unit
    }
}
