/// The pattern syntax of engines that do not use RE2.
enum PatternSyntax: Sendable, CaseIterable {
    /// `java.util.regex`, which Spark's `rlike` uses.
    case java
    /// The "advanced" expressions of PostgreSQL's operator `~`, in a database whose encoding is UTF-8.
    case postgresql

    /// The scalars that a text can contain.
    var scalars: ScalarSet {
        switch self {
        case .java: .all
        case .postgresql: ScalarSet([0...0]).complement
        }
    }

    /// The largest number in braces.
    var largestBound: Int {
        switch self {
        case .java: .max
        case .postgresql: 255
        }
    }

    /// Whether the engine backtracks, except into possessive repetitions, which have a plus sign.
    var backtracks: Bool {
        switch self {
        case .java: true
        case .postgresql: false
        }
    }

    var textStart: String { "\\A" }

    var textEnd: String {
        switch self {
        case .java: "\\z"
        case .postgresql: "\\Z"
        }
    }

    /// A scalar, in brackets or not: letters and digits of ASCII and `_` as they are, all others by number.
    func text(of scalar: UInt32) -> String {
        if let byte = UInt8(exactly: scalar), ScalarSet.word.contains(scalar) {
            return String(Unicode.Scalar(byte))
        }
        let number = String(scalar, radix: 16)
        switch self {
        case .java: return "\\x{\(number)}"
        case .postgresql where scalar <= 0xffff: return "\\u" + Self.padded(number, to: 4)
        case .postgresql: return "\\U" + Self.padded(number, to: 8)
        }
    }

    private static func padded(_ number: String, to length: Int) -> String {
        String(repeating: "0", count: max(0, length - number.count)) + number
    }
}
