import AllotCore

/// Patterns of the values that Allot reads from text, in the syntax that all engines share: ASCII classes and groups,
/// without backslashes, quotes and `$`. Of alternatives with a common beginning the longest is first, for possessive
/// ones.
enum PlainPattern {
    /// A number in untyped text. The limit of 40 bytes is checked separately.
    static let number = "-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?"

    /// A version by Semantic Versioning 2.0, with an optional "v" and one to six numbers.
    static let version: String = {
        let number = "(0|[1-9][0-9]*)"
        let identifier = "([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)"
        let preRelease = "(-\(identifier)([.]\(identifier))*)?"
        let build = "([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?"
        let further = (1..<Version.maximumNumberCount).reduce("") { inner, _ in "([.]\(number)\(inner))?" }
        return "v?\(number)\(further)\(preRelease)\(build)"
    }()

    static let numbers = "v?([0-9.]+)"
    static let preRelease = "v?[0-9.]+-([0-9A-Za-z.-]+)"

    /// An instant with an offset, whose day exists in the calendar: RFC 3339 in the spellings that `Instant` reads.
    static let instant: String = {
        let year = "[0-9][0-9][0-9][0-9]"
        let leapYear = "([0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
        let dates = [
            "\(year)-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])", "\(year)-(0[469]|11)-(0[1-9]|[12][0-9]|30)",
            "\(year)-02-(0[1-9]|1[0-9]|2[0-8])", "\(leapYear)-02-29",
        ]
        let time = "([01][0-9]|2[0-3]):[0-5][0-9]"
        let seconds = "(:([0-5][0-9]|60)([.][0-9]+)?)?"
        let offset = "([Zz]|[+-]([01][0-9]|2[0-3])(:[0-5][0-9])?)"
        return "(\(dates.joined(separator: "|")))[Tt ]\(time)\(seconds)\(offset)"
    }()

    /// The text form of an IPv4 or IPv6 address.
    static let address: String = {
        let byte = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])"
        let dotted = "\(byte)[.]\(byte)[.]\(byte)[.]\(byte)"
        let group = "[0-9A-Fa-f]{1,4}"
        let next = "(\(group):)"
        let end = "(\(dotted)|\(group):\(group))"
        // What may stand before a gap of which at most this many groups are written.
        func before(_ count: Int) -> String { count == 0 ? "" : "(\(next){0,\(count - 1)}\(group))?" }
        let gaps = (0...4).map { "\(before($0))::\(next){\(5 - $0)}\(end)" }
        let all = ["\(next){6}\(end)"] + gaps + ["\(before(5))::\(end)", "\(before(6))::\(group)", "\(before(7))::"]
        return "(\(dotted)|\(all.joined(separator: "|")))"
    }()

    static let fraction = "[^.]+[.]([0-9]+)"

    /// The pattern for Java, where backtracking into a repeated group takes a stack frame for each repetition.
    static func possessive(_ pattern: String) -> String {
        pattern.replacing(")*", with: ")*+").replacing(")?", with: ")?+")
    }
}
