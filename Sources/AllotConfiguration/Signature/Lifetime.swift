/// How long a token is valid, written as `7d`, `12h`, `30m`, `90s` or `2w`.
package struct Lifetime: Sendable {
    package let seconds: Int64

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    /// The longest lifetime, a century: more is a mistake, and sums do not overflow.
    private static let limit: Int64 = 36_525 * 86_400

    /// Reads a lifetime. Returns `nil` if the text is not one.
    package init?(_ text: String) {
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ Self.units[$0] }), digits.allSatisfy({ "0"..."9" ~= $0 }),
            let count = Int64(digits), (1...Self.limit / unit).contains(count)
        else { return nil }
        seconds = count * unit
    }
}
