import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotDefinitions

/// An editor that follows the schemas and the loader agree on which files are right.
///
/// Needs a `python3`, from the path or `/usr/bin`, with the module `jsonschema`; skipped where there is none.
@Suite(.blocks, .enabled(if: SchemaValidator.isAvailable, "no python3 with the module jsonschema"))
struct SchemaAgreementTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let samples = here.appending(path: "../../Experiments").standardizedFileURL.path
    private static let shared = ["base", "layers", "holdouts", "segments"]

    /// The experiments that both refuse, with the files that all experiments may refer to.
    private func wrong() throws -> [FaultTable.Case] {
        try #require(FaultTable.all.first { $0.name == "experiments.txt" }).cases
    }

    /// The text of the YAML files of a folder, by name.
    private func files(_ folder: String) throws -> Files {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        #expect(!names.isEmpty)
        return try Files(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) })
    }

    private func instances(_ files: Files) throws -> JSONObject {
        try JSONObject(
            files.map { name, text in
                (key: name, value: try #require(SourceTree(Array(text.utf8), file: name).root).json)
            })
    }

    @Test("Schema and loader accept the same experiments")
    func rightExperiments() throws {
        let files = try files(Self.here.appending(path: "Fixtures/right-experiments").path)
        let valid = try SchemaValidator.valid(instances(files), schema: "experiment.schema.json")
        let companions = try #require(try wrong().first).files.filter { $0.key != "e.yaml" }
        for (name, text) in files {
            let errors = DefinitionsLoader.fixed.problems(in: companions + [name: text])
                .filter { $0.severity == .error }
            #expect(errors.isEmpty, "\(name)")
            #expect(valid.contains(name), "\(name)")
        }
    }

    /// `FaultTableTests` checks that the loader refuses them, and why.
    @Test("The schema refuses the experiments that the loader refuses")
    func wrongExperiments() throws {
        let cases = try wrong()
        #expect(cases.count == 84)
        let files = Files(uniqueKeysWithValues: cases.map { ($0.title, $0.files["e.yaml"] ?? "") })
        let valid = try SchemaValidator.valid(instances(files), schema: "experiment.schema.json")
        for fault in cases {
            #expect(fault.expected.contains { $0.contains(" error: ") }, "\(fault.title)")
            #expect(!valid.contains(fault.title), "\(fault.title)")
        }
    }

    @Test("Schema and loader accept the sample folders", arguments: ["", "/games"])
    func samples(folder: String) throws {
        let files = try files(Self.samples + folder)
        let problems = DefinitionsLoader.fixed.problems(in: files)
        #expect(!problems.contains { $0.severity == .error })
        let experiments = files.filter { !Self.shared.contains($0.key.replacing(".yaml", with: "")) }
        #expect(
            try SchemaValidator.valid(instances(experiments), schema: "experiment.schema.json") == Set(experiments.keys)
        )
        for name in Self.shared {
            guard let text = files[name + ".yaml"] else { continue }
            #expect(try SchemaValidator.valid(instances([name: text]), schema: name + ".schema.json") == [name])
        }
    }
}
