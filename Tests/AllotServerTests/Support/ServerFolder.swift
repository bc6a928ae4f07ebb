import Foundation
import TestSupport

/// A folder with definitions and a file of exposures, for servers that run.
final class ServerFolder {
    private let folder: TemporaryFolder

    /// Writes the fixture's definitions.
    init() throws {
        folder = try TemporaryFolder()
        try writeDefinitions("definitions")
    }

    /// The path of something in the folder.
    func path(_ name: String) -> String { folder.path(name) }

    var definitions: String { path("definitions") }

    /// Writes the fixture's definitions to a folder of its own.
    func writeDefinitions(_ name: String, _ changes: [String: String] = [:]) throws {
        for file in Fixture.files.merging(changes, uniquingKeysWith: { $1 }) {
            _ = try folder.write(file.value, to: "\(name)/\(file.key)")
        }
    }

    /// Writes one file whole, as careful tools do: its name never stands for half of it.
    func replace(_ name: String, _ text: String) throws {
        _ = try folder.write(text, to: "next")
        guard rename(path("next"), path(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Makes the configurations as long as a text.
    func lengthen(to count: Int) throws {
        let text = String(repeating: "x", count: count)
        try write(Fixture.base.replacing(Fixture.longText, with: text), to: "definitions/base.json")
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try folder.write(text, to: name)
    }

    /// What a server needs to run on these definitions.
    var arguments: [String] {
        ["--definitions", definitions, "--exposures", path("exposures.sqlite")]
    }
}
