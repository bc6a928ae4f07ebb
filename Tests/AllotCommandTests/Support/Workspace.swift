import AllotConfiguration
import Foundation
import TestSupport

/// A temporary folder that `allot` runs in.
final class Workspace {
    private let folder: TemporaryFolder

    /// Makes a folder with files, by their names.
    init(_ files: [String: String] = [:]) throws {
        folder = try TemporaryFolder(files)
    }

    var url: URL { folder.url }

    /// A base with one setting, `Page.Color`.
    static func base(_ color: String = "blue") -> String {
        #"{"config_sections": {"Page": {"settings": {"Color": {"value": "\#(color)"}}}}}"#
    }

    /// An experiment for all units, half of which get another colour.
    static let button = """
        status: running
        variants:
          - key: control
          - { key: green, overrides: { Page: { Color: green } } }
        """

    /// Makes a folder with definitions in `Experiments`: the base, one experiment, `button`, and other files by their
    /// names.
    static func withButton(_ definition: String = button, and files: [String: String] = [:]) throws -> Workspace {
        let own = ["Experiments/base.json": base(), "Experiments/button.yaml": definition]
        return try Workspace(own.merging(files) { $1 })
    }

    /// Writes a file and the folders above it.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        try folder.write(bytes, to: name)
    }

    func write(_ name: String, _ text: String) throws {
        try write(name, Array(text.utf8))
    }

    /// The text of a file.
    func read(_ name: String) throws -> String {
        try folder.text(name)
    }

    /// The rows of a CSV file, without the header.
    func rows(_ name: String = "out.csv") throws -> [[String]] {
        CSVTable(Array(try read(name).utf8)).rows
    }

    /// The names of the files, hidden ones among them, without the definitions.
    var files: [String] {
        get throws {
            try folder.names().filter { $0 != "Experiments" }
        }
    }

    /// Runs `allot` in the folder at an instant when everything in the fixtures is live.
    func run(_ arguments: String..., input: [UInt8]? = nil) throws -> Outcome {
        try run(arguments, input: input)
    }

    func run(_ arguments: [String], input: [UInt8]? = nil) throws -> Outcome {
        // Rows with instants of their own leave no other one.
        let instant = arguments.contains("--at-column") ? [] : ["--at", Shop.instant]
        return try Program.run(arguments + instant, input: input, in: url)
    }

    /// The JSON that a command prints with `--json`.
    func json(_ arguments: String...) throws -> JSONValue {
        try JSONValue(parsing: run(arguments + ["--json"]).output)
    }

    /// Runs a shell script in the folder; it finds the program in `$ALLOT`.
    func shell(_ script: String) throws -> Outcome {
        try Program.shell(script, in: url)
    }

    /// Assigns a file of these bytes to `out.csv`.
    func assign(_ csv: [UInt8], _ options: String...) throws -> Outcome {
        try write("in.csv", csv)
        return try run(["assign", "in.csv", "-o", "out.csv"] + options)
    }

    func assign(_ csv: String, _ options: String...) throws -> Outcome {
        try write("in.csv", csv)
        return try run(["assign", "in.csv", "-o", "out.csv"] + options)
    }
}
