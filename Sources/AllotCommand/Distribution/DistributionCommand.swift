import AllotAnalysis
import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import ArgumentParser

struct DistributionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "distribution", abstract: "Test how good the bucketing is, on generated or given unit IDs.",
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

    @Argument(
        help: .value("input", "A CSV file with unit IDs in place of generated ones; - is standard input."),
        completion: .file(extensions: ["csv", "gz"]))
    var input: String?
    @OptionGroup var columns: ColumnOptions
    @OptionGroup var csv: CSVOptions
    @Option(help: .value("count", "How many unit IDs to generate of each shape (default: 1000000).")) var generate: Int?
    @Option(help: .value("shape", "The form of generated unit IDs (default: sequential).")) var shape: ShapeChoice?
    @Option(name: .customLong("experiment"), help: .experiment, completion: .names(of: .experiments))
    var experiments: [String] = []
    @Option(help: .hash) var hash: HashScheme?
    @Option(help: .salts) var salts = 1000
    @Option(help: .value("count", "How many units each of those salts splits.")) var saltUnits = 10_000
    @Option(help: .alpha, transform: WrittenNumber.rate) var alpha = DistributionReport.standardAlarmLevel
    @OptionGroup var threads: ThreadOptions
    @Option(help: .value("number", "The seed of generated unit IDs and salts.")) var seed: UInt64 = 1
    @OptionGroup var report: ReportOptions<AllForms>
    @OptionGroup var definitions: DefinitionsOptions

    func validate() throws {
        if input == nil { try columns.checkUnused(without: "a CSV file") }
        if input == nil { try csv.checkUnused(without: "a CSV file") }
        if input != nil, generate != nil || shape != nil {
            throw ValidationError("--generate and --shape are for generated unit IDs, not for a CSV file.")
        }
        try ValidationError.check(generate, of: "--generate", in: DistributionStudy.generatedUnitCounts)
        try ValidationError.check(salts, of: "--salts", in: DistributionStudy.saltCounts)
        try ValidationError.check(saltUnits, of: "--salt-units", in: DistributionStudy.saltUnitCounts)
    }

    func run() throws {
        let (plan, _) = try definitions.load()
        let study = try study(of: plan)
        let sources = try sources()
        let bar = ProgressBar(total: study.hashCount(of: sources), unit: "million hashes")
        let results = try Waiting.result { [alpha] in
            defer { bar.clear() }
            return try await study.report(on: sources, alarmLevel: alpha, progress: bar.add)
        }
        try report.write(results.report, json: results.json)
        guard results.testCount > 0 else { throw ExitCode.untested }
        guard results.isFine else { throw ExitCode.finding }
    }

    private func study(of plan: Plan) throws -> DistributionStudy {
        let selection = try plan.experimentIndices(of: experiments)
        var study = try Randomisation.study(of: plan, scheme: hash, selection: selection)
        (study.saltCount, study.saltUnitCount, study.seed) = (salts, saltUnits, seed)
        // More would only hold more counts at once.
        study.taskCount = min(threads.count ?? .max, Processors.availableCount)
        return study
    }

    private func sources() throws -> [any UnitSource] {
        guard let input else {
            return (shape?.shapes ?? [.sequential]).map {
                GeneratedUnits($0, count: generate ?? DistributionStudy.customaryGeneratedUnitCount, seed: seed)
            }
        }
        var names = try columns.names()
        let column = names.removeValue(forKey: Subject.defaultUnit) ?? Subject.defaultUnit
        if let other = names.keys.min() {
            throw UsageFailure("--column is for \(Subject.defaultUnit), not for \(QuotedText(other)).")
        }
        ProgressBar.announceTyping(input)
        let option = columns.unitColumn.map { _ in "--unit-column" }
        let file = try InputFile(path: input)
        return [try CSVUnits(file, column: column, option: option, nullWords: csv.nullWords, delimiter: csv.delimiter)]
    }
}

extension HashScheme: ExpressibleByArgument {}

struct ShapeChoice: ExpressibleByArgument {
    let shapes: [UnitShape]
    static let allValueStrings = UnitShape.allCases.map(\.rawValue) + ["all"]

    init?(argument: String) {
        shapes = UnitShape.allCases.filter { argument == "all" || argument == $0.rawValue }
        if shapes.isEmpty { return nil }
    }
}
