import AllotAnalysis
import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import ArgumentParser

/// The unit IDs of `allot distribution`.
struct UnitOptions: ParsableArguments {
    @Argument(
        help: .value("input", "A CSV file with unit IDs in place of generated ones; - is standard input."),
        completion: .file(extensions: ["csv", "gz"]))
    var input: String?
    @OptionGroup var columns: ColumnOptions
    @OptionGroup var csv: CSVOptions
    @Option(help: .value("count", "How many unit IDs to generate of each shape (default: 1000000).")) var generate: Int?
    @Option(help: .value("shape", "The form of generated unit IDs (default: sequential).")) var shape: ShapeChoice?

    func validate() throws {
        if input == nil { try columns.checkUnused(without: "a CSV file") }
        if input == nil { try csv.checkUnused(without: "a CSV file") }
        if input != nil, generate != nil || shape != nil {
            throw ValidationError("--generate and --shape are for generated unit IDs, not for a CSV file.")
        }
        try ValidationError.check(generate, of: "--generate", in: DistributionStudy.generatedUnitCounts)
    }

    func sources(seed: UInt64) throws -> [any UnitSource] {
        guard let input else {
            return (shape?.shapes ?? [.sequential]).map {
                GeneratedUnits($0, count: generate ?? DistributionStudy.customaryGeneratedUnitCount, seed: seed)
            }
        }
        var names = try columns.names()
        let column = names.removeValue(forKey: Subject.defaultUnit)
        if let other = names.keys.min() {
            throw UsageFailure("--column is for \(Subject.defaultUnit), not for \(QuotedText(other)).")
        }
        ProgressBar.announceTyping(input)
        return [
            try CSVUnits(
                InputFile(path: input), column: column ?? Subject.defaultUnit,
                option: columns.unitColumn.map { _ in "--unit-column" }, nullWords: csv.nullWords,
                delimiter: csv.delimiter)
        ]
    }
}

struct ShapeChoice: ExpressibleByArgument {
    let shapes: [UnitShape]
    static let allValueStrings = UnitShape.allCases.map(\.rawValue) + ["all"]

    init?(argument: String) {
        shapes = UnitShape.allCases.filter { argument == "all" || argument == $0.rawValue }
        if shapes.isEmpty { return nil }
    }
}
