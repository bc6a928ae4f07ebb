import AllotAnalysis
import AllotBatch
import AllotCore
import AllotFiles
import ArgumentParser

struct DistributionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "distribution",
        abstract: "Test how good the bucketing is, on generated or given unit IDs.",
        usage: "allot distribution [<input>] [--generate <count>] [<options>]",
        discussion: """
            Every unit ID goes through the salt of every experiment, layer and holdout, each by itself: status, \
            schedule, audience and gates play no part. Tested are the counts against the expected shares, the \
            uniformity of the buckets, every pair for independence, and A/A comparisons under many salts. All tests \
            are corrected for one another (Holm), with --alpha for all together; the first line says whether anything \
            is wrong.

            --hash tests the hash of another system with the experiments that have it; if none has, with all of them. \
            Without it, experiments with the hash of another system are left out, unless --experiment names only such \
            experiments.

            EXIT STATUS
              0   nothing is wrong
              2   something is wrong
              3   too few unit IDs for any test
              1   failure, such as a file that cannot be read
              64  a wrong command line

            EXAMPLES
              allot distribution
              allot distribution --shape all --format html -o report.html
              allot distribution players.csv --unit-column player
              allot distribution --generate 10000 --salts 10000 --json
              allot distribution --hash growthbook/1
            """)

    @OptionGroup var units: UnitOptions
    @OptionGroup var options: StudyOptions
    @OptionGroup var report: ReportOptions<AllForms>
    @OptionGroup var definitions: DefinitionsOptions

    func run() throws {
        let (plan, _) = try definitions.load()
        let study = try options.study(of: plan)
        let sources = try units.sources(seed: study.seed)
        let bar = ProgressBar(total: study.hashCount(of: sources), unit: "million hashes")
        let results = try Waiting.result { [options] in
            defer { bar.clear() }
            return try await study.report(on: sources, alarmLevel: options.alpha, progress: bar.add)
        }
        try report.write(results.report, json: results.json)
        guard results.testCount > 0 else { throw ExitCode.untested }
        guard results.isFine else { throw ExitCode.finding }
    }
}

extension HashScheme: ExpressibleByArgument {}

struct StudyOptions: ParsableArguments {
    @Option(name: .customLong("experiment"), help: .experiment, completion: .names(of: .experiments))
    var experiments: [String] = []
    @Option(help: .hash) var hash: HashScheme?
    @Option(help: .salts) var salts = 1000
    @Option(help: .value("count", "How many units each of those salts splits.")) var saltUnits = 10_000
    @Option(help: .alpha, transform: WrittenNumber.rate) var alpha = DistributionReport.standardAlarmLevel
    @OptionGroup var threads: ThreadOptions
    @Option(help: .value("number", "The seed of generated unit IDs and salts.")) var seed: UInt64 = 1

    func validate() throws {
        try ValidationError.check(salts, of: "--salts", in: DistributionStudy.saltCounts)
        try ValidationError.check(saltUnits, of: "--salt-units", in: DistributionStudy.saltUnitCounts)
    }

    func study(of plan: Plan) throws -> DistributionStudy {
        let selection = try plan.experimentIndices(of: experiments)
        var study = try Randomisation.study(of: plan, scheme: hash, selection: selection)
        study.saltCount = salts
        study.saltUnitCount = saltUnits
        study.seed = seed
        // More would only hold more counts at once.
        study.taskCount = min(threads.count ?? .max, Processors.availableCount)
        return study
    }
}
