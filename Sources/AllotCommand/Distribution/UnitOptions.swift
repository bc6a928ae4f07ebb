import AllotAnalysis
import AllotBatch
import AllotCore
import AllotFiles
import ArgumentParser

/// The unit IDs of `allot distribution`.
struct UnitOptions: ParsableArguments {
    @Argument(
        help: .value("input", "A CSV file with unit IDs in place of generated ones; - is standard input."),
        completion: .file(extensions: ["csv", "gz"]))
    var input: String?

    @Option(help: .value("column", "The column that holds the unit IDs (default: user_id)."))
    var unitColumn: String?

    @OptionGroup
    var csv: CSVOptions

    @Option(help: .value("count", "How many unit IDs to generate of each shape (default: 1000000)."))
    var units: Int?

    @Option(help: .value("shape", "The form of generated unit IDs (default: sequential)."))
    var shape: ShapeChoice?

    func validate() throws {
        if input == nil, unitColumn != nil { throw ValidationError("--unit-column goes with a CSV file.") }
        if input == nil { try csv.checkUnused(without: "a CSV file") }
        if input != nil, units != nil || shape != nil {
            throw ValidationError("--units and --shape are for generated unit IDs, not for a CSV file.")
        }
        try ValidationError.check(units, of: "--units", in: DistributionStudy.generatedUnitCounts)
    }

    /// Where the unit IDs come from: a source for each sample.
    func sources(seed: UInt64) throws -> [any UnitSource] {
        guard let input else {
            return (shape?.shapes ?? [.sequential]).map {
                GeneratedUnits($0, count: units ?? DistributionStudy.customaryGeneratedUnitCount, seed: seed)
            }
        }
        ProgressBar.announceTyping(input)
        return [
            try CSVUnits(
                InputFile(path: input), column: unitColumn ?? Subject.defaultUnit,
                option: unitColumn.map { _ in "--unit-column" }, nullWords: csv.nullWords, delimiter: csv.delimiter)
        ]
    }
}

/// The value of `--shape`.
struct ShapeChoice: ExpressibleByArgument {
    let shapes: [UnitShape]

    static let allValueStrings = UnitShape.allCases.map(\.rawValue) + ["all"]

    init?(argument: String) {
        shapes = UnitShape.allCases.filter { argument == "all" || argument == $0.rawValue }
        if shapes.isEmpty { return nil }
    }
}
