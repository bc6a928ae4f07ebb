import Foundation
import TestSupport

/// A temporary folder that `allot` runs in.
final class Workspace {
    private let folder: TemporaryFolder

    /// Makes an empty folder.
    init() throws {
        folder = try TemporaryFolder()
    }

    var url: URL { folder.url }

    /// Makes a folder with definitions in `Experiments`: one experiment, `button`, for all units.
    static func withButton() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write(
            "Experiments/base.json", #"{"config_sections": {"Page": {"settings": {"Color": {"value": "blue"}}}}}"#)
        try workspace.write(
            "Experiments/button.yaml",
            """
            status: running
            variants:
              - key: control
              - { key: green, overrides: { Page: { Color: green } } }
            """)
        return workspace
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
        try Program.run(arguments + ["--at", Shop.instant], input: input, in: url)
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
