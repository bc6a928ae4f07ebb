import AllotCore
import AllotReports
import TestSupport
import Testing

@testable import AllotDefinitions

struct CheckTextTests {
    private let golden = GoldenFiles()

    private static let base = """
        config_sections: { Page: { settings: { Color: { value: blue }, Size: { value: 3 } } } }
        """

    /// Expects the texts of the report on files in all formats.
    private func check(_ name: String, _ files: Files) throws {
        for format in [ReportFormat.text, .json, .github, .sarif] {
            let report = try CheckReport(of: "Experiments", format: format) {
                try DefinitionsLoader.fixed.load(
                    files.map { DefinitionSource(name: "Experiments/\($0.key)", bytes: Array($0.value.utf8)) })
            }
            let lines =
                switch format {
                case .text: TextRenderer().lines(report.report)
                case .json: [report.json.prettyText]
                default: report.lines(version: "1.0.0")
                }
            try golden.expect(lines.joined(separator: "\n") + "\n", in: "check-\(name)-\(format.rawValue).txt")
        }
    }

    @Test("The report of a check has the same text in each format")
    func texts() throws {
        try check(
            "clean", ["base.yaml": Self.base, "page.yaml": "status: running\nvariants: [{ key: a }, { key: b }]\n"])
        try check(
            "warnings",
            [
                "base.yaml": Self.base,
                "page.yaml": "status: running\naudience: { country: \"DE, AT\" }\nvariants: [{ key: a }, { key: b }]\n",
            ])
        try check(
            "errors",
            [
                "base.yaml": Self.base, "broken.yaml": "variants: [\n",
                "page.yaml": """
                status: runing
                audience: { country: "DE, AT" }
                variants: [{ key: a, weight: -1 }, { key: b, overrides: { Page: { Colour: red, Size: x } } }]

                """,
            ])
    }

    @Test("The report on a folder that cannot be read says so, and is an error for people")
    func unreadable() throws {
        struct Failure: Error, CustomStringConvertible {
            let description = "Experiments: there is no such folder"
        }
        #expect(throws: Failure.self) { try CheckReport(of: "Experiments", format: .text) { throw Failure() } }
        let report = try CheckReport(of: "Experiments", format: .github) { throw Failure() }
        try golden.expect(
            report.lines(version: "1.0.0").joined(separator: "\n") + "\n", in: "check-unreadable-github.txt")
    }
}
