import AllotAnalysis
import AllotBatch
import AllotCore
import AllotFiles
import ArgumentParser

struct DistributionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "distribution",
        abstract: "Test how good the bucketing is, on generated or given unit IDs.",
        usage: "allot distribution [<input>] [--shape <shape>] [--units <count>] [<options>]",
        discussion: """
            Every unit ID goes through the salt of every experiment, layer and holdout, each by itself: status, \
            schedule, audience and gates play no part. Tested are the counts against the expected shares, the \
            uniformity of the buckets, every pair for independence, and A/A comparisons under many salts. All tests \
            are corrected for one another (Holm); the first line says whether anything is wrong.

            --hash tests the hash of another system with the experiments that have it; if none has, with all of them. \
            Without it, experiments with the hash of another system are left out, unless --experiment names only such \
            experiments.

            EXIT STATUS
              0   nothing is wrong
              2   something is wrong
              1   failure, or too few unit IDs for any test
              64  a wrong command line

            EXAMPLES
              allot distribution
              allot distribution --shape all --units 10000000 --html report.html
              allot distribution players.csv --unit-column player
              allot distribution --units 10000 --salts 10000 --json
              allot distribution --hash growthbook/1
            """)

    @OptionGroup
    var units: UnitOptions

    @OptionGroup
    var options: StudyOptions

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @Option(help: .value("file", "Write the report as a page, with plots."), completion: .file())
    var html: String?

    @OptionGroup
    var definitions: DefinitionsOptions

    func validate() throws {
        if html == "-" { throw ValidationError("--html takes a file; standard output has the text or the JSON.") }
    }

    func run() throws {
        let (plan, _) = try definitions.load()
        let study = try options.study(of: plan)
        let source = units.input.flatMap { FileIdentity(input: $0) }
        if let html {
            try FileIdentity.check(output: html, option: "--html", isNot: source)
            try definitions.folder.check(output: html, option: "--html")
        }
        let page = try html.map { try AtomicOutput(path: $0, option: "--html") }
        let sources = try units.sources(seed: study.seed)
        let bar = ProgressBar(total: study.hashCount(of: sources), unit: "million hashes")
        let report = try Waiting.result { [options] in
            defer { bar.clear() }
            return try await study.report(on: sources, alarmLevel: options.alarm, progress: bar.add)
        }
        try page?.write(Array(report.page.utf8))
        try page?.commit()
        try StandardOutput.write(json ? [report.json.prettyText] : report.textLines)
        guard report.testCount > 0 else { throw ExitCode.failure }
        guard report.isFine else { throw ExitCode(2) }
    }
}

extension HashScheme: ExpressibleByArgument {}

/// The tests of `allot distribution`.
struct StudyOptions: ParsableArguments {
    @Option(
        name: .customLong("experiment"),
        help: .value("key", "Test only this experiment, with its layer and the holdouts (repeatable)."),
        completion: .names(of: .experiments))
    var experiments: [String] = []

    @Option(help: .value("scheme", "Test the hash of another system, such as eppo/1."))
    var hash: HashScheme?

    @Option(help: .value("count", "The number of salts of the A/A comparisons; 0 for none."))
    var salts = 1000

    @Option(help: .value("count", "How many units each of those salts splits."))
    var saltUnits = 10_000

    @Option(help: .value("probability", "The level of the alarm, for all tests together."))
    var alarm = DistributionReport.standardAlarmLevel

    @Option(help: .value("count", "The number of threads (default: one for each core)."))
    var threads: Int?

    @Option(help: .value("number", "The seed of generated unit IDs and salts."))
    var seed: UInt64 = 1

    func validate() throws {
        try ValidationError.check(salts, of: "--salts", in: DistributionStudy.saltCounts)
        try ValidationError.check(saltUnits, of: "--salt-units", in: DistributionStudy.saltUnitCounts)
        guard alarm > 0, alarm < 1 else { throw ValidationError("--alarm takes a number above 0 and below 1.") }
        try ValidationError.check(threads, of: "--threads", in: Processors.threadCounts)
    }

    func study(of plan: Plan) throws -> DistributionStudy {
        let selection = try plan.experimentIndices(of: experiments)
        var study = try Randomisation.study(of: plan, scheme: hash, selection: selection)
        study.saltCount = salts
        study.saltUnitCount = saltUnits
        study.seed = seed
        // More would only hold more counts at once.
        study.taskCount = min(threads ?? .max, Processors.availableCount)
        return study
    }
}
