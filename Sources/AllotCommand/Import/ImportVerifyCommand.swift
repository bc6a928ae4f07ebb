import AllotBatch
import AllotConfiguration
import AllotFiles
import AllotImport
import ArgumentParser

struct ImportVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-verify",
        abstract: "Compare what another system recorded with what the definitions assign.",
        usage: "allot import-verify <input> [--column <ours=theirs> ...] [<options>]",
        discussion: """
            The input is a CSV file with the units' attributes, the column experiment or flag, and the column variant \
            (a variant's key, a setting's value, or nothing). --column names columns that are called otherwise: of \
            attributes, and of the roles experiment, variant and time. --null is a word for nothing. An experiment \
            that needed another key is found by its description, which is its old name. The exit status is 2 if any \
            unit would change its variant.

            EXAMPLES
              allot import-verify assigned.csv --column user_id=id --column variant=group
              allot import-verify assigned.csv --unit-column id --column variant=group
            """)

    @Argument(
        help: .value("input", "The CSV file; - is standard input."), completion: .file(extensions: ["csv", "gz"]))
    var input: String
    @OptionGroup var columns: ColumnOptions
    @OptionGroup var csv: CSVOptions
    @OptionGroup var threads: ThreadOptions
    @OptionGroup var definitions: DefinitionsOptions
    @OptionGroup var report: ReportOptions<AllForms>

    func run() throws {
        let at = definitions.instant
        let progress = ProgressBar(total: try? InputFile.size(ofFileAt: input))
        defer { progress.clear() }
        let found: VerificationReport
        do {
            found = try VerificationReport(
                of: input, definitions.loaded(at: at), at: at, prepare, progress: progress.show)
        } catch let error as BatchError where error.lacksUnits {
            throw CommandFailure("\(error) with --column ATTRIBUTE=COLUMN")
        }
        progress.clear()
        try report.write(found.report, json: found.json)
        if !found.isExact { throw ExitCode.finding }
    }

    private func prepare(_ verification: inout BatchVerification) throws {
        (verification.nullWords, verification.delimiter) = (csv.nullWords, csv.delimiter)
        verification.threadCount = threads.count
        for (name, column) in try columns.names() {
            switch name {
            case "experiment": verification.experimentColumn = column
            case "variant": verification.variantColumn = column
            case "time": verification.timeColumn = column
            default: verification.attributeColumns[name] = column
            }
        }
    }
}
