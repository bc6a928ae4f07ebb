/// Patterns of what Allot reads from text, in what all engines' patterns share: ASCII classes and groups, without
/// back-slashes, quotes and `$`.
///
/// Alternatives that begin alike have the longest first, so that an engine which never goes back from a repeated group
/// (which in Java costs no stack) finds the same.
enum PlainPattern {
    /// A number in an untyped text, of at most 40 bytes.
    static let number = "-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9][0-9]?)?"

    /// A version by Semantic Versioning 2.0, with "v" and without minor and patch.
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

    /// An RFC 3339 instant with an offset, the calendar's days included.
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

    /// The pattern for Java: repeated groups are possessive, because going back into them takes a frame of the stack
    /// for each round.
    static func possessive(_ pattern: String) -> String {
        pattern.replacing(")*", with: ")*+").replacing(")?", with: ")?+")
    }
}
