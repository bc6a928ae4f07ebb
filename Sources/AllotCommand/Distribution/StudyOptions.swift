import Allot
import AllotAnalysis
import AllotBatch
import ArgumentParser

/// What `allot distribution` tests.
struct StudyOptions: ParsableArguments {
    @Option(
        name: .customLong("experiment"),
        help: ArgumentHelp(
            "Test only this experiment, with its layer and the holdouts (repeatable).", valueName: "key"))
    var experiments: [String] = []

    @Option(help: ArgumentHelp("The number of salts of the A/A comparisons; 0 for none.", valueName: "count"))
    var salts = 1000

    @Option(help: ArgumentHelp("How many units each of those salts splits.", valueName: "count"))
    var saltUnits = 10_000

    @Option(help: ArgumentHelp("The level of the alarm, for all tests together.", valueName: "probability"))
    var alarm = DistributionReport.standardAlarmLevel

    @Option(help: ArgumentHelp("The number of threads (default: one for each core).", valueName: "count"))
    var threads: Int?

    @Option(help: ArgumentHelp("What generated unit IDs and salts depend on.", valueName: "number"))
    var seed: UInt64 = 1

    func validate() throws {
        guard (0...1_000_000).contains(salts) else {
            throw ValidationError("--salts takes a number from 0 to 1000000.")
        }
        guard (100...1_000_000).contains(saltUnits) else {
            throw ValidationError("--salt-units takes a number from 100 to 1000000.")
        }
        guard alarm > 0, alarm < 1 else { throw ValidationError("--alarm takes a number above 0 and below 1.") }
        if let threads, !(1...1024).contains(threads) {
            throw ValidationError("--threads takes a number from 1 to 1024.")
        }
    }

    /// The study of the experiments of a plan.
    func study(of plan: Plan) throws -> DistributionStudy {
        let selection = try plan.experimentIndices(of: experiments)
        var study = DistributionStudy(Randomisation.all(of: plan, selection: selection))
        study.saltCount = salts
        study.saltUnitCount = saltUnits
        study.seed = seed
        // More would only hold more counts at once.
        study.taskCount = min(threads ?? .max, OrderedPipeline().workerCount)
        return study
    }
}
