import AllotConfiguration

/// The syntax of an engine that does not use RE2.
package enum PatternSyntax: Sendable {
    /// `java.util.regex`, which Spark's `rlike` uses, and which backtracks, except into possessive repetitions.
    case java
    /// The "advanced" expressions of PostgreSQL's operator `~`, in a database whose encoding is UTF-8.
    case postgresql

    var largestBound: Int { self == .java ? Int.max : 255 }
    var textEnd: String { self == .java ? "\\z" : "\\Z" }

    /// A scalar, in brackets or not: letters and digits of ASCII and `_` as they are, all others by number.
    private func text(of scalar: UInt32) -> String {
        if let byte = UInt8(exactly: scalar), byte.isOfPlainName { return String(Unicode.Scalar(byte)) }
        return switch self {
        case .java: "\\x{\(String(scalar, radix: 16))}"
        case .postgresql where scalar <= 0xffff: "\\u" + scalar.zeroPadded(to: 4, radix: 16)
        case .postgresql: "\\U" + scalar.zeroPadded(to: 8, radix: 16)
        }
    }

    func text(of set: ScalarSet) -> String {
        if let only = set.only { return text(of: only.value) }
        let members = set.ranges.map { range in
            let first = text(of: range.lowerBound)
            let last = text(of: range.upperBound)
            return switch range.count {
            case 1: first
            case 2: first + last
            default: first + "-" + last
            }
        }
        return "[\(members.joined())]"
    }
}
