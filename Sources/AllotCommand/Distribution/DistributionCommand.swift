import AllotFiles
import ArgumentParser
import Synchronization

/// `allot distribution`
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

            EXIT STATUS
              0   nothing is wrong
              2   something is wrong
              1   failure, or too few unit IDs for any test
              64  a wrong command line

            EXAMPLES
              allot distribution
              allot distribution --shape all --units 10000000 --html report.html
              allot distribution users.csv --unit-column player
              allot distribution --units 10000 --salts 10000 --json
            """)

    @OptionGroup
    var units: UnitOptions

    @OptionGroup
    var study: StudyOptions

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @Option(help: ArgumentHelp("Write the report as a page, with plots.", valueName: "file"), completion: .file())
    var html: String?

    @OptionGroup
    var definitions: DefinitionsOptions

    func validate() throws {
        if html == "-" { throw ValidationError("--html takes a file; standard output has the text or the JSON.") }
    }

    func run() throws {
        let (plan, _) = try definitions.load()
        let study = try self.study.study(of: plan)
        if let html { try units.check(isNot: html) }
        let page = try html.map { try AtomicOutput(path: $0, option: "--html") }
        let sources = try units.sources(seed: study.seed)
        let (level, bar) = (self.study.alarm, HashBar(total: study.hashCount(of: sources)))
        let report = try Waiting.result {
            defer { bar.clear() }
            return try await study.report(on: sources, alarmLevel: level, progress: bar.add)
        }
        try page?.write(Array(report.page.utf8))
        try page?.commit()
        try StandardOutput.write(json ? [report.json.prettyText] : report.textLines)
        guard report.testCount > 0 else { throw ExitCode.failure }
        guard report.isFine else { throw ExitCode(2) }
    }
}

/// A progress bar for the unit IDs that all threads together have hashed.
private final class HashBar: Sendable {
    private let bar: ProgressBar
    private let count = Atomic<Int>(0)

    init(total: Int?) {
        bar = ProgressBar(total: total, isAllowed: true, unit: "million hashes")
    }

    func add(_ more: Int) {
        bar.show(count.add(more, ordering: .relaxed).newValue)
    }

    func clear() {
        bar.clear()
    }
}
