import AllotConfiguration

/// The pattern syntax of an engine that does not use RE2.
struct PatternSyntax: Sendable {
    /// The scalars that a text can contain.
    var scalars = ScalarSet.all
    /// The largest number in braces.
    var largestBound = Int.max
    /// Whether the engine backtracks, except into possessive repetitions, which have a plus sign.
    var backtracks = false
    let textStart = "\\A"
    let textEnd: String
    /// Writes a scalar by its number.
    let number: @Sendable (UInt32) -> String

    /// `java.util.regex`, which Spark's `rlike` uses.
    static let java = PatternSyntax(backtracks: true, textEnd: "\\z", number: { "\\x{\(String($0, radix: 16))}" })

    /// The "advanced" expressions of PostgreSQL's operator `~`, in a database whose encoding is UTF-8.
    static let postgresql = PatternSyntax(
        scalars: ScalarSet([0...0]).complement, largestBound: 255, textEnd: "\\Z",
        number: {
            $0 <= 0xffff ? "\\u" + $0.zeroPadded(to: 4, radix: 16) : "\\U" + $0.zeroPadded(to: 8, radix: 16)
        })

    /// A scalar, in brackets or not: letters and digits of ASCII and `_` as they are, all others by number.
    func text(of scalar: UInt32) -> String {
        UInt8(exactly: scalar).flatMap { $0.isOfPlainName ? String(Unicode.Scalar($0)) : nil } ?? number(scalar)
    }
}
