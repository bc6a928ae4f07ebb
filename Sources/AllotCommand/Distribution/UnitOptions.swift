import Allot
import AllotAnalysis
import AllotFiles
import ArgumentParser
import Glibc

/// Which unit IDs `allot distribution` works on.
struct UnitOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A CSV file with unit IDs in place of generated ones; - is standard input.", valueName: "input"),
        completion: .file(extensions: ["csv"]))
    var input: String?

    @Option(
        help: ArgumentHelp("The column that holds the unit IDs (default: user_id).", valueName: "column"))
    var unitColumn: String?

    @Option(
        help: ArgumentHelp("How many unit IDs to generate of each shape (default: 1000000).", valueName: "count"))
    var units: Int?

    @Option(help: ArgumentHelp("What generated unit IDs look like (default: sequential).", valueName: "shape"))
    var shape: ShapeChoice?

    private static let standardCount = 1_000_000
    private static let most = 1_000_000_000

    func validate() throws {
        if input == nil, unitColumn != nil { throw ValidationError("--unit-column goes with a CSV file.") }
        if input != nil, units != nil || shape != nil {
            throw ValidationError("--units and --shape are for generated unit IDs, not for a CSV file.")
        }
        if let units, !(100...Self.most).contains(units) {
            throw ValidationError("--units takes a number from 100 to \(Self.most).")
        }
    }

    /// Where the unit IDs come from: a source for each sample.
    func sources(seed: UInt64) throws -> [any UnitSource] {
        if let input {
            if input == "-", isatty(STDIN_FILENO) == 1 {
                StandardError.write("allot: reading CSV from the keyboard; end with Ctrl-D, or name a file")
            }
            let isNamed = unitColumn != nil
            return [
                try CSVUnits(
                    InputFile(path: input), column: unitColumn ?? Subject.defaultUnit,
                    option: isNamed ? "--unit-column" : nil)
            ]
        }
        return (shape ?? .standard).shapes.map {
            GeneratedUnits($0, count: units ?? Self.standardCount, seed: seed)
        }
    }

    /// Refuses to write over the input.
    func check(isNot output: String) throws {
        guard let input, let source = FileIdentity(input: input) else { return }
        if source == FileIdentity(output: output) {
            throw CommandFailure("\(output) is the input itself; write to another file with --html")
        }
    }
}

/// The value of `--shape`.
struct ShapeChoice: ExpressibleByArgument {
    let shapes: [UnitShape]

    static let standard = ShapeChoice(shapes: [.sequential])
    private static let all = "all"
    static let allValueStrings = UnitShape.allCases.map(\.rawValue) + [all]

    private init(shapes: [UnitShape]) {
        self.shapes = shapes
    }

    init?(argument: String) {
        if argument == Self.all {
            shapes = UnitShape.allCases
        } else if let shape = UnitShape(rawValue: argument) {
            shapes = [shape]
        } else {
            return nil
        }
    }
}
