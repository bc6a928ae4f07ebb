import AllotAnalysis
import ArgumentParser
import Foundation
import PeerBucketing
import PeerComparison

/// Prints how Allot and other systems distribute units, as a table in Markdown.
@main
struct ComparePeers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Puts the bucketing of Allot and of other systems through the tests of `allot distribution`.")

    @Option(help: "Unit IDs of each shape.")
    var units = ComparisonSettings().unitCount

    @Option(help: "Salts of the A/A comparisons.")
    var trialSalts = ComparisonSettings().trialSaltCount

    @Option(help: "Unit IDs that each of those salts splits.")
    var trialUnits = ComparisonSettings().trialUnitCount

    @Option(help: "What random unit IDs depend on.")
    var seed = ComparisonSettings().seed

    @Option(help: "Only the system of this name; may be repeated.")
    var system: [String] = []

    private static var functions: [any BucketingFunction] {
        [AllotBucketing()] + Peers.all
    }

    func validate() throws {
        guard units > 0, trialSalts > 0, trialUnits > 0 else {
            throw ValidationError("--units, --trial-salts and --trial-units must be 1 or more")
        }
        let names = Self.functions.map(\.name)
        if let unknown = system.first(where: { !names.contains($0) }) {
            throw ValidationError("there is no system \"\(unknown)\"; there are: \(names.joined(separator: ", "))")
        }
    }

    func run() async {
        var settings = ComparisonSettings()
        settings.unitCount = units
        settings.trialSaltCount = trialSalts
        settings.trialUnitCount = trialUnits
        settings.seed = seed
        settings.taskCount = ProcessInfo.processInfo.activeProcessorCount
        let functions = Self.functions.filter { system.isEmpty || system.contains($0.name) }
        // Nothing else runs while times are taken.
        let times = HashTimes.measure(functions)
        let table = ComparisonTable(settings)
        print(table.head)
        var last: SystemSummary?
        for (function, nanoseconds) in zip(functions, times) {
            let summary = SystemSummary(function, report: await settings.report(on: function))
            print(table.row(summary, nanoseconds: nanoseconds))
            last = summary
        }
        guard let last else { return }
        print(table.expectation(like: last))
        print("\n" + table.legend(like: last, systemCount: functions.count))
    }
}
