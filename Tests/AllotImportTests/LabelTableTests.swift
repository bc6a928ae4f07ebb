import Allot
import AllotBatch
import AllotConfiguration
import AllotDefinitions
import AllotFiles
import TestSupport
import Testing

@testable import AllotImport

/// Recordings that name variants otherwise.
struct LabelTableTests {
    private static let files = [
        "base.yaml": "config_sections: { S: { settings: { c: { value: x } } } }\n",
        "e.yaml": """
        status: running
        audience: { user_id: { $ne: nobody } }
        variants: [{ key: "0", buckets: [0%..<50%] }, { key: "1", buckets: [50%..<80%] }]
        """,
    ]

    private static let loaded = Result {
        try DefinitionsLoader(now: Instant(seconds: 0)).load(
            LabelTableTests.files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) })
    }

    /// The report on 60 units whose variants ("" for none) are recorded under other names.
    private func report(_ name: (_ variant: String) -> String) throws -> VerificationReport {
        let loaded = try Self.loaded.get()
        var csv = "user_id,experiment,variant\n"
        for index in 0..<60 {
            let user = index == 0 ? "nobody" : "u\(index)"
            let assigned = loaded.plan.assignments(
                for: Subject(attributes: ["user_id": .string(user)]), at: .init(seconds: 0))
            csv += "\(user),e,\(name(assigned[0].variant ?? ""))\n"
        }
        let folder = try TemporaryFolder()
        return try VerificationReport(
            of: try folder.write(csv, to: "assigned.csv"), loaded, at: Instant(seconds: 0), units: [], columns: [])
    }

    @Test(
        "Names that stand for variants one to one reassign nobody; any other naming does",
        arguments: [
            (["0": "blue", "1": "red", "": "disabled"], true), (["0": "0", "1": "1", "": "disabled"], true),
            (["0": "0", "1": "1", "": "null"], true), (["0": "0", "1": "1", "": ""], true),
            (["0": "1", "1": "0", "": "disabled"], false), (["0": "blue", "1": "blue", "": "disabled"], false),
            (["0": "0", "1": "1", "": "0"], false),
            (["0": "1", "1": "2", "": "disabled"], false),
        ] as [([String: String], Bool)])
    func names(_ names: [String: String], isExact: Bool) throws {
        let report = try report { variant in names[variant] ?? "" }
        #expect(report.isExact == isExact, "\(report.lines)")
        if isExact { #expect(report.lines[0] == "60 of 60 rows keep their variant") }
    }

    @Test("One row that another variant was recorded for ends the mapping")
    func oneRow() throws {
        var isFirst = true
        let report = try report { variant in
            if variant == "1", isFirst {
                isFirst = false
                return "blue"
            }
            return ["0": "blue", "1": "red"][variant] ?? "disabled"
        }
        #expect(!report.isExact, "\(report.lines)")
    }
}
