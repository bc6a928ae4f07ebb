extension PayloadImport {
    /// The help of `allot import`.
    package static let help = """
        Reads what the system's own SDKs download, because that has the exact salts and ranges, and writes definitions \
        that decide as they do: the same hash, the same salt, the same ranges. A flag becomes the setting of its name \
        in the section Flags. A flag that cannot be exact is an error that says why; with --skip-inexact it is left \
        out and reported. The report goes to standard output.

        With --verify it compares what the other system recorded with what the definitions assign, row by row: a CSV \
        file with the units' attributes, the column experiment or flag, and the column variant (a variant's key, a \
        setting's value, or nothing); --column names columns that are called otherwise, and --null a word for nothing. \
        An experiment that needed another key is found by its description, which is its old name. Exit status 2 if any \
        unit would change its variant.

        PAYLOADS
        \(payloads)

        EXAMPLES
          allot import growthbook features.json --unit id=user_id -o Moved
          curl -s "$FEATURES_URL" | allot import growthbook - -o Moved
          allot import --verify assigned.csv --unit id=user_id --column variant=group
          allot import eppo config.json --skip-inexact --markdown -o Moved > report.md
        """

    /// A line for each system with the source of its payload.
    private static var payloads: String {
        let lines = ImportSystem.allCases.map { "  \($0.rawValue.rightPadded(to: 12))  \($0.source)" }
        return lines.joined(separator: "\n")
    }

    /// The usage of `allot import`.
    package static let usage = """
        allot import <system> <payload> -o <folder> [<options>]
        allot import --verify <assigned.csv> [--definitions <folder>] [<options>]
        """
}
