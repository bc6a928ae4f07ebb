import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports
import TestSupport
import Testing

@testable import AllotImport

struct ReportTextTests {
    private let golden = GoldenFiles()

    private func check(_ name: String, _ lines: [String], markdown: [String]) throws {
        try golden.expect(lines.joined(separator: "\n") + "\n", in: "\(name).txt")
        try golden.expect(markdown.joined(separator: "\n") + "\n", in: "\(name).md")
    }

    // MARK: Imports

    private func imported(_ name: String, _ features: JSONValue) throws {
        var conversion = PayloadImport(of: .growthbook)
        conversion.skipsInexact = true
        let report = try conversion.definitions(from: ["features": features]).report
        try check(name, report.lines, markdown: MarkdownRenderer.lines(report.report))
    }

    @Test("The report on an import has the same text")
    func imports() throws {
        let button: JSONValue = [
            "defaultValue": "blue", "rules": [["variations": ["blue", "green"], "key": "button"]],
        ]
        let plan: JSONValue = [
            "defaultValue": false,
            "rules": [["force": true, "condition": ["plan": "pro", "age": ["$gte": 18]], "coverage": 0.5]],
        ]
        try imported("import-exact", ["button": button, "plan": plan, "title": ["defaultValue": "Shop"]])
        try imported(
            "import-inexact",
            [
                "button": button, "@team|x": ["rules": [["surprise": 1]]],
                "strange": ["rules": [["force": 1, "odd": 2]]],
            ])
        try imported("import-refused", ["strange": ["rules": [["surprise": 1]]]])
    }

    // MARK: Verifications

    private static let files = [
        "base.yaml": "config_sections: { S: { settings: { on: { value: false } } } }",
        "e.yaml": "status: running\nvariants: [{ key: a, buckets: [0%..<50%] }, { key: b, buckets: [50%..<80%] }]",
    ]

    /// The report on rows of units with names for their variants.
    private func verified(_ name: String, _ row: (_ index: Int, _ variant: String) -> String) throws {
        let loaded = try DefinitionsLoader(now: Instant(seconds: 0)).load(
            Self.files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) })
        var csv = "user_id,experiment,variant\n"
        for index in 1...40 {
            let subject = Subject(attributes: ["user_id": .string("u\(index)")])
            let variant = loaded.plan.assignments(for: subject, at: Instant(seconds: 0))[0].variant ?? ""
            csv += row(index, variant) + "\n"
        }
        let folder = try TemporaryFolder()
        let report = try VerificationReport(
            of: try folder.write(csv, to: "assigned.csv"), loaded, at: Instant(seconds: 0))
        try check(name, report.lines, markdown: MarkdownRenderer.lines(report.report))
    }

    @Test("The report on a verification has the same text")
    func verifications() throws {
        try verified("verify-same") { "u\($0),e,\($1)" }
        try verified("verify-names") { "u\($0),e,\(["a": "blue", "b": "red"][$1] ?? "off")" }
        try verified("verify-differences") { index, variant in
            switch index {
            case 1: ",e,a"
            case 2...4: "u\(index),e,\(variant == "a" ? "b" : "a")"
            case 5: "u5,absent,a"
            case 6: "NULL,e,"
            default: "u\(index),e,\(variant)"
            }
        }
        // More ways than a report lists.
        try verified("verify-many") { index, _ in "u\(index),gone-\(index),a" }
    }
}
