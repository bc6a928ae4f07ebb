/// Patterns of the values that Allot reads from text, in the syntax that all engines share: ASCII classes and groups,
/// without backslashes, quotes and `$`.
///
/// Of alternatives with a common beginning the longest is first. So possessive repetitions, which cost no stack in
/// Java, find the same matches.
enum PlainPattern {
    /// A number in untyped text. The limit of 40 bytes is checked separately.
    static let number = "-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?"

    /// A version by Semantic Versioning 2.0, with an optional "v" and optional minor and patch numbers.
    static let version: String = {
        let number = "(0|[1-9][0-9]*)"
        let identifier = "([0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)"
        let preRelease = "(-\(identifier)([.]\(identifier))*)?"
        let build = "([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?"
        return "v?\(number)([.]\(number)([.]\(number))?)?\(preRelease)\(build)"
    }()

    static let major = "v?([0-9]+)"
    static let minor = "v?[0-9]+[.]([0-9]+)"
    static let patch = "v?[0-9]+[.][0-9]+[.]([0-9]+)"
    static let preRelease = "v?[0-9.]+-([0-9A-Za-z.-]+)"

    /// An RFC 3339 instant with an offset, whose day exists in the calendar.
    static let instant: String = {
        let year = "[0-9][0-9][0-9][0-9]"
        let leapYear = "([0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
        let dates = [
            "\(year)-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])", "\(year)-(0[469]|11)-(0[1-9]|[12][0-9]|30)",
            "\(year)-02-(0[1-9]|1[0-9]|2[0-8])", "\(leapYear)-02-29",
        ]
        let time = "([01][0-9]|2[0-3]):[0-5][0-9]"
        return "(\(dates.joined(separator: "|")))[Tt]\(time):([0-5][0-9]|60)([.][0-9]+)?([Zz]|[+-]\(time))"
    }()

    static let fraction = "[^.]+[.]([0-9]+)"

    /// The pattern for Java. Repeated groups are possessive, because backtracking into them takes a stack frame for
    /// each repetition.
    static func possessive(_ pattern: String) -> String {
        pattern.replacing(")*", with: ")*+").replacing(")?", with: ")?+")
    }
}
