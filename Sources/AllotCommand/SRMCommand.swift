import AllotAnalysis
import AllotBatch
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
            those of the definitions, or given ones.

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

            A unit counts once, in the variant of its earliest row, in whatever order the rows are. Forced units, \
            winners, overrides and other salts do not count.

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

    @OptionGroup
    var options: SampleRatioOptions

    @OptionGroup
    var csv: CSVOptions

    @OptionGroup
    var definitions: DefinitionsOptions

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        var analysis = try options.analysis(definitions)
        analysis.nullWords = csv.nullWords
        analysis.delimiter = csv.delimiter
        ProgressBar.announceTyping(input)
        let file = try InputFile(path: input)
        let progress = ProgressBar(total: file.size)
        defer { progress.clear() }
        let results = try analysis.results(from: file) { progress.show($0) }
        progress.clear()
        try StandardOutput.write(json ? [results.json.prettyText] : results.lines)
        if results.isMismatch { throw ExitCode(2) }
        if results.isUntested { throw ExitCode(3) }
    }
}

/// Which columns hold what, and how rows are tested.
struct SampleRatioOptions: ParsableArguments {
    @Option(
        help: .value(
            "shares",
            "The share of each variant, such as control=50%,green=50% or control=2,green=1; 1:1 for equal shares."),
        transform: { try GivenShares($0) })
    var shares: GivenShares?

    @Option(
        name: .customLong("shares-of"),
        help: .value(
            "revision=shares", "The shares of another revision, such as 1f0c…=control=2,green=1 (repeatable)."),
        transform: RevisionShares.init)
    var sharesOfRevisions: [RevisionShares] = []

    @Option(name: .customLong("salt"), help: .value("salt", "Test this randomisation, not the present (repeatable)."))
    var salts: [String] = []

    @Option(
        name: .customLong("experiment"), help: .value("key", "Test only this experiment (repeatable)."),
        completion: .names(of: .experiments))
    var experiments: [String] = []

    @Option(help: .value("column", "The column of the unit IDs (default: unit or user_id)."))
    var unitColumn: String?

    @Option(
        help: .value("column", "The column of the variants (default: variant, or a column named as the experiment)."))
    var variantColumn: String?

    @Option(
        help: .value(
            "column",
            "The column with the number of units, for rows of counts (default: count, if there is no column of units)."
        ))
    var countColumn: String?

    @Option(help: .value("column", "The column of the experiments (default: experiment)."))
    var experimentColumn: String?

    @Option(help: .value("column", "The column of the times (default: at)."))
    var timeColumn: String?

    @Option(help: .value("column", "The column with attributes as a JSON object (default: attributes)."))
    var attributesColumn: String?

    @Flag(
        name: [.customLong("time-order"), .customLong("sequential")],
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

    @Option(
        help: .value("p", "The p-value below which a mismatch is detected."), transform: RatioTest.threshold)
    var threshold = RatioTest.threshold

    func validate() throws {
        if shares != nil, experiments.count > 1 {
            throw ValidationError("--shares are those of one experiment; name only one with --experiment.")
        }
        if isUnitEachRow, unitColumn != nil || countColumn != nil {
            throw ValidationError(
                "With --rows-are-units no column has units; leave out --unit-column and --count-column.")
        }
        if countColumn != nil, unitColumn != nil {
            throw ValidationError("Rows hold units or counts of them; give --unit-column or --count-column, not both.")
        }
    }

    /// The test of these options. Definitions are read unless shares are given.
    func analysis(_ definitions: DefinitionsOptions) throws -> SampleRatioAnalysis {
        var analysis: SampleRatioAnalysis
        if let shares {
            analysis = SampleRatioAnalysis(.shares(shares))
        } else {
            let folder = definitions.folder
            let revisions = try RevisionPlans(
                folder.definitions, folder: DefinitionsLoader.defaultFolder, limits: folder.limits)
            analysis = SampleRatioAnalysis(try expectation(definitions, revisions.place))
            analysis.pastPlan = { try revisions.plan(of: $0, revision: $1) }
        }
        (analysis.wrongShare, analysis.severalShare) = (wrongShare, severalShare)
        analysis.isUnitEachRow = isUnitEachRow
        analysis.experiments = experiments
        analysis.salts = salts
        analysis.sharesOfRevisions = sharesOfRevisions
        analysis.columns = .init(
            unit: unitColumn, variant: variantColumn, count: countColumn, experiment: experimentColumn,
            time: timeColumn, attributes: attributesColumn)
        analysis.isInTimeOrder = isInTimeOrder
        analysis.attributes = attributes
        analysis.ignoredVariants = ignoredVariants
        analysis.threshold = threshold
        return analysis
    }

    private func expectation(
        _ definitions: DefinitionsOptions, _ place: DefinitionsPlace
    ) throws -> SampleRatioAnalysis.Expectation {
        do {
            let instant = definitions.at ?? .now
            let plan = try definitions.folder.loader(at: instant).load(place).plan
            _ = try plan.experimentIndices(of: experiments)
            return .plan(plan, at: instant, isFixed: definitions.at != nil)
        } catch let error as DefinitionsError {
            var failure = CommandFailure(error)
            failure.message += "\nallot: without definitions, give the shares, such as --shares control=50%,green=50%"
            throw failure
        }
    }
}
