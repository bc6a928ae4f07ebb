import AllotAnalysis
import AllotBatch
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

struct SRMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "srm",
        abstract: "Check the sample ratio of real data.",
        usage: "allot srm [<input>] [--experiment <key> | --shares <shares>] [<options>]",
        discussion: """
            Do the variants have as many units as they should? If not (a sample ratio mismatch, SRM), something is \
            wrong with who was assigned or who was recorded, and no result can be trusted before it is found. The \
            input is a CSV file with a row for each unit, with counts, or an export of exposures. The shares are \
            those of the definitions, or given ones: percentages, or weights such as control=2,green=1; 1:1 stands \
            for equal shares whatever the variants are called.

            COLUMNS
              --column ROLE=NAME names the column of a role, by default
              unit        unit or user_id
              variant     variant, or a column named as the experiment
              count       count, for rows of counts, if no column has units
              experiment  experiment
              time        at
              attributes  attributes, a JSON object
            The parts of a unit of several attributes may have columns of their own.

            TESTS
              ratio       chi-square, exact where few units are expected, for each
                          revision of the definition against its own shares, and for
                          all together; a mismatch is detected below p = 0.001
              sequential  a p-value that is valid at every look, with a Dirichlet
                          prior of 100 units in the expected shares
                          (Lindon and Malek 2022), for rows that have times
              in several  units in several variants of one revision
              returning   units that come back in a later revision (carry-over)
              where       the ratio within each day, each variant of the other
                          running experiments, and each value of the attributes
                          that the audience tests or --by names. Other columns may
                          be outcomes, which differ between variants anyway
              cause       Allot computes the variant of every row again, with the
                          definition of its revision, also from the history of Git:
                          recorded - expected = (recomputed - expected), who was
                          captured, + (recorded - recomputed), who was reassigned

            A unit counts once, in the variant of its earliest row, in whatever order the rows are; with a period, \
            once in each window, which the column window or the time says. Forced units, winners, overrides and \
            other salts do not count.

            EXIT STATUS
              0   nothing is wrong
              2   a sample ratio mismatch; more units with wrong variants, or in
                  several variants, than are tolerated; or carry-over. By chance,
                  0.1% of looks for the ratio, 0.1% for all sequential tests, and
                  0.1% for all others together, in practice less than 0.2%
              3   nothing is wrong, but units of another revision were not tested
              1   failure, such as a file that cannot be read
              64  a wrong command line

            EXAMPLES
              allot srm exposures.csv
              allot srm exposures.csv --experiment buy-button --by country
              allot srm exposures.csv --definitions v12..main
              allot srm visits.csv --shares control=50%,green=50%
              allot srm orders.csv --rows-are-units --shares 1:1
              allot srm counts.csv --shares control=2,green=1 --json
              allot assign users.csv | allot srm - --experiment buy-button
            """)

    @Argument(
        help: .value("input", "The CSV file; - is standard input."), completion: .file(extensions: ["csv", "gz"]))
    var input = "-"

    @Option(help: .shares, transform: { try GivenShares($0) })
    var shares: GivenShares?

    @Option(
        name: .customLong("shares-of"),
        help: .value(
            "revision=shares", "The shares of another revision, such as 1f0c…=control=2,green=1 (repeatable)."),
        transform: RevisionShares.init)
    var sharesOfRevisions: [RevisionShares] = []

    @Option(name: .customLong("salt"), help: .value("salt", "Only the randomisation of this salt (repeatable)."))
    var salts: [String] = []

    @Option(name: .customLong("experiment"), help: .experiment, completion: .names(of: .experiments))
    var experiments: [String] = []

    @OptionGroup
    var columns: ColumnOptions

    @Flag(
        name: .customLong("time-order"),
        help: "Rows of units are in the order of time, although no column says so: test after every row.")
    var isInTimeOrder = false

    @Option(
        name: .customLong("by"),
        help: .value(
            "column",
            "Look for the source in this attribute (repeatable; default: all of at most "
                + "\(SampleRatioQuestion.fewValues) values)."))
    var attributes: [String] = []

    @Option(
        name: .customLong("ignore-variant"),
        help: .value("variant", "Leave out the rows of this variant (repeatable)."), completion: .names(of: .variants))
    var ignoredVariants: [String] = []

    @Flag(name: .customLong("rows-are-units"), help: "Each row is another unit; no column has unit IDs.")
    var isUnitEachRow = false

    @Option(
        name: .customLong("wrong-share"),
        help: .value("share", "More units than this share with wrong variants are an alarm (default: 0.5%)."),
        transform: WrittenNumber.rate)
    var wrongShare = SampleRatioAnalysis.standardWrongShare

    @Option(
        name: .customLong("several-share"),
        help: .value(
            "share", "More units than this share in several variants of one revision are an alarm (default: 1%)."),
        transform: WrittenNumber.rate)
    var severalShare = SampleRatioAnalysis.standardSeveralShare

    @Option(help: .alpha, transform: WrittenNumber.rate)
    var alpha: Double = RatioTest.threshold

    @OptionGroup
    var csv: CSVOptions

    @OptionGroup
    var definitions: DefinitionsOptions

    @OptionGroup
    var report: ReportOptions<AllForms>

    func validate() throws {
        if shares != nil, experiments.count > 1 {
            throw ValidationError("--shares are those of one experiment; name only one with --experiment.")
        }
    }

    func run() throws {
        let analysis = try analysis()
        ProgressBar.announceTyping(input)
        let file = try InputFile(path: input)
        let progress = ProgressBar(total: file.size)
        defer { progress.clear() }
        let results = try analysis.results(from: file) { progress.show($0) }
        progress.clear()
        try report.write(results.report, json: results.json)
        if results.isMismatch { throw ExitCode.finding }
        if results.isUntested { throw ExitCode.untested }
    }

    /// The columns by their roles.
    private func roles() throws -> [String: String] {
        let names = try columns.names(unit: "unit")
        let roles = ["unit", "variant", "count", "experiment", "time", "attributes"]
        if let role = names.keys.sorted().first(where: { !roles.contains($0) }) {
            throw UsageFailure("--column is for \(roles.joined(separator: ", ")), not for \(QuotedText(role)).")
        }
        if isUnitEachRow, names["unit"] ?? names["count"] != nil {
            throw UsageFailure("With --rows-are-units no column has units; leave out the columns unit and count.")
        }
        if names["unit"] != nil, names["count"] != nil {
            throw UsageFailure("Rows hold units or counts of them; name the column unit or count, not both.")
        }
        return names
    }

    /// The test of these options. Definitions are read unless shares are given.
    private func analysis() throws -> SampleRatioAnalysis {
        let roles = try roles()
        var analysis: SampleRatioAnalysis
        if let shares {
            analysis = SampleRatioAnalysis(.shares(shares))
        } else {
            let folder = definitions.folder
            let revisions = try RevisionPlans(
                folder.definitions, folder: DefinitionsLoader.defaultFolder, limits: folder.limits)
            analysis = SampleRatioAnalysis(try expectation(revisions.place))
            analysis.pastPlan = { try revisions.plan(of: $0, revision: $1) }
        }
        (analysis.wrongShare, analysis.severalShare) = (wrongShare, severalShare)
        analysis.isUnitEachRow = isUnitEachRow
        analysis.experiments = experiments
        analysis.salts = salts
        analysis.sharesOfRevisions = sharesOfRevisions
        (analysis.columns.unit, analysis.columns.variant) = (roles["unit"], roles["variant"])
        (analysis.columns.count, analysis.columns.experiment) = (roles["count"], roles["experiment"])
        (analysis.columns.time, analysis.columns.attributes) = (roles["time"], roles["attributes"])
        (analysis.nullWords, analysis.delimiter) = (csv.nullWords, csv.delimiter)
        analysis.isInTimeOrder = isInTimeOrder
        analysis.attributes = attributes
        analysis.ignoredVariants = ignoredVariants
        analysis.threshold = alpha
        return analysis
    }

    private func expectation(_ place: DefinitionsPlace) throws -> SampleRatioAnalysis.Expectation {
        do {
            let instant = definitions.instant
            let plan =
                try definitions.asOf.map(definitions.folder.load(asOf:))?.plan
                ?? definitions.folder.loader(at: instant).load(place).plan
            _ = try plan.experimentIndices(of: experiments)
            return .plan(plan, at: instant, isFixed: definitions.givenInstant != nil)
        } catch let error as DefinitionsError {
            var failure = CommandFailure(error)
            failure.causes.append("without definitions, give the shares, such as --shares control=50%,green=50%")
            throw failure
        }
    }
}
