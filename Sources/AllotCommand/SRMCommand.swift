import AllotFiles
import ArgumentParser

/// `allot srm`
struct SRMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "srm",
        abstract: "Check the sample ratio of real data.",
        usage: "allot srm [<input>] [--experiment <key> | --shares <shares>] [<options>]",
        discussion: """
            Do the variants have as many units as they should? If not (a sample ratio mismatch, SRM), something is \
            wrong with who was assigned or who was recorded, and no result can be trusted before it is found. The \
            input is a CSV file with a row for each unit, with counts, or an export of exposures. The shares are \
            those of the definitions, or given ones.

            TESTS
              ratio       chi-square; a mismatch is detected below p = 0.001, as is
                          usual in the field
              sequential  a p-value that is valid at every look
                          (Lindon and Malek 2022), for rows in the order of time
              where       the ratio within each value of the other columns and
                          of the attributes, with Holm's correction. Look at
                          what was known before the assignment: what a variant
                          changes differs between variants
              cause       Allot computes each assignment again:
                          recorded - expected = (recomputed - expected), who was
                          captured, + (recorded - recomputed), who was reassigned

            A unit counts once, in the variant of its first row. Forced units do not count.

            EXIT STATUS
              0   no mismatch
              2   a sample ratio mismatch
              1   failure, such as a file that cannot be read
              64  a wrong command line

            EXAMPLES
              allot srm exposures.csv
              allot srm exposures.csv --experiment checkout-button --by country
              allot srm users.csv --shares control=50%,green=50%
              allot srm counts.csv --shares control=2,green=1 --json
              allot assign users.csv | allot srm - --experiment checkout-button
            """)

    @Argument(
        help: ArgumentHelp("The CSV file; - is standard input.", valueName: "input"),
        completion: .file(extensions: ["csv"]))
    var input = "-"

    @OptionGroup
    var options: SampleRatioOptions

    @OptionGroup
    var definitions: DefinitionsOptions

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        let analysis = try options.analysis(definitions)
        BatchFiles(input: input, output: "-", rejects: nil).announceTyping()
        let file = try InputFile(path: input)
        let progress = ProgressBar(total: file.size, isAllowed: true)
        defer { progress.clear() }
        let results = try analysis.results(from: file) { progress.show($0) }
        progress.clear()
        try StandardOutput.write(json ? [results.json.prettyText] : results.lines)
        if results.isMismatch { throw ExitCode(2) }
    }
}
